#!/bin/bash
# runner/check-gpu.sh with a stand-in for compute-sanitizer, on the CPU: all
# tools on all families, failures told at the end with tool, family and case.
set -u
cd "$(dirname "$0")/../.." || exit 1
runner=${BUILD:-build}/runner
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
say() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; tail -n 30 "$dir/out"; fi; }
mkdir "$dir/bin" "$dir/none"
for program in bash awk cat cp date dirname grep mkdir nproc rm sed tail timeout wc xargs; do
	ln -s "$(command -v $program)" "$dir/none/$program"
done

# Says what it was asked; on synccheck of reduce it finds something.
cat >"$dir/bin/compute-sanitizer" <<'FAKE'
#!/bin/bash
echo "$*" >>"$ASKED"
echo '========= COMPUTE-SANITIZER'
sleep "${SLOW:-0}"
case "$*" in
*synccheck*' reduce:n=2') echo '========= Barrier error detected. Missing wait.'
	echo '=========     at rows_by_ticket' ;;
esac
while [ "$1" != "$RUNNER" ]; do shift; done
"$@" || exit
case "$*" in *' reduce:n=2') [ -f "$CLEAN" ] || exit 9 ;; esac
FAKE
chmod +x "$dir/bin/compute-sanitizer"
export ASKED=$dir/asked RUNNER=$runner CLEAN=$dir/clean DEVICE=cpu LOGS=$dir/logs JOBS=2
tools='memcheck synccheck'

touch "$CLEAN"
PATH=$dir/bin:$PATH TOOLS=$tools FAMILIES='reduce:n=2 reduce:n=3' runner/check-gpu.sh "$runner" >"$dir/out" 2>&1
say $? 'all clean'
[ "$(wc -l <"$dir/asked")" = 4 ] && [ "$(grep -c ' --small --built-in ' "$dir/asked")" = 4 ]
say $? 'each tool looks at each family once, without libraries'
grep -q '^0 of 5 failed' "$dir/out" && grep -q '^[0-9]* passed, 0 failed' "$dir/out"
say $? 'all variants are checked for right answers'

rm "$CLEAN"
PATH=$dir/bin:$PATH TOOLS=$tools FAMILIES='reduce:n=2 reduce:n=3' runner/check-gpu.sh "$runner" >"$dir/out" 2>&1
[ $? = 1 ] && grep -q '^2 of 5 failed' "$dir/out"
say $? 'a finding fails'
grep -q '^== synccheck on reduce:n=2: exit status 9' "$dir/out" && grep -q 'Missing wait' "$dir/out" &&
	grep -q 'in reduce/c_scalar:n=2,' "$dir/out" && ! grep -q '^== .*reduce:n=3' "$dir/out"
say $? 'it is told with tool, family, case and report, and only it'

PATH=$dir/bin:$PATH TOOLS=memcheck FAMILIES=reduce:n=2 LIMIT=1 SLOW=5 runner/check-gpu.sh "$runner" >"$dir/out" 2>&1
[ $? = 1 ] && grep -q 'longer than 1 s' "$dir/out"
say $? 'what takes too long fails'

PATH=$dir/none FAMILIES=reduce:n=2 runner/check-gpu.sh "$runner" >"$dir/out" 2>&1
[ $? = 2 ] && grep -q 'no compute-sanitizer on PATH' "$dir/out"
say $? 'without the tools the answers are checked, and the status says so'
