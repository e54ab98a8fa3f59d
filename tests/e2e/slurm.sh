#!/bin/bash
# Measures a plan under a real Slurm, whose controller, daemon and munge this script starts and
# ends. One task is warned of its time limit, another is killed by it. In the end both are done,
# and the collected file is what one machine would have written.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
export RUNNER LC_ALL=C.UTF-8
RUNNER=$(realpath "${BUILD:-build}/runner")
PATH=$PATH:/usr/sbin:/sbin
for tool in munged mungekey slurmctld slurmd sbatch scontrol; do
	command -v $tool >/dev/null || { echo "ok - a plan under Slurm # skip no $tool"; exit 0; }
done
[ "$(id -u)" = 0 ] || { echo 'ok - a plan under Slurm # skip not root'; exit 0; }

dir=$(mktemp -d /tmp/ridgepoint-slurm.XXXXXX)
chmod 755 "$dir"
mkdir "$dir"/{munge,state,spool,work}
chmod 700 "$dir/munge"
daemons=()
finish() {
	scancel --quiet --user=root 2>/dev/null
	sleep 0.5
	kill -9 "${daemons[@]}" 2>/dev/null
	wait 2>/dev/null
	rm -rf "$dir"
}
trap finish EXIT
cd "$dir/work" || exit 1
say() { # STATUS WHAT
	if [ "$1" = 0 ]; then echo "ok - $2"; else
		echo "not ok - $2"
		tail -n 15 log cluster/log/* ../*.log 2>/dev/null
		squeue 2>&1
	fi
}

# --- a cluster of one node, on ports that nobody uses ---

free_port() { # FIRST: one of the 5000 from there on; none that the system gives to connections
	local p
	while p=$(($1 + RANDOM % 5000)); (exec 3<>/dev/tcp/127.0.0.1/$p) 2>/dev/null; do :; done
	echo $p
}
export SLURM_CONF=$dir/slurm.conf
host=$(hostname -s)
configure() {
	cat >"$SLURM_CONF" <<-CONF
		ClusterName=test
		SlurmctldHost=$host(127.0.0.1)
		SlurmctldPort=$(free_port 15000)
		SlurmdPort=$(free_port 20000)
		AuthType=auth/munge
		AuthInfo=socket=$dir/munge/socket,cred_expire=5
		CredType=cred/munge
		SlurmUser=root
		StateSaveLocation=$dir/state
		SlurmdSpoolDir=$dir/spool
		SlurmctldPidFile=$dir/slurmctld.pid
		SlurmdPidFile=$dir/slurmd.pid
		SlurmctldLogFile=$dir/slurmctld.log
		SlurmdLogFile=$dir/slurmd.log
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		JobAcctGatherType=jobacct_gather/none
		AccountingStorageType=accounting_storage/none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_Core
		SchedulerType=sched/builtin
		SchedulerParameters=sched_interval=1,batch_sched_delay=0
		KillWait=1
		ReturnToService=2
		MpiDefault=none
		SlurmdParameters=config_overrides
		NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
		PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP
	CONF
}
start() { # LOG COMMAND...
	"${@:2}" >"$dir/$1.log" 2>&1 &
	daemons+=($!)
}
mungekey --create --keyfile="$dir/munge/key"
start munged munged --foreground --force --key-file="$dir/munge/key" --socket="$dir/munge/socket" \
	--pid-file="$dir/munge/pid" --seed-file="$dir/munge/seed" --log-file="$dir/munge/log"
wait_for() { # SECONDS COMMAND...
	for _ in $(seq $(($1 * 10))); do
		"${@:2}" && return
		sleep 0.1
	done
	return 1
}
wait_for 60 test -S "$dir/munge/socket"
idle() { sinfo --noheader --format=%T 2>/dev/null | grep -q idle; }
settled() { idle || ! kill -0 "$controller_pid" || ! kill -0 "$node_pid"; } 2>/dev/null
for _ in 1 2 3; do # a port may have been taken meanwhile
	configure
	start slurmctld.out slurmctld -D -c -i
	controller_pid=$! controller=$SECONDS
	start slurmd.out slurmd -D -c
	node_pid=$!
	wait_for 120 settled
	idle && break
	kill -9 "$controller_pid" "$node_pid"
done 2>>log
sinfo --noheader --format=%T >log 2>&1 && grep -q idle log
say $? 'a cluster of one node answers'


# --- shards, one of them killed ---

what=('reduce/c_*:n=2^20,cache=hot')
short='50%a $x "short"' # Slurm and shells may not expand any of it
submit() { # PLAN FOLDER OPTION...
	"$root/runner/scripts/slurm/submit.sh" "$@" >>log 2>&1
}
collect() { "$root/runner/scripts/slurm/collect.sh" "$@" >out 2>log; }
launches() { # FOLDER SHARD: how many are in its files
	zcat -f "$1/shards/$2"/*/.*.part "$1/shards/$2"/*/*.jsonl.gz 2>/dev/null | grep -c '"type":"launch"'
}
some() { [ "$(launches "$1" "$2")" -ge "$3" ]; }
no_jobs() { [ -z "$(squeue --noheader 2>&1)" ]; }

"$RUNNER" plan --device cpu --launches 40 --shards 2 --seed 7 --reason 'a test' "${what[@]}" >log 2>&1
say $? 'a plan'
submit plan.json "$short"
say $? 'its shards are submitted'
wait_for 120 some "$short" 2 5 && scancel --signal=KILL --full "$(cat "$short/jobs")_2" >>log 2>&1
say $? 'one is killed'
wait_for 300 no_jobs
# Slurm itself may have requeued it; then this finds nothing to do
submit plan.json "$short" --array=2 && wait_for 300 no_jobs && collect plan.json "$short"
say $? 'started again it measures what is left'
file=$(cat out)
"$RUNNER" verify >log 2>&1 && grep -q ': complete, 2 cases, 80 launches' log
say $? 'the collected file is whole and complete'
zgrep -q '"attempt":1,.*"SLURM_ARRAY_TASK_ID":"2"' "$file"
say $? 'it lists its shards with their attempts and ids'
"$RUNNER" run --device cpu --launches 40 --seed 7 --reason alone --out alone "${what[@]}" >alone.path 2>log
# keys and values that no clock enters: records of both, without order of null controls
shape() {
	node -e '
const keys = (v) => (v && typeof v === "object" && !Array.isArray(v) ? Object.entries(v).map(([k, x]) => k + keys(x)) : "");
const own = ["shards", "plan_sha256", "node"], seen = new Set();
for (const line of require("fs").readFileSync(process.argv[1], "utf8").trim().split("\n")) {
	const r = JSON.parse(line);
	for (const k of own) delete r[k];
	if (r.spent_us) r.spent_us = 0; /* parts that took no time are not in it */
	if (r.role === "null" || /null=/.test(r.case)) continue;
	seen.add([r.type, r.id && r.type === "case" ? r.id : "", r.case, r.i, r.seed, keys(r)].join(" "));
}
console.log([...seen].sort().join("\n"));' "$1"
}
command -v node >/dev/null && { shape <(zcat "$file") >shape.collected; shape <(zcat "$(cat alone.path)") >shape.alone; }
[ -s shape.alone ] && diff shape.alone shape.collected >log
say $? 'it has the records that one machine writes, with the same inputs'
"$RUNNER" collect --out partial plan.json "$short"/shards/1 >out 2>log
[ $? = 1 ] && grep -q 'partial: 20 launches of a shard are not whole' log && zgrep -q '"status":"partial"' "$(cat out)"
say $? 'without the other shard it is partial, and says so'
sed 's/"shards":2/"shards":3/' plan.json >other.json
collect other.json "$short"
[ $? = 1 ] && grep -q 'a shard of another plan' log
say $? 'shards of another plan are refused'

# --- limits: the controller looks at them twice a minute ---

"$RUNNER" plan --device cpu --launches 120 --shards 2 --seed 8 --out long.json "${what[@]}" >log 2>&1
while [ $((SECONDS - controller)) -lt 24 ]; do sleep 0.2; done
# One is warned 55 s before the end of its minute, the other ends now.
submit long.json long --array=1 --time=1 --signal=B:TERM@55 &&
	submit long.json long --array=2 --time=1 --signal=B:CONT@1
say $? 'two tasks with a limit'
wait_for 120 some long 2 4 && scontrol update JobId="$(sed -n 2p long/jobs)" EndTime=now+5 >>log 2>&1
over() { grep -q 'Time limit exhausted' "$dir/slurmctld.log"; }
wait_for 300 over
say $? 'one is at its limit'
restarted() { grep -q '^shard 1, restart 1' long/log/shard-1.log && grep -q '^shard 2, restart 1' long/log/shard-2.log; }
wait_for 300 restarted
say $? 'both are back in the queue, and start again'
wait_for 300 no_jobs
say $? 'and are done'
collect plan.json long
[ $? = 1 ]
say $? 'they are of their own plan'
collect long.json long && "$RUNNER" verify "$(cat out)" >log 2>&1 && grep -q ': complete, 2 cases, 240 launches' log
say $? 'nothing is missing of what they measured'
# A slow machine may end an attempt before its first launch is whole, and warn the next one, too.
[ "$(zgrep -c '"attempt":[1-9]' "$(cat out)")" = 1 ] && [ -n "$(find long/shards -name '*-a0.jsonl.gz')" ]
say $? 'part of it by the first attempts, part by the second'
