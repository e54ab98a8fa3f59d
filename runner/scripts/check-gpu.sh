#!/bin/bash
# check-gpu.sh [RUNNER] - checks that every CUDA variant is correct, and clean under
# the four tools of compute-sanitizer. It needs the runner and the tools but no
# checkout; the bundle has it beside the runner.
#
# Each tool runs on each family in a process of its own, JOBS of them at a time
# (default: one per core). racecheck, the slowest, runs on each variant separately.
# Under a tool each case is called twice, and cases with more than LARGEST MiB
# (default 25) are left out: smaller ones already have full and ragged tiles, and more
# blocks than are resident. `extra` lists larger cases that reach something more.
# Libraries that are loaded at run time (PyTorch, Triton, cuBLAS) are only checked for
# correct answers: we cannot fix their kernels, and under these tools they take minutes
# to start. CUB is compiled in, so it is examined like our own code.
#
#   JOBS=8 TOOLS='memcheck racecheck' FAMILIES='softmax norm:op=rmsnorm' LOGS=logs runner/scripts/check-gpu.sh build/runner
#
# Each process writes a log to LOGS (default build/check-gpu) and may take LIMIT seconds
# (default 280). Reports that check-gpu.known explains are no failures; they are printed
# with the reason. If a signal ends a process before any report, the process runs once
# more, since the tools sometimes crash. At the end, all failures are printed, each with
# its tool, family, variant and the first lines of the report. Exit status: 0 all clean,
# 1 some failure, 2 no compute-sanitizer.
set -u
here=$(dirname "$0")
runner=${1:-$here/runner}
[ -x "$runner" ] || runner=${BUILD:-build}/runner
known=${KNOWN:-$here/check-gpu.known}
device=${DEVICE:-cuda}
jobs=${JOBS:-$(nproc)}
logs=${LOGS:-build/check-gpu}
limit=${LIMIT:-280}
largest=${LARGEST:-25}
tools=${TOOLS:-racecheck memcheck initcheck synccheck}
chosen=${FAMILIES:-}
# Families that need several GPUs are left out (measure-all.sh with GPUS=2).
families=${chosen:-$("$runner" list --names)}
[ -n "$families" ] || { echo "check-gpu: $runner lists no family" >&2; exit 1; }
rm -rf "$logs"
mkdir -p "$logs" || exit 1
export runner device chosen logs limit largest known

# A 16-bit counter overflows only if a block counts one key more than 65535 times.
extra='histogram:n=16777259'

# FAMILY/VARIANT of all their variants that run on the device.
variants() {
	awk -v device="$device" '/^[a-z][a-z0-9_-]*: / { sub(":", "", $1); family = $1; next }
		family && /^  [a-z]/ && $2 == device { print family "/" $1 }' < <("$runner" list $families)
}

# The jobs, longest first: TOOL WHAT. The tool "right" means the runner alone.
tasks() {
	local tool what
	echo 'right all'
	[ -n "$chosen" ] || echo 'right ceilings'
	command -v compute-sanitizer >/dev/null || return
	for tool in $tools; do
		[ "$tool$chosen" = racecheck ] && echo "$tool $extra"
		for what in $([ "$tool$chosen" = racecheck ] && variants || echo "$families"); do echo "$tool $what"; done
	done
}

log_of() { echo "$logs/$1-${2//\//.}.log"; }

# The reports in a log: "known N: WHY" for those in the table, "unknown N" for the others.
reports() { # TOOL LOG
	awk -v tool="$1" '
		function judge(id,  i, k, ok) {
			for (i = 1; i <= n; i++) {
				for (k = 1; k <= rows; k++) {
					ok = id ~ case_of[k] && told[i] > 0
					for (a = 1; a <= told[i]; a++) ok = ok && at[i, a] ~ functions[k]
					if (ok) break
				}
				if (k <= rows) hits[k]++; else unknown++
			}
			n = 0
		}
		FNR == NR {
			if ($1 != tool) next
			case_of[++rows] = $2; functions[rows] = $3
			why[rows] = $0; sub(/^[^ ]+ +[^ ]+ +[^ ]+ +/, "", why[rows])
			next
		}
		/^========= (COMPUTE-SANITIZER|ERROR SUMMARY|RACECHECK SUMMARY|Target application)/ { next }
		/^========= [A-Z]/ { told[++n] = 0 } # a new report; its other lines are indented
		/^=========.* access at / { s = $0; sub(/^.* access at /, "", s); at[n, ++told[n]] = s }
		/^(ok|wrong|unavailable|timeout|signal|exit|cuda|skipped)[^ ]* +[a-z]/ { judge($2) }
		END {
			judge("")
			for (k = 1; k <= rows; k++) if (hits[k]) print "known " hits[k] ": " why[k]
			if (unknown) print "unknown " unknown
		}' "$known" "$2"
}

# Succeeds if all reports are known: the runner passed everything, and each report is in the table.
excused() { # TOOL LOG
	local found
	grep -q '^[0-9]* passed, 0 failed' "$2" || return
	found=$(reports "$1" "$2")
	[[ $found == known* && $found != *unknown* ]] && echo "$found" >"$2.known"
}

one() {
	local only log rc again='' word start=$SECONDS cmd=("$runner" check --device "$device") small=(--small --calls 2)
	log=$(log_of "$1" "$2")
	[ "$2" = "$extra" ] || small+=(--largest "$largest")
	case $1-$2 in
	right-all) read -ra only <<<"$chosen"; cmd+=("${only[@]}") ;;
	right-ceilings) cmd+=(--ceilings) ;;
	*) cmd=(compute-sanitizer --tool "$1" --target-processes all --error-exitcode 9 --print-limit 100000
		"${cmd[@]}" "${small[@]}" --built-in --verbose --timeout "$limit" "$2") ;;
	esac
	timeout -k 10 "$limit" "${cmd[@]}" >"$log" 2>&1
	rc=$?
	if [ $rc -gt 128 ] && [ $rc != 137 ] && ! grep -qE '^========= [^C]' "$log"; then
		again=", again: the first ended by signal $((rc - 128))"
		timeout -k 10 "$limit" "${cmd[@]}" >"$log" 2>&1
		rc=$?
	fi
	[ $rc = 124 ] && echo "check-gpu: longer than $limit s" >>"$log"
	word=FAILED
	[ $rc = 0 ] && word=ok
	[ $rc = 9 ] && excused "$1" "$log" && word=known && rc=0
	echo $rc >"$log.rc"
	printf '%-8s %-9s %-12s %d s%s\n' $word "$1" "$2" $((SECONDS - start)) "$again"
	[ $word != known ] || sed 's/^/         /' "$log.known"
}
export extra
export -f one log_of reports excused

# Prints a tool's first report, the case under way (its line follows the report), and the runner's
# own failures.
tell() {
	local log
	log=$(log_of "$1" "$2")
	echo "== $1 on $2: exit status $(cat "$log.rc"), $log"
	awk '
		/^========= (COMPUTE-SANITIZER|ERROR SUMMARY|RACECHECK SUMMARY|Target application)/ { next }
		/^=========/ { if (shown < 12) { print "   " $0; shown++ } waiting = shown && !named; next }
		/^(ok|wrong|unavailable|timeout|signal|exit|cuda|skipped)[^ ]* +[a-z]/ {
			if (waiting) { print "   in " $2; named = 1; waiting = 0 }
			if ($1 != "ok" && $1 != "unavailable" && refused++ < 12) print "   " $0
			next
		}
		/^(check-gpu|runner): / { print "   " $0 }' "$log"
	reports "$1" "$log" | sed 's/^/   reports /'
}

tasks | xargs -P "$jobs" -L 1 bash -c 'one "$1" "$2"' check-gpu
failed=0
while read -r tool what; do
	log=$(log_of "$tool" "$what")
	[ "$(cat "$log.rc" 2>/dev/null)" = 0 ] && continue
	tell "$tool" "$what"
	failed=$((failed + 1))
done < <(tasks)
grep -h '^[0-9]* passed' "$logs"/right-*.log
echo "$failed of $(tasks | wc -l) failed, $(find "$logs" -name '*.known' | wc -l) had known reports only"
[ $failed = 0 ] || exit 1
command -v compute-sanitizer >/dev/null || { echo 'check-gpu: no compute-sanitizer on PATH' >&2; exit 2; }
