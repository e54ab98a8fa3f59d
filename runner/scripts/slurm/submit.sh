#!/bin/sh
# submit.sh PLAN FOLDER [SBATCH-OPTION...] - submits one Slurm task for each shard of
# a plan. Results and logs go below FOLDER, which all nodes must see. Submitting
# again measures what is missing. docs/cluster.md explains it.
set -eu
[ $# -ge 2 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
plan=$(realpath "$1")
runner=$(realpath "${RUNNER:-$here/../../../build/runner}")
[ -r "$plan" ] || { echo "submit: $plan: cannot be read" >&2; exit 1; }
shards=$(sed -n 's/.*"shards":\([0-9]*\).*/\1/p' "$plan")
[ -n "$shards" ] || { echo "submit: $plan: not a plan of 'runner plan'" >&2; exit 1; }
[ -x "$runner" ] || { echo "submit: $runner: no such program; RUNNER=PATH says where it is" >&2; exit 1; }
case $(realpath -m "$2") in *\\*) echo "submit: $2: Slurm takes no backslash in the name of a log" >&2; exit 1 ;; esac
mkdir -p "$2/log"
folder=$(realpath "$2")
shift 2

# Slurm replaces %a in the log's name with the shard, so any other % is doubled. The caller's
# options come last and win.
job=$(sbatch --parsable --job-name=runner --array="1-$shards" --requeue --signal=B:TERM@90 \
	--open-mode=append --output="$(printf %s "$folder" | sed 's/%/%%/g')/log/shard-%a.log" "$@" \
	"$here/job.sh" "$runner" "$plan" "$folder")
echo "${job%%;*}" >> "$folder/jobs" # a federation adds the cluster's name to the id
echo "$job: $shards shards; when they are done: runner/scripts/slurm/collect.sh $plan $folder"
