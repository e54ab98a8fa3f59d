#!/bin/bash
# `runner selftest`: measures and judges known differences; the judgement depends only on the
# record.
set -u
cd "$(dirname "$0")/../.." || exit 1
runner=$(realpath "${BUILD:-build}/runner")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
say() { # STATUS WHAT
	if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; tail -n 20 log out; fi
}
# share PLANTED COLUMN: of the row; 3: comparisons, 4: intervals without 1
share() { awk -v row="$1" -v col="$2" '$1 == row && $2 == "%" { print int($col) }' out; }

finds() { [ "$(share 0.0 4)" -lt "$(share 2.0 4)" ]; }
whole() { [ "$(share 0.0 3)" = 30 ] && [ "$(share 2.0 3)" = 12 ]; } # a launch that was disturbed too much is not compared
for _ in 1 2 3; do # a machine that is busy with something else may need another look
	"$runner" selftest --device cpu --launches 20 >out 2>log
	status=$?
	[ $status = 0 ] && ! { finds && whole; } || break
done
say $status 'it measures and judges'
whole
say $? 'every pair of equal copies, and the padded case against each'
finds
say $? 'a planted 2 % is found, and oftener than a difference in equal code'
file=$(sed -n 's/^recorded: //p' log)
"$runner" verify "$file" >log 2>&1 && "$runner" show "$file" >>log && grep -q '^selftest/c_chain:.*pad=20,dtype' log
say $? 'the samples are a run file'
zgrep -q '"source":\[\["runner/selftest_chain.c","[0-9a-f]\{40\}"\]' "$file" && zgrep -q '"code_sha256":"' "$file"
say $? 'that names its source and its code'
cp out first
"$runner" selftest "$file" >out 2>log && cmp -s out first
say $? 'judged again it is the same'
"$runner" selftest --launches 7 >out 2>log
[ $? = 1 ] && grep -q 'expected 10 to 1000' log
say $? 'fewer launches are refused'
"$runner" selftest --launches 15 >out 2>log
[ $? = 1 ] && grep -q 'expected a multiple of 10' log
say $? 'and other numbers of launches'
"$runner" run --device cpu --launches 2 'reduce/c_simd:n=2^20' >path 2>log
"$runner" selftest "$(cat path)" >out 2>log
[ $? = 1 ] && grep -q 'not a selftest, or too short' log
say $? 'an ordinary run is no selftest'
