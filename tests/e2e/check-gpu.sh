#!/bin/bash
# runner/scripts/check-gpu.sh with a stand-in for compute-sanitizer, on the CPU: all
# tools on all families, failures told at the end with tool, family and case.
set -u
cd "$(dirname "$0")/../.." || exit 1
runner=${BUILD:-build}/runner
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
say() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; tail -n 30 "$dir/out"; fi; }
mkdir "$dir/bin" "$dir/none"
for program in bash awk cat cp date dirname find grep mkdir nproc rm sed tail timeout wc xargs; do
	ln -s "$(command -v $program)" "$dir/none/$program"
done

# Says what it was asked; on synccheck of reduce it finds something, on racecheck
# what the table has and, with $MORE, what it does not have; with $CRASH it crashes once.
cat >"$dir/bin/compute-sanitizer" <<'FAKE'
#!/bin/bash
echo "$*" >>"$ASKED"
echo '========= COMPUTE-SANITIZER'
sleep "${SLOW:-0}"
case "$*" in
*synccheck*' reduce:n=2') echo '========= Barrier error detected. Missing wait.'
	echo '=========     at rows_by_ticket' ;;
esac
[ -z "${CRASH-}" ] || [ -f "$CRASH" ] || { touch "$CRASH"; kill -SEGV $$; }
race() {
	echo "========= Error: Race reported between Read access at $1(shared &, int)+0x4240 in reduce.c:1"
	echo "=========     and Write access at tell_it(shared &, int)+0x1b00 in reduce.c:2 [48 hazards]"
	echo '========= '
}
case "$*" in '--tool racecheck'*' reduce:n=2') race ask_it; race ask_it; [ -z "${MORE-}" ] || race "$MORE" ;; esac
tool=$2
while [ "$1" != "$RUNNER" ]; do shift; done
"$@" || exit
case "$tool $*" in
'racecheck '*' reduce:n=2') echo '========= RACECHECK SUMMARY: 2 hazards displayed (2 errors, 0 warnings)'; exit 9 ;;
*' reduce:n=2') [ -f "$CLEAN" ] || exit 9 ;;
esac
FAKE
chmod +x "$dir/bin/compute-sanitizer"
export ASKED=$dir/asked RUNNER=$runner CLEAN=$dir/clean DEVICE=cpu LOGS=$dir/logs JOBS=2
tools='memcheck synccheck'

touch "$CLEAN"
PATH=$dir/bin:$PATH TOOLS=$tools FAMILIES='reduce:n=2 reduce:n=3' runner/scripts/check-gpu.sh "$runner" >"$dir/out" 2>&1
say $? 'all clean'
[ "$(wc -l <"$dir/asked")" = 4 ] && [ "$(grep -c ' --small --calls 2 --largest 25 --built-in ' "$dir/asked")" = 4 ]
say $? 'each tool looks at each family once, without libraries'
grep -q '^0 of 5 failed, 0 had known' "$dir/out" && grep -q '^[0-9]* passed, 0 failed' "$dir/out"
say $? 'all variants are checked for right answers'

rm "$CLEAN"
PATH=$dir/bin:$PATH TOOLS=$tools FAMILIES='reduce:n=2 reduce:n=3' runner/scripts/check-gpu.sh "$runner" >"$dir/out" 2>&1
[ $? = 1 ] && grep -q '^2 of 5 failed' "$dir/out"
say $? 'a finding fails'
grep -q '^== synccheck on reduce:n=2: exit status 9' "$dir/out" && grep -q 'Missing wait' "$dir/out" &&
	grep -q 'in reduce/c_scalar:n=2,' "$dir/out" && ! grep -q '^== .*reduce:n=3' "$dir/out"
say $? 'it is told with tool, family, case and report, and only it'

PATH=$dir/bin:$PATH TOOLS=memcheck FAMILIES=reduce:n=2 LIMIT=1 SLOW=5 runner/scripts/check-gpu.sh "$runner" >"$dir/out" 2>&1
[ $? = 1 ] && grep -q 'longer than 1 s' "$dir/out"
say $? 'what takes too long fails'

PATH=$dir/none FAMILIES=reduce:n=2 runner/scripts/check-gpu.sh "$runner" >"$dir/out" 2>&1
[ $? = 2 ] && grep -q 'no compute-sanitizer on PATH' "$dir/out"
say $? 'without the tools the answers are checked, and the status says so'

# --- known reports ---

cat >"$dir/known" <<'TABLE'
# a comment
racecheck ^reduce/.*n=2, ^(ask|tell)_it\( a word carries its own number
memcheck ^reduce/ ^other_ of another tool
TABLE
export KNOWN=$dir/known
PATH=$dir/bin:$PATH TOOLS=racecheck FAMILIES='reduce:n=2 reduce:n=3' runner/scripts/check-gpu.sh "$runner" >"$dir/out" 2>&1
[ $? = 0 ] && grep -q '^0 of 3 failed, 1 had known' "$dir/out"
say $? 'reports that the table has do not fail'
grep -q '^known  *racecheck reduce:n=2' "$dir/out" && grep -q '^  *known 2: a word carries its own number$' "$dir/out"
say $? 'they are counted and explained'

PATH=$dir/bin:$PATH MORE=another_one TOOLS=racecheck FAMILIES=reduce:n=2 runner/scripts/check-gpu.sh "$runner" >"$dir/out" 2>&1
[ $? = 1 ] && grep -q '^1 of 2 failed' "$dir/out" && grep -q 'reports unknown 1' "$dir/out" && grep -q 'reports known 2' "$dir/out"
say $? 'one that it does not have fails among them'

echo 'racecheck ^softmax/ ask_it of another case' >"$dir/known"
PATH=$dir/bin:$PATH TOOLS=racecheck FAMILIES=reduce:n=2 runner/scripts/check-gpu.sh "$runner" >"$dir/out" 2>&1
[ $? = 1 ] && grep -q 'reports unknown 2' "$dir/out"
say $? 'what is known of one case is not known of another'

! grep -v '^#' runner/scripts/check-gpu.known | grep -vE '^$|^(memcheck|racecheck|initcheck|synccheck) \^[a-z]+/[^ ]* [^ ]+ .{20,}' >"$dir/out"
say $? 'each line of the table has four columns'
unset KNOWN

# --- a tool that crashes ---

touch "$CLEAN"
PATH=$dir/bin:$PATH CRASH=$dir/crashed TOOLS=memcheck FAMILIES=reduce:n=3 runner/scripts/check-gpu.sh "$runner" >"$dir/out" 2>&1
[ $? = 0 ] && grep -q '^ok  *memcheck .*again: the first ended by signal 11' "$dir/out"
say $? 'a tool that a signal ends before any report is tried once more'

# --- what is done without FAMILIES, by a runner that only says what it was asked ---

cat >"$dir/told" <<'STUB'
#!/bin/bash
[ "$1" = list ] || { echo "$*" >>"$ASKED"; echo '1 passed, 0 failed, 0 unavailable (seed 1)'; exit; }
[ "$2" != --names ] || { printf 'scan\nnorm\n'; exit; }
cat <<'LIST'
cpu   a machine (cpu-a)

scan: Prefix sums
  c_simd         cpu   kernel                   C
  warp           cuda  kernel   no GPU          warps
norm: Norms
  two            cpu   kernel                   two passes
  three          cpu   kernel                   three
LIST
STUB
chmod +x "$dir/told"
: >"$ASKED"
PATH=$dir/bin:$PATH RUNNER=$dir/told TOOLS='racecheck memcheck' runner/scripts/check-gpu.sh "$dir/told" >"$dir/out" 2>&1
[ $? = 0 ] && grep -q '^0 of 8 failed' "$dir/out" &&
	[ "$(grep -o 'tool racecheck.* [^ ]*$' "$ASKED" | sed 's/.* //' | sort | xargs)" = 'histogram:n=16777259 norm/three norm/two scan/c_simd' ] &&
	[ "$(grep -o 'tool memcheck.* [^ ]*$' "$ASKED" | sed 's/.* //' | sort | xargs)" = 'norm scan' ]
say $? 'racecheck goes by variant, the others by family'
grep -q 'tool racecheck .*--largest 25.* norm/two$' "$ASKED" && ! grep -q 'largest.* histogram:n' "$ASKED"
say $? 'the largest cases are left out, but for those that nothing smaller stands for'
