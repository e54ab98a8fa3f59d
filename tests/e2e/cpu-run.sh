#!/bin/bash
# The runner on a CPU, and what may happen while it measures: Ctrl-C leaves a valid partial
# file, kill -9 leaves no run file, and the runner names a damaged file.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
runner=$(realpath "${BUILD:-build}/runner")
example=$(realpath tests/fixtures/run-example.jsonl)
counters=$(realpath tests/fixtures/ncu-synthetic.csv)
dir=$(mktemp -d)
cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
say() { # STATUS WHAT
	if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; tail -n 20 log; fi
}
records() { find data/runs -name '*.jsonl.gz' 2>/dev/null; }
parts() { find data/runs -name '.*.part' 2>/dev/null; }
measure() { "$runner" run --device cpu "$@"; }

"$runner" check --device cpu --small --seed 3 reduce softmax quantize gemv transpose >log 2>&1
say $? 'C variants of five families are right on the small cases (tests/run long: of all)'
measure --launches 2 --reason 'a test' --seed 5 'reduce/c_*:n=2^20' >log 2>&1
say $? 'a run ends well'
[ "$(records | wc -l)" = 1 ] && [ -z "$(parts)" ]
say $? 'and leaves one file'
first=$(records)
zcat "$first" >first-lines
if head -n 1 first-lines | grep -q '"dirty":false'; then ! grep -q 'no commit has' log; else grep -q 'no commit has' log; fi
say $? 'and says so beforehand if its sources were not committed'
[ "$(stat -c %a "$first")" = 444 ]
say $? 'that nobody may write'
"$runner" verify >log 2>&1
say $? 'verify finds it whole'
grep -q '"reason":"a test"' first-lines && grep -q '"status":"complete"' first-lines
say $? 'it holds the reason and is complete'
"$runner" show "$first" >log 2>&1 && grep -q '^reduce/c_simd:.*2 launches' log
say $? 'show summarises it'
grep -q '"null_ratio":[0-9.]*,' first-lines && grep -q '^null controls: 3, furthest' log
say $? 'and says how noisy the run was'
grep -q '^took [0-9]* s, [0-9.]* s in samples' log && grep -q '^the stopwatch around nothing: [0-9]* ns' log
say $? 'and what the runner itself took'
grep -q '^of that: .*check [0-9.]* s' log && grep -qE '"spent_us":\[[1-9][0-9]*,[1-9][0-9]*,[1-9]' first-lines
say $? 'part by part'
"$runner" show "$example" >log && grep -q '^copy/vec4:.* 2.568e+05 cycles  2 launches' log && grep -q '^cold memory: 84.2 % of what its bus carries' log
say $? 'of a GPU also the cycles of a call, and how near cold memory comes to its bus'

# --- a clock that was set back; a loss of power ---

gcc -shared -fPIC -o clock-back.so "$root/tests/fixtures/clock-back.c" && gcc -shared -fPIC -o synced.so "$root/tests/fixtures/synced.c" -ldl
if git -C "$root" rev-parse -q --verify HEAD >log 2>&1; then
	LD_PRELOAD=./clock-back.so measure --launches 1 --out early 'reduce/c_simd:n=2^20' >log 2>&1
	[ $? = 1 ] && grep -q '^runner: the clock says 2001-09-09T01:46:40Z, and the commit .* is of 20' log && [ ! -e early ]
	say $? 'no run begins before the commit that it measures'
else
	echo 'ok - no run begins before the commit that it measures # skip no commit'
fi
SYNCED=$dir/synced LD_PRELOAD=./synced.so measure --launches 1 --out deep/runs 'reduce/c_simd:n=2^20' >log 2>&1
device=$(ls -d deep/runs/*/)
for name in "$dir" "$dir/deep" "$dir/deep/runs" "$dir/${device%/}" "$dir/deep/runs/MANIFEST"; do
	grep -qxF "$name" synced || echo "$name"
done >log
[ ! -s log ] && [ "$(tail -n 1 synced)" = "$dir/deep/runs" ]
say $? 'every new folder is on the disk, so is the list, and its name after it'

measure 'reduce/c_smid' >log 2>&1
[ $? = 1 ] && grep -q "no variant 'c_smid' in kernels/reduce/family.c; nearest: c_simd" log
say $? 'a misspelt selector is named with what was near'
measure --launches none >log 2>&1
[ $? = 2 ]
say $? 'a malformed option is a usage error'
measure --budget 1 >log 2>&1
[ $? = 1 ] && grep -q 'select fewer cases' log
say $? 'a budget that is too small is refused'
measure --dry-run --launches 1000 --budget 100 >log 2>&1 &&
	grep -qE '^budget 100 s: [0-9]+ of 1000 launches are given up; intervals are about [1-9][0-9]*\.[0-9] times as wide' log
say $? 'one that does not do for all says what it gives up'
measure --dry-run >log 2>&1 && grep -q '10 launches' log
say $? 'a dry run prints the plan'
[ "$(records | wc -l)" = 1 ] && [ -z "$(parts)" ]
say $? 'none of these wrote anything'

# soon COMMAND...: it succeeds, now or within two minutes
soon() {
	for _ in $(seq 2400); do "$@" && return; sleep 0.05; done
	return 1
}
measured() { [ "$(grep -c '"type":"launch"' "$(parts)" 2>/dev/null)" -ge 2 ] 2>/dev/null; }
# interrupt SIGNAL: a run, once it has measured something
interrupt() {
	"$runner" run --device cpu --launches 50 'reduce/c_*' >log 2>&1 &
	local pid=$!
	soon measured
	kill "-$1" $pid
	wait $pid
}
for signal in INT TERM; do
	rm -rf data
	interrupt $signal
	[ $? = 1 ] && grep -q 'the file is partial' log
	say $? "SIG$signal ends a run and says so"
	file=$(records)
	"$runner" verify $file >log 2>&1 && grep -q partial log && [ -z "$(parts)" ]
	say $? "SIG$signal leaves a valid partial file"
	"$runner" show $file >out 2>&1 && grep -q '^interrupted: of [0-9]* launches [0-9]* are whole' out
	say $? "SIG$signal: runner show says how much of it is whole"
done

rm -rf data
bad=0
for i in $(seq 12); do
	setsid "$runner" run --device cpu --launches 1 'reduce/c_simd:n=2^20' >log 2>&1 &
	pid=$!
	sleep "$(printf '0.%02d' $((i * 7)))"
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
	for f in $(records); do
		"$runner" verify "$f" >>log 2>&1 || bad=1
	done
done
say $bad 'kill -9 at any moment leaves only whole files'
behind() { for p in $(pgrep -f "^$runner run"); do readlink "/proc/$p/cwd"; done | grep -qx "$dir"; }
nobody() { ! behind; }
soon nobody
say $? 'and no process behind'

rm -rf data
measure --launches 1 'reduce/c_simd:n=2^20' >log 2>&1
file=$(records)
chmod u+w "$file" 2>/dev/null
cp "$file" whole
damaged() { # WHAT
	"$runner" verify >log 2>&1
	[ $? = 1 ] && grep -qF "$file" log
	say $? "verify names a file $1"
	cp whole "$file"
}
edited() { zcat whole | sed "$1" | gzip -n >"$file"; } # SED-SCRIPT
edited 's/"base":1*\([0-9]\)/"base":9\1/'
damaged 'with an edited sample'
edited '$d'
damaged 'without its end'
zcat whole | head -c -20 | gzip -n >"$file"
damaged 'cut short'
truncate -s -20 "$file"
damaged 'whose compressed form is cut short'
echo >>"$file"
damaged 'with bytes after it'
mv "$file" "${file%.jsonl.gz}x.jsonl.gz"
"$runner" verify >log 2>&1
[ $? = 1 ] && grep -q 'its head says it is' log
say $? 'verify names a file that was renamed'

# --- the list of records ---

rm -rf data
measure --launches 1 'reduce/c_simd:n=2^20,cache=hot' >log 2>&1
measure --launches 1 'reduce/c_simd:n=2^20,cache=hot' >>log 2>&1
lines() { while read -r sum name; do [ "$(zcat "data/runs/$name.gz" | sha256sum)" = "$sum  -" ] || return 1; done; }
[ "$(wc -l <data/runs/MANIFEST)" = 2 ] && lines <data/runs/MANIFEST
say $? 'every run is listed, as sha256sum would list its lines'
file=$(records | head -n 1)
zcat "$file" >"${file%.gz}"
"$runner" verify >log 2>&1
[ $? = 1 ] && grep -q "${file%.gz}.*: is the run of .*, too" log && grep -q '^2 whole, 1 not' log
say $? 'verify names a second file of a run'
rm "${file%.gz}"
mv "$file" gone
"$runner" verify >log 2>&1
[ $? = 1 ] && grep -qF "${file%.gz}: missing" log && grep -q '^1 whole, 1 not' log
say $? 'verify names a file that is gone'
mv gone "$file"
touch data/runs/MANIFEST~ data/runs/README.md && cp "$file" "${file%z}"
"$runner" verify >log 2>&1
[ $? = 1 ] && [ "$(grep -c 'neither a run file nor the list' log)" = 2 ] && grep -q '^2 whole, 2 not' log
say $? 'and what is no run file, but a text about the folder'
rm data/runs/MANIFEST~ data/runs/README.md "${file%z}"
line=$(grep "$(basename "$file" .gz)" data/runs/MANIFEST)
grep -v "$(basename "$file" .gz)" data/runs/MANIFEST >list && cp list data/runs/MANIFEST
"$runner" verify >log 2>&1
[ $? = 1 ] && grep -qF "$file: not in data/runs/MANIFEST" log
say $? 'and one that was added by hand'
"$runner" verify --add "$file" >log 2>&1 && grep -qxF "$line" data/runs/MANIFEST && "$runner" verify >>log 2>&1
say $? 'which --add lists'
"$runner" verify --add "$file" >log 2>&1 && [ "$(wc -l <data/runs/MANIFEST)" = 2 ]
say $? 'once'
sed -i "/$(basename "$file" .gz)/{s/^e/f/;t;s/^./e/}" data/runs/MANIFEST
"$runner" verify >log 2>&1
[ $? = 1 ] && grep -q 'its bytes were changed' log
say $? 'a file that is another than the listed one is named, whole as it may be'
"$runner" verify --add "$file" >log 2>&1
[ $? = 1 ] && grep -q 'lists it with another hash' log
say $? 'and is not listed a second time'
echo 'no line' >>data/runs/MANIFEST
"$runner" verify >log 2>&1
[ $? = 1 ] && grep -q '^runner: data/runs/MANIFEST:3:.*expected 64 hex digits' log
say $? 'a list that is none is named with its place'

# --- a file that came from another machine ---

rm -rf data elsewhere came && mkdir came
"$runner" run --device cpu --launches 1 --out elsewhere 'reduce/c_simd:n=2^20,cache=hot' >log 2>&1
theirs=$(echo elsewhere/*/*.jsonl.gz) && there=data/runs/${theirs#elsewhere/}
"$runner" verify --add "$theirs" >log 2>&1
[ $? = 1 ] && grep -q 'there is no data/ here; expected --add at the root' log && [ ! -e data ]
say $? 'is not added where there is no checkout'
mkdir data && cp "$theirs" came/
"$runner" verify --add came/*.jsonl.gz >log 2>&1 && cmp "$theirs" "$there" >>log 2>&1 && "$runner" verify >>log 2>&1 && grep -q "added as $there" log
say $? 'is copied to its place and listed, wherever it lay'
[ "$(stat -c %a "$there")" = 444 ] && [ -z "$(parts)" ]
say $? 'as a file of our own would be'
"$runner" verify --add came/*.jsonl.gz "$there" >log 2>&1 && [ "$(wc -l <data/runs/MANIFEST)" = 1 ]
say $? 'once'
rm "$there" && zcat "$theirs" | head -c 1000 >"$(dirname "$there")/.$(basename "$there" .jsonl.gz).part"
"$runner" verify --add came/*.jsonl.gz >log 2>&1 && cmp "$theirs" "$there" >>log 2>&1 && [ -z "$(parts)" ]
say $? 'also after one that was killed while it copied'
rm "$there" && { zcat "$theirs"; echo; } | gzip -n >"$there"
"$runner" verify --add came/*.jsonl.gz >log 2>&1
[ $? = 1 ] && grep -q "$there: is there already, and is another file" log
say $? 'a file that is there already is never replaced'
printf '#!/bin/bash\n[ "$1" = --version ] && { echo Version 9.8.7.0; exit; }\nwhile [ $# -gt 0 ]; do [ "$1" = --log-file ] && cp %s "$2"; shift; done\n' "$counters" >ncu-quick
chmod +x ncu-quick
"$runner" profile --device cpu --ncu ./ncu-quick --out prof 'reduce/c_simd:n=2^20,cache=hot' >log 2>&1
"$runner" verify --add prof/*/*.jsonl.gz >>log 2>&1 && [ "$(ls data/profiles/*/*.jsonl.gz | wc -l)" = 1 ] && [ "$(ls data/runs/*/*.jsonl.gz | wc -l)" = 1 ]
say $? 'counters go to data/profiles'

# --- ways of measuring ---

rm -rf data
"$runner" run --device cpu --launches 1 --sustained 'reduce/c_simd:n=2^20,cache=hot' >log 2>&1
file=$(records)
zgrep -q '"id":"reduce/c_simd:n=1048576,load=sustained,dtype=f32,cache=hot"' "$file" &&
	node -e '
const l = require("fs").readFileSync(process.argv[1], "utf8").trim().split("\n").map(JSON.parse).filter((r) => r.type === "launch");
const t = l.map((r) => (r.base * r.above_base.length + r.above_base.reduce((a, b) => a + b, 0)) * (r.step_ns ?? 1));
const warm = l.map((r) => r.t_ms);
if (!l.every((r) => r.status === "ok")) throw new Error("not ok");
if (Math.max(...warm) - Math.min(...warm) < 3000) throw new Error("less than three seconds of load: " + warm);' <(zcat "$file") >>log 2>&1
say $? 'load=sustained is a case of its own, after three seconds of calls'
"$runner" run --device cpu --launches 1 'reduce/c_simd:side=host' >log 2>&1
[ $? = 1 ] && grep -q 'nothing to measure on cpu' log
say $? 'side=host is for a GPU'
"$runner" profile --device cpu 'reduce/c_simd:n=2^20,load=sustained' >log 2>&1
[ $? = 1 ] && grep -q 'have no counters of their own' log
say $? 'and a profiler is not asked of either'
printf '#!/bin/sh\n[ "$1" = --version ] && { echo Version 9.8.7.0; exit; }\ntouch asked; exec sleep 600\n' >ncu-asleep
chmod +x ncu-asleep
"$runner" profile --device cpu --ncu ./ncu-asleep --out asleep 'reduce/c_simd:n=2^20' >log 2>&1 &
pid=$!
soon test -e asked
kill -INT $pid
started=$(date +%s)
wait $pid
[ $? != 0 ] && [ $(($(date +%s) - started)) -lt 300 ] && zgrep -q '"status":"partial"' asleep/*/*.jsonl.gz &&
	! zgrep -q '"type":"counters"' asleep/*/*.jsonl.gz
say $? 'Ctrl-C ends a profiler that does not answer, and the file says what is missing'
quick() { "$runner" profile --device cpu --ncu ./ncu-quick --out quick --missing quick "$@" >log 2>&1; }
quick 'reduce/c_simd:n=2^20,cache=hot' && [ "$(ls quick/*/*.jsonl.gz | wc -l)" = 1 ] &&
	quick 'reduce/c_*:n=2^20,cache=hot' && [ "$(ls quick/*/*.jsonl.gz | wc -l)" = 2 ] && ! grep -q '^reduce/c_simd' log &&
	quick 'reduce/c_*:n=2^20,cache=hot' && grep -q '^every case has counters' log
say $? '--missing asks a profiler only for what has no counters of the same code'
"$runner" run --device cpu --dry-run 'reduce/c_simd:n=2^20,cache=hot' 'reduce/c_simd:n=2^20,cache=hot,load=sustained' >log 2>&1 &&
	grep -q 'c_simd:n=1048576,null=1,' log && ! grep -q 'load=sustained,null' log
say $? 'null controls are of the usual way, which is quicker'
