#!/bin/bash
# check-jitter.sh RUNNER JITTERED [SELECTOR...] - checks that no result depends on chance.
#
# JITTERED is a runner that was made with JITTER=1: its kernels wait for a random time at every
# barrier and bulk copy of kernels/ptx.cuh. A kernel that forgets to wait for data is right as long
# as the data happen to come in time, and no tool sees races of the TMA. Both programs check every
# variant on the same inputs, ROUNDS times each (default 2). The bits of a case must be the same in
# all rounds of both. Cases whose bits differ between rounds of RUNNER alone, such as sums by atomic
# additions in floating point, are named and not compared.
#
# Exit status: 0 all the same, 1 some differ or are wrong, 2 the programs cannot be compared.
set -u
plain=${1:?check-jitter.sh RUNNER JITTERED [SELECTOR...]}
jittered=${2:?check-jitter.sh RUNNER JITTERED [SELECTOR...]}
shift 2
device=${DEVICE:-cuda}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

if [ "$("$jittered" run --dry-run --device "$device" 2>&1 | grep -c JITTER=1)" = 0 ]; then
	echo "check-jitter: $jittered was not made with JITTER=1" >&2
	exit 2
fi

# bits PROGRAM FILE SELECTOR... -> lines "case bits" of all cases that are right
bits() {
	local program=$1 file=$2
	shift 2
	"$program" check --device "$device" --seed 7 --built-in --verbose "$@" >"$tmp/log" 2>&1
	local rc=$?
	sed -nE 's/^ok +([^ ]+): .* bits ([0-9a-f]+)$/\1 \2/p' "$tmp/log" | sort >"$file"
	grep -E '^(wrong|timeout|signal|exit|cuda|skipped)' "$tmp/log"
	tail -n 1 "$tmp/log"
	return $rc
}

failed=0
for round in $(seq "${ROUNDS:-2}"); do
	bits "$plain" "$tmp/plain-$round" "$@" || failed=1
	bits "$jittered" "$tmp/jittered-$round" "$@" || failed=1
done
[ -s "$tmp/plain-1" ] || { echo 'check-jitter: no case is right' >&2; exit 2; }
for round in $(seq "${ROUNDS:-2}"); do
	comm -23 "$tmp/plain-$round" "$tmp/plain-1"
done | cut -d ' ' -f 1 | sort -u >"$tmp/chance"
sed 's/^/not compared, differs by itself: /' "$tmp/chance"
for round in $(seq "${ROUNDS:-2}"); do
	comm -13 "$tmp/plain-1" "$tmp/jittered-$round"
done | cut -d ' ' -f 1 | sort -u | grep -vxFf "$tmp/chance" >"$tmp/differs"
sed 's/^/DIFFERS when delayed: /' "$tmp/differs"
echo "$(wc -l <"$tmp/plain-1") cases, $(wc -l <"$tmp/differs") differ, $(wc -l <"$tmp/chance") not compared"
[ $failed = 0 ] && [ ! -s "$tmp/differs" ]
