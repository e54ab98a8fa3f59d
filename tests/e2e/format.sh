#!/bin/bash
# The examples that data/FORMAT.md gives for jq and pandas, run as they stand there on a
# compressed record. Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
say() { # STATUS WHAT
	if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; head -n 20 out log; fi
}
# the n-th block of code in a language, of the section on other programs
example() { # LANGUAGE N
	awk -v fence='```'"$1" -v n="$2" '
		/^## / { on = /^## Reading with other programs/ }
		!on { next }
		$0 == fence { k++; inside = 1; next }
		/^```/ { inside = 0 }
		inside && k == n' "$root/data/FORMAT.md"
}
gzip -c "$root/tests/fixtures/run-2.jsonl" >record.jsonl.gz
export FILE=$dir/record.jsonl.gz
# the middle two of eight samples are 160 and 352 ns above the base, of ten calls each
cat >want <<'END'
copy/vec4:n=67108864,dtype=f32,cache=cold 129716.8000
copy/vec4:n=67108864,null=1,dtype=f32,cache=cold 129723.2000
END

if command -v jq >/dev/null; then
	[ -n "$(example sh 3)" ] && [ -z "$(example sh 4)" ]
	say $? 'three examples are for jq'
	# one object for each case, with what 1.x writes into every case; 1.x has no sweeps
	grep '"type":"case"' "$root/tests/fixtures/run-example.jsonl" | jq -S . >cases
	bash -c "$(example sh 1)" 2>log | jq -S 'select(.knob | not) | del(.check.exact)' >out && [ -s out ] && cmp out cases >>log
	say $? 'jq: all members of each case, as schema 1.x has them'
	grep '"type":"launch"' "$root/tests/fixtures/run-example.jsonl" |
		jq -c 'select(.status == "ok") | .base_ns as $b | [.above_base_ns[] | . + $b]' >times
	bash -c "$(example sh 2)" 2>log >pairs && jq -c .ns pairs >out && [ -s out ] && cmp out times >>log &&
		[ "$(jq -c '[.case, .i, .batch]' pairs | tr -d '\n')" = '[0,0,10][0,2,10][3,0,10][3,2,10]' ]
	say $? 'jq: samples in nanoseconds'
	bash -c "$(example sh 3)" 2>log | awk '{ printf "%s %.4f\n", $1, $2 }' >out && cmp out want >>log
	say $? 'jq: typical times'
else
	echo 'ok - the examples for jq # skip no jq'
fi

if command -v python3 >/dev/null; then
	example python 2 >example.py
	python3 example.py 2>log | awk '{ printf "%s %.4f\n", $1, $2 }' >out && cmp out want >>log
	say $? 'Python alone: typical times'
else
	echo 'ok - the example for Python alone # skip no python3'
fi

python=
for p in python3 /usr/bin/python3; do
	[ -z "$python" ] && "$p" -c 'import pandas' 2>/dev/null && python=$p
done
if [ -n "$python" ]; then
	example python 1 >example.py
	"$python" example.py >said 2>log && awk '/^copy/ { printf "%s %.4f\n", $1, $2 }' said >out && cmp out want >>log
	say $? 'pandas: typical times'
else
	echo 'ok - the example for pandas # skip no pandas'
fi
