#!/bin/bash
# The runner on a CPU, and everything that may happen to it while it measures:
# Ctrl-C leaves a valid partial file, kill -9 leaves no run file at all, a
# damaged file is named.
set -u
cd "$(dirname "$0")/../.." || exit 1
runner=$(realpath "${BUILD:-build}/runner")
dir=$(mktemp -d)
cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
say() { # STATUS WHAT
	if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; tail -n 20 log; fi
}
records() { find data/runs -name '*.jsonl' 2>/dev/null; }
parts() { find data/runs -name '.*.part' 2>/dev/null; }
measure() { "$runner" run --device cpu "$@"; }

"$runner" check --device cpu --small --seed 3 >log 2>&1
say $? 'every C variant is right on the small cases'
measure --launches 2 --reason 'a test' --seed 5 'reduce/c_*:n=2^20' >log 2>&1
say $? 'a run ends well'
[ "$(records | wc -l)" = 1 ] && [ -z "$(parts)" ]
say $? 'and leaves one file'
first=$(records)
[ "$(stat -c %a "$first")" = 444 ]
say $? 'that nobody may write'
"$runner" verify >log 2>&1
say $? 'verify finds it whole'
grep -q '"reason":"a test"' "$first" && grep -q '"status":"complete"' "$first"
say $? 'it holds the reason and is complete'
"$runner" show "$first" >log 2>&1 && grep -q '^reduce/c_simd:.*2 launches' log
say $? 'show summarises it'
grep -q '"null_ratio":[0-9.]*,' "$first" && grep -q '^null controls: 3, furthest' log
say $? 'and says how noisy the run was'

measure 'reduce/c_smid' >log 2>&1
[ $? = 1 ] && grep -q "no variant 'c_smid'; nearest: c_simd" log
say $? 'a misspelt selector is named with what was near'
measure --launches none >log 2>&1
[ $? = 2 ]
say $? 'a malformed option is a usage error'
measure --budget 1 >log 2>&1
[ $? = 1 ] && grep -q 'select fewer cases' log
say $? 'a budget that is too small is refused'
measure --dry-run >log 2>&1 && grep -q '10 launches' log
say $? 'a dry run prints the plan'
[ "$(records | wc -l)" = 1 ] && [ -z "$(parts)" ]
say $? 'none of these wrote anything'

# interrupt SIGNAL: a run, once it has measured something
interrupt() {
	"$runner" run --device cpu --launches 50 'reduce/c_*' >log 2>&1 &
	local pid=$! part
	for _ in $(seq 200); do
		part=$(parts)
		[ -n "$part" ] && [ "$(grep -c '"type":"launch"' "$part")" -ge 2 ] && break
		sleep 0.05
	done
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
sleep 0.3
! pgrep -f "^$runner run" >/dev/null
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
sed -i 's/"base_ns":1*\([0-9]\)/"base_ns":9\1/' "$file"
damaged 'with an edited sample'
sed -i '$d' "$file"
damaged 'without its end'
truncate -s -20 "$file"
damaged 'cut short'
mv "$file" "${file%.jsonl}x.jsonl"
"$runner" verify >log 2>&1
[ $? = 1 ] && grep -q 'its head says it is' log
say $? 'verify names a file that was renamed'
