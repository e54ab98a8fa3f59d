#!/bin/bash
# `runner trace`, on a pretended GPU: runner-trace makes the calls, the file holds stamps and both
# times, and belongs to data/traces. Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
runner=$(realpath "${BUILD:-build}/runner")
dir=$(mktemp -d)
cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
export RIDGEPOINT_PRETEND=132
say() { # STATUS WHAT
	if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; tail -n 20 log; fi
}
one='scan/lookahead:n=2^28,dtype=f32,cache=cold'

"$runner" trace --seed 3 --reason why --out traces "$one" >path 2>log && file=$(tail -n 1 path) && "$runner" verify "$file" >log 2>&1 &&
	grep -q ': pretended, complete, 1 cases, 0 launches' log
say $? 'a trace is a whole file'
zcat "$file" >lines
grep -q '^{"type":"trace","case":0,.*"error":0.0,.*"plain_ns":\[[0-9,]*\],"traced_ns":\[[0-9,]*\],.*"roles":\["block","loader",.*"kept":\[{"ring":' lines
say $? 'with stamps, and with the times of calls with marks and without'
[ "$(sed -n 's/.*"plain_ns":\[\([0-9,]*\)\].*/\1/p' lines | tr , '\n' | wc -l)" = 30 ]
say $? 'thirty calls of each program'
grep -q '264 rings in 1 kernels, 0 stamps lost' path && grep -q 'with marks a call takes 1\.0[0-9]* times as long' path
say $? 'and says what it found'
! "$runner-trace" run >log 2>&1 && grep -q "unknown command 'run'" log && ! "$runner-trace" trace "$one" >log 2>&1 &&
	grep -q 'which `runner trace` starts' log
say $? 'runner-trace measures nothing'
RIDGEPOINT_PRETEND=132:wrong@scan/lookahead "$runner" trace --out wrong "$one" >log 2>&1
[ $? = 1 ] && grep -q 'unavailable: .*wrong: before the trace' log && grep -q '^0 of 1 cases have a trace' log
say $? 'a wrong result has no trace'
RIDGEPOINT_PRETEND=132:crash@scan/lookahead "$runner" trace --out crash "$one" >log 2>&1
[ $? = 1 ] && grep -q '0 of 1 cases have a trace' log
say $? 'nor has a crash'
(unset RIDGEPOINT_PRETEND; "$runner" trace --device cpu --out cpu 'scan/c_simd:n=2^20,dtype=f32' >log 2>&1)
[ $? = 1 ] && grep -q 'unavailable: marks are in CUDA kernels only' log
say $? 'a CPU kernel has none'
"$runner" trace --out traces >log 2>&1
[ $? = 1 ] && grep -q 'which cases?' log
say $? 'the cases must be named'
mkdir alone && cp "$runner" alone/runner && ! alone/runner trace --out traces "$one" >log 2>&1 && grep -q 'alone/runner-trace: .*make runner' log
say $? 'without runner-trace there is one clear error'
mkdir data && ! "$runner" trace "$one" >log 2>&1 && grep -q 'data/traces: a pretended device records nothing under data/' log
say $? 'a pretended trace is no record'
# the same file as a real device would have written it goes to its own folder
sed -n '1,/"type":"trace"/p' lines | sed '1s/ridgepoint-pretended/ridgepoint-run/' >real
sum=$(sha256sum <real | cut -c 1-64)
end='{"type":"end","end":"2026-01-01T00:00:00Z","status":"complete","records":'$(($(wc -l <real) + 1))',"sha256":"'$sum'"'
printf '%s,"line_sha256":"%s"}\n' "$end" "$(printf %s "$end" | sha256sum | cut -c 1-64)" >>real
name=$(basename "$file" .jsonl.gz)
mkdir -p came && gzip -nc real >"came/$name.jsonl.gz" && "$runner" verify --add "came/$name.jsonl.gz" >log 2>&1 &&
	[ -f "data/traces/pretended-132/$name.jsonl.gz" ] && grep -q "$name" data/traces/MANIFEST && mkdir -p data/runs &&
	touch data/runs/MANIFEST && "$runner" verify >log 2>&1
say $? 'verify --add puts a trace into data/traces, and verify knows it'
