#!/bin/sh
# collect.sh PLAN FOLDER [DIR] - the shards that submit.sh had measured below
# FOLDER become one run file per device in DIR (default data/runs), and what
# Slurm's accounting says of their tasks goes to FOLDER/sacct.txt.
set -eu
[ $# -ge 2 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
runner=${RUNNER:-$(realpath "$here/../../build/runner")}

if [ -s "$2/jobs" ] && ! sacct --parsable2 --duplicates --jobs="$(paste -sd, "$2/jobs")" \
	--format=JobID,State,ExitCode,Restarts,Submit,Start,End,Timelimit,NodeList,AllocTRES \
	> "$2/sacct.txt" 2> "$2/sacct.err"; then
	echo "collect: sacct says nothing: $(head -n 1 "$2/sacct.err")" >&2
fi
# A task under way holds its file; only what nobody writes any more is closed.
"$runner" resume --close "$2/shards" >&2 || :
exec "$runner" collect --out "${3:-data/runs}" "$1" "$2/shards"
