#!/bin/bash
# Runs under bad conditions: a full disk, a read-only folder, a clock that jumps, two runners
# at once, a process that is killed or hangs, kill -9 of the runner itself. The unit tests
# runner/records/test_journal and lib/test_record_bytes try a thousand kills and every byte.
set -u
cd "$(dirname "$0")/../.." || exit 1
runner=$(realpath "${BUILD:-build}/runner")
dir=$(mktemp -d)
cd "$dir" || exit 1
mounted=
finish() {
	[ -z "$mounted" ] || umount "$dir/small"
	rm -rf "$dir"
}
trap finish EXIT
say() { # STATUS WHAT
	if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; tail -n 20 log; fi
}
case=reduce/c_simd:n=2^20,cache=hot
measure() { "$runner" run --device cpu "$@"; }
records() { find "${1:-data/runs}" -name '*.jsonl.gz' 2>/dev/null; }
parts() { find "${1:-data/runs}" -name '.*.part' 2>/dev/null; }
begun() { # N: wait until a part holds N launches
	for _ in $(seq 6000); do
		part=$(parts)
		[ -n "$part" ] && [ "$(grep -c '"type":"launch"' "$part")" -ge "$1" ] && return
		sleep 0.02
	done
	return 1
}
clean() { rm -rf data; }

# --- a disk that is full: by the limit of a file's size, and for real ---

# with SIGXFSZ ignored, a write beyond 12 KiB fails as on a full disk
(trap '' XFSZ; ulimit -f 12; measure --launches 20 "$case") >out 2>log
[ $? = 1 ] && grep -q 'part: cannot write: File too large' log
say $? 'a write that fails ends the run and is named'
for f in $(records); do "$runner" verify "$f"; done >>log 2>&1 && [ "$(records | wc -l)" -le 1 ]
say $? 'what is left of it is whole, or only a part'
"$runner" resume >out 2>log && [ -z "$(parts)" ]
say $? 'with room again it can be resumed'
clean
mkdir small
if mount -t tmpfs -o size=24k tmpfs small 2>log; then
	mounted=1
	measure --launches 40 --out small "$case" >out 2>log
	[ $? = 1 ] && grep -q 'No space left on device' log
	say $? 'a full disk ends the run and is named'
	for f in $(records small); do "$runner" verify "$f" || false; done >>log 2>&1
	say $? 'no file on it is corrupt'
	mount -o remount,ro small
	measure --launches 1 --out small "$case" >out 2>log
	[ $? = 1 ] && grep -q 'Read-only file system' log
	say $? 'a folder that is read-only is named'
else
	echo 'ok - a full disk # skip cannot mount'
fi
touch file
measure --launches 1 --out file "$case" >out 2>log
[ $? = 1 ] && grep -q 'file' log && [ ! -s file ]
say $? 'so is a file in the place of the folder'

# --- words that are no text, and nobody to hear ---

measure --launches 2 --reason $'caf\xe9' --out $'a b\xff\nc' "$case" >out 2>log && "$runner" verify $'a b\xff\nc'/*/*.jsonl.gz >>log 2>&1
say $? 'arguments that are no UTF-8 leave a file that can be read'
rm -rf a\ b*
# the reader of its messages ends first, as `tee` does on the same Ctrl-C
mkfifo ear
measure --launches 4 "$case" >ear 2>&1 &
pid=$!
head -n 1 <ear >log
wait $pid
"$runner" verify >>log 2>&1 && grep -q ': complete' log
say $? 'a run whose messages nobody reads any more is complete'
clean

# --- clocks ---

cat >jump.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
/* Wall clocks jump a day at each look, forth and back, and stay behind the sources' commit:
 * a run that begins before it is refused. */
static time_t jump(void)
{
	static int looks;
	return looks++ % 2 ? 2 * 86400 : 86400;
}
int clock_gettime(clockid_t id, struct timespec *t)
{
	int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
	int r = real(id, t);
	if (id == CLOCK_REALTIME)
		t->tv_sec += jump();
	return r;
}
time_t time(time_t *out)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	if (out)
		*out = t.tv_sec;
	return t.tv_sec;
}
C
if gcc -shared -fPIC -o jump.so jump.c -ldl 2>log; then
	[ "$(LD_PRELOAD=$PWD/jump.so ASAN_OPTIONS=verify_asan_link_order=0 date +%F)" != "$(date +%F)" ]
	say $? 'a clock that jumps'
	LD_PRELOAD=$PWD/jump.so ASAN_OPTIONS=verify_asan_link_order=0 "$runner" run --device cpu --launches 3 "$case" >out 2>log
	say $? 'does not disturb a run'
	"$runner" verify >log 2>&1 && node -e '
const l = require("fs").readFileSync(process.argv[1], "utf8").trim().split("\n").map(JSON.parse).filter((r) => r.type === "launch");
const t = l.map((r) => r.t_ms), ns = l.flatMap((r) => r.above_base.map((x) => (x + r.base) * (r.step_ns ?? 1)));
if (!l.every((r) => r.status === "ok") || t.some((x, i) => x < 0 || x > 3600e3 || (i && x < t[i - 1])) || ns.some((x) => x > 3600e9))
	throw new Error("times: " + t);' <(zcat "$(records)") >>log 2>&1
	say $? 'its times are those of a clock that cannot jump'
fi
clean

# --- two at once ---

measure --launches 3 "$case" >one 2>log &
first=$!
measure --launches 3 "$case" >two 2>>log
second=$?
wait $first && [ $second = 0 ] && [ "$(records | wc -l)" = 2 ] && ! cmp -s one two
say $? 'two runners in one folder write two files'
"$runner" verify >log 2>&1 && grep -q '^2 whole, 0 not' log && [ -z "$(parts)" ]
say $? 'both whole'
clean

# --- a process that dies, one that hangs, and a runner that is killed ---

"$runner" run --device cpu --launches 40 --timeout 1 "$case" 'reduce/c_scalar:n=2^20,cache=hot' >out 2>log &
pid=$!
begun 2
# struck SIGNAL STATUS: a process has it, and the launch says so
struck() {
	for _ in $(seq 30); do # one may just have been done with its last case, or be none
		kill "-$1" "$(pgrep -P $pid | tail -n 1)" 2>>log || { sleep 0.01; continue; }
		for _ in $(seq 25); do
			grep -q "\"status\":\"$2\"" "$(parts)" 2>/dev/null && return
			sleep 0.1
		done
	done
}
struck KILL signal:9
struck STOP timeout
wait $pid
[ $? = 1 ]
say $? 'launches that fail are said in the exit status'
file=$(records)
zgrep -q '"status":"signal:9"' "$file" && zgrep -q '"status":"timeout"' "$file"
say $? 'a signal and a silence are recorded as what they were'
"$runner" verify "$file" >log 2>&1 && grep -q ': complete' log
say $? 'and the run is complete'
clean

# halted: stops a run halfway; on a slow machine it may have ended before
halted() {
	clean
	"$runner" run --device cpu --launches 6 --seed 4 "$case" >out 2>log &
	pid=$!
	begun 4 && kill -STOP $pid && [ -n "$(parts)" ] && [ "$(grep -c '"type":"launch"' "$(parts)")" -lt 12 ] && return
	kill -KILL $pid
	wait $pid
}
for _ in $(seq 20); do halted && break; done 2>>log
"$runner" resume >out 2>log
[ $? = 1 ] && grep -q 'a runner is writing it' log
say $? 'a run under way is not resumed'
kill -9 $pid
wait $pid 2>/dev/null
part=$(parts)
grep '"type":"launch"' "$part" >before
"$runner" verify >log 2>&1
[ -n "$part" ] && [ -z "$(records)" ]
say $? 'kill -9 leaves a part, and no record'
mkdir kept && cp -r data kept
"$runner" resume >out 2>log && "$runner" verify >>log 2>&1 && grep -q ': complete, 1 cases, 6 launches' log
say $? 'resumed, it is complete'
file=$(cat out)
zcat "$file" >lines
grep -c '"type":"resumed"' lines | grep -qx 1 && head -n -1 before | grep -vxFf lines >log
[ ! -s log ] && [ "$(sed -n 's/.*"type":"launch","case":\([0-9]*\),"i":\([0-9]*\),.*/\1 \2/p' lines | sort | uniq -d | wc -l)" = 0 ]
say $? 'with every launch that was there, and none twice'
cd kept && "$runner" resume --close >out 2>log && "$runner" verify >>log 2>&1 && grep -q ': partial' log
say $? 'closed, it is partial'
cd .. && mkdir over && head -n -1 lines >"over/.$(basename "$file" .jsonl.gz).part"
"$runner" resume --close over >out 2>log && zcat "$(cat out)" | tail -n 1 | grep -q '"status":"complete"'
say $? 'closed where only its end is missing, it is complete'
cd kept
cd ..
mkdir -p data/runs && head -n 1 lines >data/runs/.20260101T000000Z-x-00000000.part
"$runner" resume >out 2>log && grep -q 'nothing was measured: removed' log && [ -z "$(parts)" ]
say $? 'a part that has its head and perhaps not all of its cases is removed'
printf '{"type":"run","sch' >data/runs/.20260101T000000Z-x-00000000.part
"$runner" resume >out 2>log && grep -q 'nothing was measured: removed' log && [ -z "$(parts)" ]
say $? 'a part without a head is removed'
clean

# --- a collector that is killed ---

"$runner" plan --device cpu --launches 4 --shards 2 --seed 7 "$case" >out 2>log
for k in 1 2; do "$runner" run --plan plan.json --shard $k --out shards/$k; done >>log 2>&1
# what timed out too often is only recorded, and its place may be that of another
sealed=$(records shards/1)
part=$(dirname "$sealed")/.$(basename "$sealed" .jsonl.gz).part
zcat "$sealed" | head -n -1 | sed 's/"at":[0-9]*/"at":0/' >"$part" && rm -rf "$sealed" shards/1/MANIFEST
"$runner" resume --close shards >>log 2>&1
"$runner" collect plan.json shards >out 2>>log
file=$(cat out)
"$runner" verify >>log 2>&1 && grep -q ': complete, 1 cases, 4 launches' log && [ "$(zgrep -c '"type":"launch"' "$file")" = 8 ]
say $? 'what is collected has every launch, also two at one place'
part=$(dirname "$file")/.$(basename "$file" .jsonl.gz).part
mv "$file" collected
remains() { # HOW MUCH of its lines, to the part; also as the run file, not listed yet, if LINKED
	rm -f "$file" "$part" data/runs/MANIFEST
	zcat collected | head -c "$1" >"$part"
	[ -z "${2-}" ] || cp collected "$file"
}
whole() { cmp "$file" collected >>log 2>&1 && "$runner" verify >>log 2>&1 && [ -z "$(parts)" ]; }
half=$(($(zcat collected | wc -c) * 3 / 4)) # behind the list of cases
remains $half && "$runner" collect plan.json shards >out 2>log && whole
say $? 'what it left half written is collected anew'
remains 99999999 && "$runner" collect plan.json shards >out 2>log && whole
say $? 'what lacked only its name gets it'
remains 99999999 linked && "$runner" collect plan.json shards >out 2>log && whole
say $? 'what lacked only its line in the list gets it'
remains $half && "$runner" resume --close >out 2>log && grep -q 'makes it again: removed' log && [ -z "$(records)$(parts)" ]
say $? 'half of it is no partial run to resume'
"$runner" collect plan.json shards >out 2>log && whole && ! "$runner" collect plan.json shards >out 2>log && grep -q 'collected already' log
say $? 'and is collected once'
