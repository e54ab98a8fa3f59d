#!/bin/bash
# On a machine with a GPU, every CUDA variant is correct on the small cases, and a short run
# gives a record with clocks. Elsewhere a pretended GPU stands in (runner/machine/pretend.h);
# tests/e2e/pretended.sh has the other tests on pretended GPUs.
set -u
cd "$(dirname "$0")/../.." || exit 1
runner=${BUILD:-build}/runner
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
why=$("$runner" list | sed -n 's/^cuda  not here: //p')
[ -z "$why" ] || export RIDGEPOINT_PRETEND=132 # energy is what nobody pretends
on=${why:+ (on a pretended GPU)} energy='"energy_mj":.*'
[ -z "$why" ] || energy=
say() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; tail -n 20 "$dir/log"; fi; }
"$runner" check --device cuda --small >"$dir/log" 2>&1
say $? "every CUDA variant is right$on"
"$runner" run --device cuda --launches 2 --out "$dir" 'stream:op=copy,n=2^24' >"$dir/log" 2>&1 &&
	"$runner" verify "$dir"/*/*.jsonl.gz >>"$dir/log" 2>&1
say $? "a short CUDA run$on"
"$runner" run --device cuda --launches 1 --out "$dir/ways" 'reduce/single:n=2^20,side=host' \
	'reduce/single:n=2^20,cache=hot,load=sustained' >"$dir/log" 2>&1
ways=$(find "$dir/ways" -name '*.jsonl.gz')
zgrep '"type":"launch".*"status":"ok"' "$ways" >"$dir/ok" && grep '"timer":"host"' "$dir/ok" | grep -qv sm_cycles &&
	grep -v '"timer":"host"' "$dir/ok" | grep -q "$energy"'"sm_cycles":'
say $? "the host alone, and sustained load$on"
codehash=${BUILD:-build}/codehash
if [ -n "$why" ]; then
	echo "ok - instructions are counted as the disassembler does # skip $why"
elif command -v cuobjdump >/dev/null; then
	# MNEMONIC.FLAGS at the head of each line that has an address; loads and stores by their width
	cuobjdump -sass "$runner" | sed -nE 's,^ */\*[0-9a-f]{4\,}\*/ +(@!?U?P[0-9T]+ )?([A-Z0-9_.]+).*,\2,p' | awk '
		{ split($0, part, "."); name = part[1]; w = 32 }
		name ~ /^(LDG|STG|LDS|STS)$/ {
			if (match($0, /\.(U8|S8|U16|S16|64|128)(\.|$)/)) { w = substr($0, RSTART + 1); sub(/\..*/, "", w); sub(/^[US]/, "", w) }
			name = name "." w
		}
		{ n[name]++ } END { for (i in n) print i, n[i] }' | sort >"$dir/disassembled"
	"$codehash" --mix "$runner" | tr ',' '\n' | sed 's/^ *//; /^all/d' | sort >"$dir/counted"
	[ -s "$dir/counted" ] && join "$dir/counted" "$dir/disassembled" | awk '$2 != $3' >"$dir/log" && [ ! -s "$dir/log" ]
	say $? 'instructions are counted as the disassembler does'
else
	echo 'ok - instructions are counted as the disassembler does # skip no cuobjdump'
fi
