#!/bin/bash
# `runner compare`: two variants, two files, two builds. Checks the verdicts and the exit
# status that CI reads.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
runner=$(realpath "${BUILD:-build}/runner")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
say() { # STATUS WHAT
	if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; tail -n 20 log; cat out; fi
}
compare() { "$runner" compare --device cpu --launches 4 "$@" >out 2>log; }
hot='n=2^20,cache=hot'
# code with code, on a machine that may be busy with something else
gcc -O2 -shared -fPIC -o cpu-clock.so "$root/tests/fixtures/cpu-clock.c" -ldl && export LD_PRELOAD=$PWD/cpu-clock.so

compare "reduce/c_scalar:$hot" reduce/c_simd
[ $? = 0 ] && grep -qE '^reduce/c_simd:.* faster$' out
say $? 'a faster variant is faster, and that is success'
compare reduce/c_simd "reduce/c_scalar:$hot" --json
[ $? = 1 ] && grep -q '"verdict":"slower","alarm":true' out && grep -q '"status":1' out
say $? 'a slower one is an alarm, for machines too'
file=$(sed -n 's/^recorded: //p' log)
zcat "$file" >lines
"$runner" verify "$file" >log 2>&1 && [ "$(grep -c '"role":"null"' lines)" = 1 ] &&
	grep -q '"order":"A, B, null control' lines
say $? 'its launches are in a run file, with the null control'
# 4 launches of each of A, B and the control, one process each
[ "$(sed -n 's/.*"type":"launch".*"pid":\([0-9]*\),.*/\1/p' lines | sort -u | wc -l)" = 12 ]
say $? 'every launch of a side is a process of its own'
awk -F'"' '/^{"type":"case"/ { id[n++] = $8 } /^{"type":"launch"/ { print id[substr($7, 2) + 0] }' lines |
	sed -n 's/reduce\/\([a-z_]*\):n=1048576,\(null=1\)*.*/\1\2/p' | tr '\n' ' ' | grep -q '^c_simd c_scalar c_simdnull=1 c_simdnull=1 c_scalar c_simd c_simd '
say $? 'in the order A B control, control B A'

compare reduce/c_simd reduce/c_smid
[ $? = 2 ] && grep -q "no variant 'c_smid'" log
say $? 'a misspelt variant is an error'
compare reduce/c_simd 'reduce/c_*'
[ $? = 2 ] && grep -q 'both mean reduce/c_simd' log
say $? 'so is a variant against itself'
compare reduce/c_simd transpose/c_simd
[ $? = 2 ] && grep -q 'no case in common' log
say $? 'and two families'
compare reduce/c_simd
[ $? = 2 ] && grep -q 'expected A and B' log
say $? 'and one side only'
compare reduce/c_simd reduce/c_scalar --band x
[ $? = 2 ] && grep -q "band 'x': expected percent" log
say $? 'and a band that is no number'

for i in 1 2; do
	"$runner" run --device cpu --launches 3 --out files "reduce/c_scalar:$hot" 2>log
done >paths
# shellcheck disable=SC2046
compare $(cat paths) --band 90
[ $? = 0 ] && grep -qE '^reduce/c_scalar:.* same code$' out && grep -q '^A against A:' out &&
	grep -q '^two runs: what differs between them is in no interval' out
say $? 'two files of one program are the same code'
compare "$(head -n 1 paths)" "$(find "$root/data/runs/h200" -name '*.jsonl*' | head -n 1)"
[ $? = 2 ] && grep -q 'different machines' log
say $? 'two machines are no comparison'

first=$(head -n 1 paths)
compare "$first" "$(tail -n 1 paths)" --json
grep -qE '"band":0\.[0-9]+' out && [ "$(grep -oE '"band":[0-9.e-]+' out | awk -F: '{ print ($2 >= 0.01) }')" = 1 ]
say $? 'whose band is one percent at least: runs lie apart'

# --- another build ---

mkdir other && cp -r "$root/kernels" "$root/lib" "$root/runner" "$root/Makefile" other
# adding nothing takes as long as adding something
sed -i 's/sum += x\[i\];/{ sum += x[i]; sum += 0.0f; }/' other/kernels/reduce/c_scalar.c
MAKEFLAGS='' make -C other -j"$(nproc)" BUILD=build NVCC= runner >log 2>&1
say $? 'another build of the runner'
compare --runner-b other/build/runner "reduce/c_scalar:$hot"
[ $? = 1 ] && grep -qE '^reduce/c_scalar:.* slower$' out && grep -q '^A against A: [0-9]' out
say $? 'a build whose kernel does more is slower'
compare --runner-b "$runner" "reduce/c_scalar:$hot" --json
[ $? = 0 ] && grep -q '"verdict":"same code"' out
say $? 'a build with the same machine code is the same code, without a test'

# wrong for some inputs, and a variant gone
sed -i 's/    \*(float \*)buf\[0\] = sum;/    if (x[1] > 0.8f)\n        sum += 1000;\n&/' other/kernels/reduce/c_scalar.c
sed -i 's/"c_simd"/"c_other"/' other/kernels/reduce/family.c
MAKEFLAGS='' make -C other -j"$(nproc)" BUILD=build NVCC= runner >log 2>&1
compare --seed 1 --band 90 --runner-b other/build/runner "reduce/c_*:$hot"
[ $? = 2 ] && grep -qE '^reduce/c_scalar:.* undecided: B: [123] of 4 launches failed \(wrong\)$' out
say $? 'wrong now and then is not equivalent'
grep -qE '^reduce/c_simd:.* undecided: B: no such case$' out &&
	grep -q '^not compared: cases that only A has, 0; that only B has, 1$' out
say $? 'nor is a variant that B lacks'
other/build/runner run --device cpu --launches 4 --seed 1 --out files "reduce/c_*:$hot" 2>log >wrong
compare --band 90 "$first" "$(cat wrong)"
[ $? = 2 ] && grep -qE '^reduce/c_scalar:.* undecided: B: [1234] of 4 launches failed \(wrong\)$' out
say $? 'nor in two files'
compare --runner-b ./nothing "reduce/c_scalar:$hot"
[ $? = 2 ] && grep -q './nothing: cannot run it' log
say $? 'a program that is not there is an error'
compare --runner-b other/build/runner reduce/c_smid
[ $? = 2 ] && grep -q "no variant 'c_smid'" log
say $? 'what the program complains of is passed on'
