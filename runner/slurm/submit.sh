#!/bin/sh
# submit.sh PLAN FOLDER [SBATCH-OPTION...] - one Slurm task for each shard of a
# plan; results and logs go below FOLDER, which all nodes must see. Submitting
# again measures what is left. docs/cluster.md explains it.
set -eu
[ $# -ge 2 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
plan=$(realpath "$1")
mkdir -p "$2/log"
folder=$(realpath "$2")
shift 2
runner=${RUNNER:-$(realpath "$here/../../build/runner")}

shards=$(sed -n 's/.*"shards":\([0-9]*\).*/\1/p' "$plan")
[ -n "$shards" ] || { echo "submit: $plan: not a plan of 'runner plan'" >&2; exit 1; }
[ -x "$runner" ] || { echo "submit: $runner: no such program; RUNNER=PATH says where it is" >&2; exit 1; }

# Options given come last and win.
job=$(sbatch --parsable --job-name=runner --array="1-$shards" --requeue --signal=B:TERM@90 \
	--open-mode=append --output="$folder/log/shard-%a.log" "$@" \
	"$here/job.sh" "$runner" "$plan" "$folder")
echo "$job" >> "$folder/jobs"
echo "$job: $shards shards; when they are done: runner/slurm/collect.sh $plan $folder"
