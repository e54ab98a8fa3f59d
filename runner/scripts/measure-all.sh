#!/bin/bash
# measure-all.sh - measures everything on a machine, for one that is rented for a while.
# It needs the runner but no checkout; the bundle has it beside the runner.
#
#   measure-all.sh [STEP...]              here and now
#   measure-all.sh start [STEP...]        detached: continues after the terminal closes
#   measure-all.sh fetch SECONDS DIR      waits at most so long, and copies to DIR the
#                                         archives that are new since the last fetch
#
# Steps, in this order if none is named:
#
#   suite       every case, in LAUNCHES processes (default: as `runner run`);
#               suite=FAMILY,FAMILY...: only these families
#   ceilings    what the device can do: in bursts, and in SUSTAINED_LAUNCHES (6) processes
#               under load (sustained and steady), those that the power limit can lower
#   profile     counters, family by family, of cases that have none of the same code, with what
#               libraries chose in the suite;
#               in PROFILES (default data/profiles)
#   selftest    how often the measuring method is wrong
#   sanitizers  check-gpu.sh: correct answers, and the tools of compute-sanitizer
#
# With GPUS=2 or more, these steps take their place. They measure what passes between GPUs:
#
#   gpus-check     correct answers of all cases for so many GPUs, and with more than two of those for three
#   gpus-memcheck  small cases of the ceilings, no families, under compute-sanitizer
#   gpus-ceilings  what passes between the GPUs, in LAUNCHES processes
#   gpus-suite     every case for so many GPUs
#
# WANT=h200 ends it before the first step if the device is another one: a rented machine may
# differ from what was asked for.
#
# Each step works in a folder of its own under WORK (default build/measured) and ends
# as WORK/STEP.tar.gz: run files, logs, exit status. A step has a limit in seconds,
# SUITE_S=900 and so on (SANITIZERS_S: each tool on each family). At the limit it ends
# as on Ctrl-C, with a valid, partial file. RUNNER names the runner, DEVICE the device;
# REASON is recorded.
#
# Exit status: 0 all steps succeeded, 1 some did not; fetch: 3 if some are still running.
set -u
here=$(cd "$(dirname "$0")" && pwd)
runner=${RUNNER:-$here/runner}
[ -f "$runner" ] && [ -x "$runner" ] || runner=${BUILD:-build}/runner
runner=$(realpath "$runner") || exit 1
device=${DEVICE:-cuda}
work=${WORK:-build/measured}
profiles=$(realpath -m "${PROFILES:-data/profiles}")
gpus=${GPUS:-1}
steps=(suite ceilings profile selftest sanitizers)
several=(gpus-check gpus-memcheck gpus-ceilings gpus-suite)
say() { echo "$(date -u +%H:%M:%S) $*"; }

# within SECONDS COMMAND...: interrupts the command after that time, as Ctrl-C does, and kills it if
# it does not end: closing a file takes a second, on a busy machine many
within() { timeout -s INT -k 600 "$@"; }

suite() { # [FAMILIES]
	local only
	IFS=, read -ra only <<<"${1:-}"
	within "${SUITE_S:-900}" "$runner" run --device "$device" ${LAUNCHES:+--launches "$LAUNCHES"} --out runs \
		--reason "${REASON:-the whole suite}" "${only[@]}"
}

# Under load a case takes seconds and hardly scatters, so fewer processes measure only the ceilings
# that power can lower, into a file of their own.
ceilings() {
	local end=$((SECONDS + ${CEILINGS_S:-420}))
	within $((end - SECONDS)) "$runner" ceilings --device "$device" --out runs --reason "${REASON:-ceilings}" \
		${LAUNCHES:+--launches "$LAUNCHES"} '*:load=burst' || return
	[ $SECONDS -lt $end ] || { echo 'no time for ceilings under load'; return 1; }
	within $((end - SECONDS)) "$runner" ceilings --device "$device" --out runs --reason "${REASON:-ceilings}" \
		--launches "${SUSTAINED_LAUNCHES:-6}" 'ceiling-wgmma*:load={sustained,steady}' 'ceiling-fma:k=2048,load=sustained'
}

# One file per family, so that when time is up all but the last are complete.
profile() {
	local family like end=$((SECONDS + ${PROFILE_S:-600})) rc=0
	like=$(find runs -name '*.jsonl.gz' 2>/dev/null | sort | head -n 1) # the suite comes first
	for family in $("$runner" list --names); do # with cases for one GPU
		[ $SECONDS -lt $end ] || { echo "no time for $family and what follows"; return 1; }
		within $((end - SECONDS)) "$runner" profile --device "$device" --missing "$profiles" --out profiles \
			${like:+--like "$like"} --reason "${REASON:-counters}" "$family" || rc=1
	done
	return $rc
}

selftest() { within "${SELFTEST_S:-300}" "$runner" selftest --device "$device" --out runs; }

sanitizers() {
	local log=logs
	DEVICE=$device LOGS=$log LIMIT=${SANITIZERS_S:-300} "$here/check-gpu.sh" "$runner"
}

# NVLink multicast stays off in all libraries; the runner refuses several GPUs otherwise.
export NCCL_NVLS_ENABLE=0 TORCH_SYMM_MEM_DISABLE_MULTICAST=1 NVSHMEM_DISABLE_NVLS=1

gpus-check() {
	local of rc=0
	for of in '' --ceilings; do # families, then ceilings
		within "${GPUS_CHECK_S:-150}" "$runner" check --device "$device" --gpus "$gpus" $of --verbose || rc=1
	done
	# cases for three are checked only, so no suite has them
	[ "$gpus" -lt 3 ] || within "${GPUS_CHECK_S:-150}" "$runner" check --device "$device" --gpus 3 --verbose $("$runner" list --gpus 3 --names) || rc=1
	return $rc
}

gpus-memcheck() {
	command -v compute-sanitizer >/dev/null || { echo 'no compute-sanitizer on PATH'; return 2; }
	timeout -k 10 "${GPUS_MEMCHECK_S:-60}" compute-sanitizer --tool memcheck --target-processes all --error-exitcode 9 \
		"$runner" check --device "$device" --gpus "$gpus" --ceilings --small --calls 2 --verbose
}

gpus-ceilings() {
	within "${GPUS_CEILINGS_S:-100}" "$runner" ceilings --device "$device" --gpus "$gpus" --out runs \
		--reason "${REASON:-between GPUs}" ${LAUNCHES:+--launches "$LAUNCHES"}
}

gpus-suite() {
	within "${GPUS_SUITE_S:-400}" "$runner" run --device "$device" --gpus "$gpus" --out runs \
		${REASON:+--reason "$REASON"} ${LAUNCHES:+--launches "$LAUNCHES"}
}

# True if the machine has the device that WANT names, and GPUS of it.
wanted() {
	local have
	have=$("$runner" list --gpus "$gpus" 2>&1) || { tail -n 1 <<<"$have" >&2; return 1; }
	have=$(sed -nE "s/^$device +.*\(([a-z0-9-]+)\)\$/\1/p" <<<"$have" | head -n 1)
	[ -z "${WANT:-}" ] || [ "$have" = "$WANT" ] || { echo "measure-all: WANT=$WANT, but the device is ${have:-unknown}" >&2; return 1; }
}

# Runs one step in its folder, and archives it.
step() {
	local name=${1%%=*} chosen='' dir=$work/${1//[=,]/-} start=$SECONDS rc
	[ "$name" = "$1" ] || chosen=${1#*=}
	rm -rf "$dir" "$dir.tar.gz"
	mkdir -p "$dir" || return 1
	(cd "$dir" && "$name" ${chosen:+"$chosen"} >log 2>&1)
	rc=$?
	echo "$rc" >"$dir/status"
	tar -C "$work" -czf "$dir.tar.gz.new" "$(basename "$dir")" && mv "$dir.tar.gz.new" "$dir.tar.gz"
	say "$1: exit status $rc after $((SECONDS - start)) s; $dir.tar.gz"
	tail -n 3 "$dir/log" | sed 's/^/    /'
	return $rc
}

known() { [[ " ${steps[*]} ${several[*]} " = *" ${1%%=*} "* ]]; }

all() {
	local rc=0 name
	for name in "$@"; do step "$name" || rc=1; done
	echo $rc >"$work/over"
	return $rc
}

fetch() { # SECONDS DIR
	local end=$((SECONDS + $1)) archive name
	mkdir -p "$2" || return 2
	while [ ! -f "$work/over" ] && [ $SECONDS -lt $end ]; do sleep 1; done
	for archive in "$work"/*.tar.gz; do
		name=$(basename "$archive")
		[ -f "$archive" ] || continue
		[ "$work/fetched/$name" -nt "$archive" ] && continue
		mkdir -p "$work/fetched" && cp "$archive" "$2/" && touch "$work/fetched/$name" && echo "$2/$name"
	done
	[ ! -f "$work/log" ] || cp "$work/log" "$2/"
	[ -f "$work/over" ] || { echo 'measure-all: not over yet'; return 3; }
	return "$(cat "$work/over")"
}

case ${1:-} in
fetch)
	[ $# = 3 ] || { echo 'usage: measure-all.sh fetch SECONDS DIR' >&2; exit 2; }
	fetch "$2" "$3"
	exit
	;;
start) detached=1; shift ;;
esac
[ "$gpus" = 1 ] || steps=("${several[@]}")
[ $# -gt 0 ] || set -- "${steps[@]}"
for name in "$@"; do
	known "$name" || { echo "measure-all: no step '$name'; there are: ${steps[*]}" >&2; exit 2; }
done
[ "$gpus${WANT:-}" = 1 ] || wanted || exit 1
mkdir -p "$work" || exit 1
work=$(realpath "$work")
rm -rf "$work/over" "$work/fetched"
if [ -n "${detached:-}" ]; then
	RUNNER=$runner WORK=$work PROFILES=$profiles setsid nohup "$here/$(basename "$0")" "$@" >"$work/log" 2>&1 </dev/null &
	echo "measure-all: started; $work/log"
	exit 0
fi
all "$@"
