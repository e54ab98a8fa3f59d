#!/bin/bash
# check-gpu.sh [RUNNER] - every CUDA variant is right, and clean under the four
# tools of compute-sanitizer. Needs the runner and the tools, no checkout: it is
# in the bundle beside the runner.
#
# Each tool runs on each family in a process of its own, JOBS of them at a time
# (default: one per core), on the small cases of all variants. Libraries that
# are found when the runner runs (PyTorch, Triton, cuBLAS) are checked for right
# answers only: their kernels are not ours to mend, and under these tools their
# start alone takes minutes. CUB is compiled in and looked at like our own.
#
#   JOBS=8 TOOLS='memcheck racecheck' FAMILIES='softmax norm:op=rmsnorm' LOGS=logs runner/check-gpu.sh build/runner
#
# LOGS (default build/check-gpu) gets a log for each; LIMIT (default 280) is how
# many seconds one may take. At the end all failures are told, each with its
# tool, family, variant and the first lines of the report. Exit status: 0 all
# clean, 1 not, 2 no compute-sanitizer.
set -u
here=$(dirname "$0")
runner=${1:-$here/runner}
[ -x "$runner" ] || runner=${BUILD:-build}/runner
device=${DEVICE:-cuda}
jobs=${JOBS:-$(nproc)}
logs=${LOGS:-build/check-gpu}
limit=${LIMIT:-280}
tools=${TOOLS:-racecheck memcheck initcheck synccheck}
chosen=${FAMILIES:-}
families=${chosen:-$("$runner" list | sed -nE 's/^([a-z][a-z0-9_-]*): .*/\1/p')}
[ -n "$families" ] || { echo "check-gpu: $runner lists no family" >&2; exit 1; }
rm -rf "$logs"
mkdir -p "$logs" || exit 1
export runner device chosen logs limit

# What is done: TOOL FAMILY, the longest first. "right" is no tool.
tasks() {
	echo 'right all'
	[ -n "$chosen" ] || echo 'right ceilings'
	command -v compute-sanitizer >/dev/null || return
	for tool in $tools; do
		for family in $families; do echo "$tool $family"; done
	done
}

one() {
	local only log=$logs/$1-$2.log start=$SECONDS cmd=("$runner" check --device "$device")
	case $1-$2 in
	right-all) read -ra only <<<"$chosen"; cmd+=("${only[@]}") ;;
	right-ceilings) cmd+=(--ceilings) ;;
	*) cmd=(compute-sanitizer --tool "$1" --target-processes all --error-exitcode 9
		"${cmd[@]}" --small --built-in --verbose --timeout "$limit" "$2") ;;
	esac
	timeout -k 10 "$limit" "${cmd[@]}" >"$log" 2>&1
	local rc=$?
	[ $rc = 124 ] && echo "check-gpu: longer than $limit s" >>"$log"
	echo $rc >"$log.rc"
	printf '%-8s %-9s %-12s %d s\n' "$([ $rc = 0 ] && echo ok || echo FAILED)" "$1" "$2" $((SECONDS - start))
}
export -f one

# The first report of a tool, the case that was under way (its line comes when it is over), what the runner refused.
tell() {
	echo "== $1 on $2: exit status $(cat "$logs/$1-$2.log.rc"), $logs/$1-$2.log"
	awk '
		/^========= (COMPUTE-SANITIZER|ERROR SUMMARY|RACECHECK SUMMARY|Target application)/ { next }
		/^=========/ { if (shown < 12) { print "   " $0; shown++ } waiting = shown && !named; next }
		/^(ok|wrong|unavailable|timeout|signal|exit|cuda|skipped)[^ ]* +[a-z]/ {
			if (waiting) { print "   in " $2; named = 1; waiting = 0 }
			if ($1 != "ok" && $1 != "unavailable" && refused++ < 12) print "   " $0
			next
		}
		/^(check-gpu|runner): / { print "   " $0 }' "$logs/$1-$2.log"
}

tasks | xargs -P "$jobs" -L 1 bash -c 'one "$1" "$2"' check-gpu
failed=0
while read -r tool family; do
	[ "$(cat "$logs/$tool-$family.log.rc" 2>/dev/null)" = 0 ] && continue
	tell "$tool" "$family"
	failed=$((failed + 1))
done < <(tasks)
grep -h '^[0-9]* passed' "$logs"/right-*.log
echo "$failed of $(tasks | wc -l) failed"
[ $failed = 0 ] || exit 1
command -v compute-sanitizer >/dev/null || { echo 'check-gpu: no compute-sanitizer on PATH' >&2; exit 2; }
