#!/bin/bash
# The whole GPU path of the runner, on pretended GPUs of two shapes (runner/machine/pretend.h).
# Every family is checked, measured, profiled, sharded, resumed and reproduced; faults are found;
# and no site accepts any of it. Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
runner=$(realpath "${BUILD:-build}/runner")
dir=$(mktemp -d)
cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
say() { # STATUS WHAT
	if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; tail -n 20 log; fi
}
newest() { find "$1" -name '*.jsonl.gz' | sort | tail -n 1; }
# launched FILE: the case and the status of each launch
launched() {
	zcat "$1" | awk -F'"' '/^{"type":"case"/ { id[n++] = $8 }
		/^{"type":"launch"/ { at = index($0, "\"status\":\""); split(substr($0, at + 10), status, "\""); print id[substr($7, 2) + 0], status[1] }'
}
# One shape has all families with cases for one GPU; the other those of which it lacks the memory
# for some, and one of host and graph.
families() {
	if [ "$shape" = 84 ]; then printf '%s\n' grouped launch reduce scan stream; else "$runner" list --names; fi
}

# A pretended profiler: runs the given program, and reports one kernel.
mkdir bin
cat >bin/ncu <<FAKE
#!/bin/bash
[ "\$1" != --version ] || { echo 'NVIDIA Nsight Compute, Version 2026.1.0.0 (build 1)'; exit; }
while [ "\$1" != --log-file ]; do shift; done
log=\$2
shift 2
"\$@" && cp "$root/tests/fixtures/ncu-synthetic.csv" "\$log"
FAKE
chmod +x bin/ncu
PATH=$dir/bin:$PATH

for shape in 132 84; do
	export RIDGEPOINT_PRETEND=$shape
	gpu="a pretended GPU of $shape"
	"$runner" list >log 2>&1 && grep -q "^cuda  a pretended GPU with $shape multiprocessors (pretended-$shape)" log &&
		! grep -q 'not built here\|no GPU' log
	say $? "$gpu: every variant can be called"
	chosen=()
	[ "$shape" = 132 ] || mapfile -t chosen < <(families)
	"$runner" check --seed 3 "${chosen[@]}" >log 2>&1 && grep -q '^[0-9]* passed, 0 failed' log
	say $? "$gpu: every variant of its families is right at every case"
	[ "$(grep -c 'needs .* of memory' log)" -gt 0 ] && few=1 || few=0
	[ $few = $((shape == 84)) ] && ! grep '^unavailable' log | grep -vq 'needs .* of memory'
	say $? "$gpu: what is too large for it is left out, and nothing else"
	"$runner" check --ceilings >log 2>&1 && grep -q '^[0-9]* passed, 0 failed' log
	say $? "$gpu: so are the ceilings"
	"$runner" check --ceilings --small >log 2>&1 && grep -q '^[0-9]* passed, 0 failed' log
	say $? "$gpu: and their small cases, some of which two ceilings share"
	"$runner" run --launches 2 --seed 3 --out runs "${chosen[@]}" >path 2>log && "$runner" verify "$(tail -n 1 path)" >log 2>&1 &&
		grep -q ': pretended, complete, ' log
	say $? "$gpu: all of it is measured"
	file=$(tail -n 1 path)
	zcat "$file" | head -n 1 | grep -q "\"schema\":\"ridgepoint-pretended/.*\"device\":\"pretended-$shape\".*\"sms\":$shape,"
	say $? "$gpu: the record says what it is of"
	zcat "$file" >lines
	launched "$file" >launches
	for family in $(families); do grep -q "^$family/.* ok$" launches || echo "$family"; done >missing
	[ ! -s missing ] && ! grep -vq ' ok$' launches
	say $? "$gpu: every family has launches, and all are good"
	grep -q '"timer":"host"' lines && grep -q '"timer":"graph".*"sm_cycles":' lines && grep -q '"timer":"events"' lines
	say $? "$gpu: in streams, in graphs, by the host alone"
	"$runner" show "$file" >log 2>&1 && grep -q '^null controls: [1-9]' log
	say $? "$gpu: show summarises it"
	# as kill -9 leaves it: without its end, and without some of its second launch
	part=cut/pretended-$shape/.$(basename "$file" .jsonl.gz).part
	mkdir -p "$(dirname "$part")" && head -n -20 lines >"$part" && "$runner" resume "$part" >path 2>log &&
		"$runner" verify "$(cat path)" >log 2>&1 && grep -q ': pretended, complete' log
	say $? "$gpu: an interrupted run is continued"
	"$runner" reproduce "$file" 'reduce/*:n=2^28' --launches 3 --band 10 --out again >log 2>&1 && grep -q ' EQUIVALENT' log
	say $? "$gpu: a record is measured again"
	"$runner" run --dry-run >log 2>&1 && grep -q '10 launches' log
	say $? "$gpu: a dry run prints the plan"
	rm -f plan.json
	{ "$runner" plan --launches 4 --shards 2 --seed 7 'scan' 'launch' &&
		"$runner" run --plan plan.json --shard 1 --out shards && "$runner" run --plan plan.json --shard 2 --out shards &&
		"$runner" collect --out collected plan.json shards >path; } >log 2>&1 && "$runner" verify "$(cat path)" >log 2>&1
	say $? "$gpu: a plan in shards is collected"
	"$runner" compare --launches 4 reduce/tree:n=2^28,cache=cold reduce/vector >log 2>&1
	[ $? -le 2 ] && grep -qE 'faster|slower|equivalent|undecided' log
	say $? "$gpu: two variants are compared"
	rm -rf shards collected
	"$runner" run --launches 4 --steady --sustained --out loads 'gemv/roof' 'gemv/cublas:layer=lm_head' >path 2>log && zcat "$(cat path)" >lines &&
		[ "$(grep -c '"stop":"window"' lines)" -gt 4 ] && grep -q '"id":"gemv/roof:.*load=steady,null=1,' lines &&
		awk -F'[:,]' '/load=steady/ && /"type":"case"/ { s[n] = 1 } /"type":"case"/ { n++ }
			/"type":"launch"/ { if ($6 != i) seen = 0; i = $6; if (s[$4]) seen = 1; else if (seen) exit 1 }' lines
	say $? "$gpu: with load=steady after the others, in blocks, with a control of their own"
	head -n -4 lines >"cut/pretended-$shape/.$(basename "$(cat path)" .jsonl.gz).part" && rm "$(cat path)" && "$runner" resume cut >path 2>log &&
		"$runner" verify "$(tail -n 1 path)" >log 2>&1 && grep -q ': pretended, complete' log
	say $? "$gpu: an interruption within a block is continued"
	"$runner" reproduce "$(tail -n 1 path)" 'gemv/roof:load=steady' --launches 6 --band 10 --out again >log 2>&1 && grep -q ' EQUIVALENT' log
	say $? "$gpu: a case with load=steady is measured again"
	"$runner" compare --launches 2 --out versus 'gemv/vector:layer=wide,load=steady' gemv/row:load=steady >log 2>&1
	[ $? -le 2 ] && zcat versus/*/*.jsonl.gz | grep '"type":"launch"' | sed 's/.*"pid":\([0-9]*\).*/\1/' | sort | uniq -c | grep -vq ' 3 '
	[ $? = 1 ] && grep -qE 'faster|slower|equivalent|undecided' log
	say $? "$gpu: two variants and their control are compared in one block of one process"
	rm -rf loads versus plan.json
	{ "$runner" plan --launches 2 --shards 2 --seed 7 'gemv/roof:load={burst,steady}' && "$runner" run --plan plan.json --shard 1 --out shards &&
		"$runner" run --plan plan.json --shard 2 --out shards && "$runner" collect --out collected plan.json shards >path; } >log 2>&1 &&
		"$runner" verify "$(cat path)" >log 2>&1 && "$runner" show "$(cat path)" | grep -q '^null controls: [12]'
	say $? "$gpu: a plan in shards has both"
	rm -rf shards collected
done
export RIDGEPOINT_PRETEND=132
# forty processes, for its noise is drawn anew: with five, one run in twenty exceeds 0.2 % by chance
LAUNCHES=40 OUT=accepted "$root/runner/scripts/accept-regimes.sh" "$runner" >log 2>&1 && [ "$(grep -c '^ok ' log)" = 7 ]
say $? 'accept-regimes.sh accepts a card that keeps its limit'
"$root/runner/scripts/accept-regimes.sh" accepted/*/*.jsonl.gz >log 2>&1 && [ "$(grep -c '^ok ' log)" = 7 ]
say $? 'and judges a file that is there'
slower() { zcat accepted/*/*.jsonl.gz | sed '/"stop":"window"/s/"batch":1,/"batch":2,/' | gzip >twice.jsonl.gz; }
slower && "$root/runner/scripts/accept-regimes.sh" twice.jsonl.gz >log 2>&1
[ $? = 1 ] && grep -qE '^NOT OK  -(49|50)(\.[0-9]+)? %, at most 0\.3 %: steady over sustained, time of gemv/roof' log
say $? 'another time under load is not accepted'

# --- all steps of measure-all.sh ---

# a busy machine may take its time
shape=132
SUITE_S=9000 CEILINGS_S=9000 PROFILE_S=9000 SELFTEST_S=9000 WORK=$dir/work LAUNCHES=2 SUSTAINED_LAUNCHES=2 RUNNER=$runner "$root/runner/scripts/measure-all.sh" suite ceilings profile selftest >log 2>&1
say $? "$shape: measure-all.sh does its steps"
tar -xzf work/ceilings.tar.gz && "$runner" verify ceilings/runs/*/*.jsonl.gz >log 2>&1 && [ "$(wc -l <log)" = 3 ] &&
	zgrep -q load=sustained ceilings/runs/*/*.jsonl.gz
say $? "$shape: ceilings in bursts and under load"
tar -xzf work/profile.tar.gz && [ "$(find profile/profiles -name '*.jsonl.gz' | wc -l)" = "$(families | wc -l)" ] &&
	! zcat profile/profiles/*/*.jsonl.gz | grep '"type":"counters"' | grep -q unavailable
say $? "$shape: counters of every case of every family"
tar -xzf work/selftest.tar.gz && grep -qE '^  2\.0 % .* 100\.0 %' selftest/log
say $? "$shape: a planted difference is found by the selftest"
rm -rf work ceilings profile selftest
LIMIT=9000 FAMILIES=launch LOGS=logs "$root/runner/scripts/check-gpu.sh" "$runner" >log 2>&1
[ $? -le 2 ] && grep -q '^0 of ' log
say $? 'check-gpu.sh finds all right'

# --- several GPUs ---

export RIDGEPOINT_PRETEND=132x2
unset NCCL_NVLS_ENABLE # as on a machine that has not been told
"$runner" check --gpus 2 --ceilings >log 2>&1
[ $? = 1 ] && grep -q 'NVLink multicast must be off, but the environment lacks NCCL_NVLS_ENABLE=0' log
say $? 'several GPUs need an environment without NVLink multicast'
WANT=pretended-132 GPUS=2 LAUNCHES=2 WORK=$dir/work RUNNER=$runner "$root/runner/scripts/measure-all.sh" gpus-check gpus-ceilings >log 2>&1
say $? 'measure-all.sh measures what passes between two'
tar -xzf work/gpus-ceilings.tar.gz && file=$(newest gpus-ceilings) && "$runner" verify "$file" >log 2>&1 &&
	launched "$file" >launches && [ "$(wc -l <launches)" -gt 90 ] && ! grep -vq ' ok$' launches
say $? 'all of it is right and recorded'
zcat "$file" >lines
head -n 1 lines | grep -q '"key":"pretended-132-x2/.*"gpus":\[{"uuid":"GPU-pretended-0"},{.*"topology":\[{"from":0,"to":1,"nvlink_lanes":18,.*"NVSHMEM_DISABLE_NVLS":"1"' &&
	[ "$(grep -c '"type":"launch".*"skew_ns":\[0,[1-9]' lines)" = "$(wc -l <launches)" ]
say $? 'the record names both cards, what joins them, the environment and the skew'
"$runner" show "$file" >log 2>&1 && grep -q '^GPUs: 2, each pair joined by 18 NVLink lanes$' log
say $? 'show says so'
for name in NCCL_NVLS_ENABLE=0 TORCH_SYMM_MEM_DISABLE_MULTICAST=1 NVSHMEM_DISABLE_NVLS=1; do export "${name?}"; done
"$runner" list --gpus 2 --names >between
"$runner" run --gpus 2 --launches 1 --out suite >path 2>log && launched "$(tail -n 1 path)" >launches &&
	grep -qx allreduce between && ! grep -qx reduce between && ! grep -v ' ok$' launches | tee -a log | grep -q . &&
	[ "$(sed -n 's,/.*gpus=2\,.* ok$,,p' launches | sort -u)" = "$(sort between)" ]
say $? 'the suite of two has the families between GPUs, and nothing else'
part=cut/pretended-132/.$(basename "$file" .jsonl.gz).part
mkdir -p cut/pretended-132 && head -n -20 lines >"$part" && RIDGEPOINT_PRETEND=132 "$runner" resume "$part" >log 2>&1
[ $? = 1 ] && grep -q -e '--gpus 2: this machine has 1' log
say $? 'an interrupted run needs as many GPUs again'
"$runner" resume "$part" >path 2>log && "$runner" verify "$(cat path)" >log 2>&1 && grep -q ': pretended, complete' log
say $? 'and is continued with them'
RIDGEPOINT_PRETEND=132+84 "$runner" check --gpus 2 --ceilings >log 2>&1
[ $? = 1 ] && grep -q 'they must be of one kind' log
say $? 'two that differ are refused'
RIDGEPOINT_PRETEND=132x2:silent@ceiling-flag/here "$runner" ceilings --gpus 2 --launches 1 --out several 'ceiling-flag' >log 2>&1
[ $? = 1 ] && launched "$(newest several)" | grep -q '^ceiling-flag/there:.* ok$' &&
	grep -q 'ceiling-flag/here:.*cuda:719' log
say $? 'a GPU that never answers costs its case alone'
RIDGEPOINT_PRETEND=132x2:apart@overlap/sequential "$runner" check --gpus 2 --small overlap/sequential:layer=down >log 2>&1 &&
	grep -q '^[1-9][0-9]* passed, 0 failed' log
say $? 'GPUs with shares of their own may differ, where every sum is NaN, too'
WANT=h200 GPUS=2 WORK=$dir/work2 RUNNER=$runner "$root/runner/scripts/measure-all.sh" >log 2>&1
[ $? = 1 ] && grep -q 'WANT=h200, but the device is pretended-132' log && [ ! -e work2 ]
say $? 'measure-all.sh measures nothing on another device than was wanted'
rm -rf work gpus-check gpus-ceilings cut several suite

# --- what goes wrong is found: tests/unit/runner/machine/test_pretend.c has every fault ---

RIDGEPOINT_PRETEND=132:wrong@reduce/tree "$runner" check --small reduce >log 2>&1
[ $? = 1 ] && grep -q '^wrong *reduce/tree:.*first call: error' log && ! grep -q '^wrong *reduce/[^t]' log
say $? 'a wrong answer fails the check, and names its variant'
RIDGEPOINT_PRETEND=132:wrong@reduce/tree "$runner" run --launches 2 --out wrong 'reduce:n=2^20' >log 2>&1
[ $? = 1 ] && launched "$(newest wrong)" | grep -q '^reduce/tree:.* wrong$'
say $? 'and is recorded as wrong'
RIDGEPOINT_PRETEND=132:crash@reduce/tree "$runner" check --small reduce >log 2>&1
[ $? = 1 ] && grep -q '^signal:6 *reduce/tree:' log && grep -q '^[1-9][0-9]* passed' log
say $? 'a crash costs its variant alone'
RIDGEPOINT_PRETEND=200 "$runner" run --out wrong reduce >log 2>&1
[ $? = 1 ] && grep -q "RIDGEPOINT_PRETEND '200': expected 132 or 84" log
say $? 'an unknown shape is refused, and nothing else measured in its place'

# --- nothing of it gets into a site ---

site=$dir/site gen=$(realpath -m "${root}/${BUILD:-build}/site-gen")
[ -x "$gen" ] || gen=$(realpath "${BUILD:-build}/site-gen")
cp -r "$root/tests/golden/whole-site/site" "$site"
cp -r "$root/tests/golden/look/templates" "$root/tests/golden/look/static" "$site/"
(cd "$site" && git init -q -b main && git add -A && git -c user.name=E2E -c user.email=e2e@example.org commit -q -m 'a site') >log 2>&1
(cd "$site" && "$runner" run --launches 1 reduce) >log 2>&1
[ $? = 1 ] && grep -q 'data/runs: a pretended device records nothing under data/' log
say $? 'the runner does not write it into data/runs'
record=$(newest runs)
mkdir -p "$site/data/runs/pretended-84" && cp "$dir/$record" "$site/data/runs/pretended-84/"
(cd "$site" && "$runner" verify --add "data/runs/pretended-84/$(basename "$record")") >log 2>&1
[ $? = 1 ] && grep -q 'of a pretended device: such a file is no record' log && ! grep -q pretended "$site/data/runs/MANIFEST" 2>/dev/null
say $? 'verify --add does not list it'
refused() { # COMMAND...: the reason is told with the file
	"$gen" "$@" --root "$site" >log 2>&1
	[ $? != 0 ] && grep -q 'data/runs/pretended-84/.*is of a pretended device .*\[whole\]' log
}
refused build
say $? 'no site is built'
refused check && refused deploy "$dir/www" && [ ! -e "$dir/www" ] && refused audit "$dir"
say $? 'checked, deployed or audited with it'
