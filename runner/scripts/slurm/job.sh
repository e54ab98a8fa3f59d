#!/bin/bash
# job.sh RUNNER PLAN FOLDER - the batch script of submit.sh: measures the shard of a
# plan that belongs to this array task.
#
# Slurm sends SIGTERM 90 s before the time limit. The runner then finishes the case under
# way and closes a valid, partial file; the task returns to the queue and later measures
# only what is missing. The file of an attempt that was killed is closed first, so that
# no measurement is lost.
set -u
runner=$1 plan=$2 shard=$SLURM_ARRAY_TASK_ID
out=$3/shards/$shard
most_restarts=20

echo "shard $shard, restart ${SLURM_RESTART_COUNT:-0}, on ${SLURMD_NODENAME:-$(hostname)}"
mkdir -p "$out"
"$runner" resume --close "$out"

warned=
"$runner" run --plan "$plan" --shard "$shard" --out "$out" --choices "$3/shards" &
pid=$!
trap 'warned=1; kill -TERM $pid 2>/dev/null' TERM
# a trapped signal ends `wait` before the runner has ended
while wait $pid; status=$?; kill -0 $pid 2>/dev/null; do :; done
[ -n "$warned" ] || exit $status

if [ "${SLURM_RESTART_COUNT:-0}" -ge $most_restarts ]; then
	echo "shard $shard: restarted $most_restarts times and not done: raise --time"
	exit 1
fi
scontrol requeue "${SLURM_ARRAY_JOB_ID}_$shard"
sleep 60 # the requeue ends this script
