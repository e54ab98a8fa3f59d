#!/bin/sh
# collect.sh PLAN FOLDER [DIR] - joins the shards that submit.sh measured below FOLDER
# into one run file per device in DIR (default data/runs), and writes Slurm's
# accounting of their tasks to FOLDER/sacct.txt.
set -eu
[ $# -ge 2 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
runner=${RUNNER:-$(realpath "$here/../../../build/runner")}

if [ -s "$2/jobs" ] && ! sacct --parsable2 --duplicates --jobs="$(paste -sd, "$2/jobs")" \
	--format=JobID,State,ExitCode,Restarts,Submit,Start,End,Timelimit,NodeList,AllocTRES \
	> "$2/sacct.txt" 2> "$2/sacct.err"; then
	echo "collect: sacct says nothing: $(head -n 1 "$2/sacct.err")" >&2
fi
# A running task locks its file; only abandoned files are closed.
"$runner" resume --close "$2/shards" >&2 || :
exec "$runner" collect --out "${3:-data/runs}" "$1" "$2/shards"
