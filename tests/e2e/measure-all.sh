#!/bin/bash
# runner/scripts/measure-all.sh on the CPU: steps and their archives, a time limit, and a
# detached run whose results are fetched bit by bit.
set -u
cd "$(dirname "$0")/../.." || exit 1
runner=$(realpath "${BUILD:-build}/runner") # named with RUNNER: the runner itself is in the bundle
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
say() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; tail -n 30 "$dir/out"; fi; }
export RUNNER=$dir/runner WORK=$dir/work DEVICE=cpu LAUNCHES=1

# A fake runner: measures one small case whatever the arguments, lists two families, and stays in
# its selftest until it is released.
cat >"$RUNNER" <<FAKE
#!/bin/bash
case \$1 in
list) printf 'reduce\nscan\n' ;; # asked with --names
run) shift; exec "$runner" run "\${@:1:8}" 'reduce/c_simd:n=2^20,cache=hot' ;;
profile) echo "\$*" >>"$dir/profiled"; mkdir -p profiles ;;
selftest) trap 'exit 130' INT; until [ -f "$dir/go" ]; do sleep 0.1; done; exit 5 ;;
ceilings) echo "\$*" >>"$dir/roofs"; exit \${ROOFS:-4} ;;
esac
FAKE
chmod +x "$RUNNER"

runner/scripts/measure-all.sh suite=reduce profile >"$dir/out" 2>&1
say $? 'two steps end well'
tar -tzf "$WORK/suite-reduce.tar.gz" | grep -q '^suite-reduce/runs/.*\.jsonl\.gz$'
say $? 'the run file of the suite is in its archive'
[ "$(grep -c -- '--missing .*/data/profiles --out profiles' "$dir/profiled")" = 2 ] && grep -q ' scan$' "$dir/profiled"
say $? 'counters are asked for by family, and of what has none'
SELFTEST_S=1 runner/scripts/measure-all.sh selftest ceilings >"$dir/out" 2>&1
[ $? = 1 ] && [ "$(tar -xzOf "$WORK/selftest.tar.gz" selftest/status)" = 124 ] && [ "$(tar -xzOf "$WORK/ceilings.tar.gz" ceilings/status)" = 4 ]
say $? 'a step that takes too long ends, fails, and the next one is done'
rm "$dir/roofs"
ROOFS=0 runner/scripts/measure-all.sh ceilings >"$dir/out" 2>&1 && [ "$(wc -l <"$dir/roofs")" = 2 ] &&
	grep -q -- '--launches 1 \*:load=burst$' "$dir/roofs" && grep -q -- '--launches 6 ceiling-wgmma.*:load={sustained,steady} ' "$dir/roofs"
say $? 'ceilings are measured in bursts and under load'

rm -rf "$WORK"
runner/scripts/measure-all.sh start suite selftest >"$dir/out" 2>&1
say $? 'it goes on by itself'
for _ in {1..1200}; do [ -f "$WORK/suite.tar.gz" ] && break; sleep 0.1; done
runner/scripts/measure-all.sh fetch 0 "$dir/first" >"$dir/out" 2>&1
[ $? = 3 ] && [ -f "$dir/first/suite.tar.gz" ] && [ ! -f "$dir/first/selftest.tar.gz" ]
say $? 'what is over can be fetched'
touch "$dir/go"
runner/scripts/measure-all.sh fetch 120 "$dir/second" >"$dir/out" 2>&1
[ $? = 1 ] && [ -f "$dir/second/selftest.tar.gz" ] && [ ! -f "$dir/second/suite.tar.gz" ]
say $? 'and later the rest'
runner/scripts/measure-all.sh dinner >"$dir/out" 2>&1
[ $? = 2 ] && grep -q "no step 'dinner'" "$dir/out"
say $? 'a step that there is not is named'
