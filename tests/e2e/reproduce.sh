#!/bin/bash
# Measures a record again: with this runner, and with the source of its commit, as `make
# reproduce` does, in a small repository made here.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
runner=$(realpath "${BUILD:-build}/runner")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
say() { # STATUS WHAT
	if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; tail -n 20 "$dir/log"; fi
}
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@t
log=$dir/log
mkdir -p "$dir/repo/build" && cd "$dir/repo" || exit 1
cp -r "$root/kernels" "$root/lib" "$root/runner" "$root/Makefile" .
printf "/build/\n/out\n" >.gitignore
cp "$runner" build/runner
{ git init -q && git add . && git commit -q -m 'the source'; } >"$log" 2>&1
commit=$(git rev-parse HEAD)

# code with code, on a machine that may be busy with something else
gcc -O2 -shared -fPIC -o build/cpu-clock.so "$root/tests/fixtures/cpu-clock.c" -ldl && export LD_PRELOAD=$PWD/build/cpu-clock.so
"$runner" run --device cpu --launches 3 'reduce/c_*:n=2^20,cache=hot' >"$log" 2>&1
record=$(find data/runs -name '*.jsonl.gz')
run=$(basename "$record" .jsonl.gz)
[ -n "$run" ]
say $? 'a record to reproduce'

# --- by this runner ---

"$runner" reproduce "$run" --json >out 2>"$log"
[ $? -le 2 ] && [ "$(grep -o '"answer":"[A-Z]*"' out | wc -l)" = 2 ]
say $? 'it measures the cases of a run again, by its id, and compares all that is comparable'
new=$(sed -n 's/^recorded: //p' "$log")
zgrep -q "\"reason\":\"replication of $run\",\"replicates\":\"$run\"" "$new" && [ "${new#build/replications/}" != "$new" ]
say $? 'the replication is a run file of its own that names the record'
"$runner" verify "$new" >"$log" 2>&1
say $? 'and is whole'
grep -q '"same_code":true' out && ! grep -q '"same_code":false' out
say $? 'the same program is the same code'
"$runner" reproduce --against "$record" "$new" 'reduce/c_simd' >out 2>"$log"
[ $? -le 2 ] && grep -qE '^reduce/c_simd:n=1048576.* (EQUIVALENT|DIFFERENT|INCONCLUSIVE)' out && ! grep -q '^reduce/c_scalar' out
say $? 'two files are compared as they lie, for the selected cases'
"$runner" reproduce --against "$record" "$new" --band 99 reduce/c_scalar >out 2>"$log" && grep -q '^1 EQUIVALENT' out
say $? 'within a wide band all is equivalent, and the exit status says so'
"$runner" reproduce --against "$record" "$new" 'reduce/vector' >out 2>"$log"
[ $? = 2 ] && grep -q "selector 'reduce/vector': no measured case of run $run" "$log"
say $? 'a selector that means nothing is an error'
"$runner" reproduce nonsense >out 2>"$log"
[ $? = 2 ] && grep -q "'nonsense': expected a run file, or the id of one" "$log"
say $? 'an unknown run is an error'
"$runner" reproduce --against "$record" "$new" --band 0 >out 2>"$log"
[ $? = 2 ] && grep -q "band '0': expected percent" "$log"
say $? 'a band of nothing is an error'
other=$(find "$root/data/runs/h200" -name '*.jsonl*' | head -n 1)
"$runner" reproduce --against "$other" "$new" >out 2>"$log"
[ $? = 2 ] && ! grep -qE ' (EQUIVALENT|DIFFERENT|INCONCLUSIVE)$' out && grep -q 'NOT COMPARABLE: other device: h200 then' out
say $? 'a record of another device is not comparable'

# --- by the source of its commit ---

{ # the source moves on; the measured one is in the history
	printf '\n/* newer */\n' >>kernels/reduce/c_simd.c
	git add . && git commit -q -m 'newer, and a record'
} >"$log" 2>&1
cat >build/list <<END
$run	$commit	reduce/c_simd:n=1048576,dtype=f32,cache=hot
$run	$commit	reduce/c_scalar:n=1048576,dtype=f32,cache=hot
END
cat >build/site-gen <<'END'
#!/bin/sh
[ "$*" = 'query --post my-post --cases' ] || exit 1
cat build/list
END
chmod +x build/site-gen
reproduce() { BUILD=build NVCC='' LAUNCHES=3 MAKEFLAGS='' runner/scripts/reproduce.sh "$1" >out 2>"$log"; }
reproduce my-post
[ $? -le 2 ] && [ "$(grep -cE ' (EQUIVALENT|DIFFERENT|INCONCLUSIVE)' out)" -ge 2 ] && ! grep -q 'NOT COMPARABLE:' out
say $? 'the cases a post quotes are measured with the sources of their record'
new=$(sed -n 's/^reproduce: recorded: //p' "$log")
zgrep -q "\"commit\":\"$commit\",\"dirty\":false" "$new" && zgrep -q "\"reason\":\"replication of $run\"" "$new"
say $? 'by a runner of that commit'
[ -z "$(git status --porcelain)" ]
say $? 'and the checkout stays as it was'
sed 's/c_simd:n=1048576/vector:n=1048576/' build/list >list && mv list build/list
reproduce my-post
[ $? = 2 ] && grep -q '^reduce/vector:n=1048576.* NOT COMPARABLE: not measured here' out
say $? 'what cannot run here is said, case by case'
echo '/* */' >>"build/reproduce/$commit/kernels/reduce/c_simd.c"
reproduce my-post
[ $? = 2 ] && grep -q 'is not .* as committed; remove it' "$log"
say $? 'a changed checkout of the measured source is refused'
sed -i "s/$commit/0123456789012345678901234567890123456789/" build/list
reproduce my-post
[ $? = 2 ] && grep -q 'commit 0123456789012345678901234567890123456789 is not in this clone' "$log"
say $? 'a commit that is not there is named'
sed -i "s/0123456789012345678901234567890123456789/none/" build/list
reproduce my-post
[ $? = 2 ] && grep -q "run $run has no commit: its source cannot be checked out" "$log"
say $? 'a record without a commit is said to have none'
: >build/list
reproduce my-post
[ $? = 2 ] && grep -q "post 'my-post' quotes no measured case" "$log"
say $? 'a post without numbers has nothing to reproduce'
reproduce other-post
[ $? = 2 ]
say $? 'an unknown post is an error'
