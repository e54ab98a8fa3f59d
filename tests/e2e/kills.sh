#!/bin/bash
# kill -9 at system calls that change something, in the commands that write
# (tests/fixtures/writers.sh), and in a build on a file system without RENAME_EXCHANGE. Afterwards
# the old or the new result must be complete, and the next command must work and not hang. A build
# after a saved post moves its files one by one: there each file must be the old or the new one, and
# the next build must make all of them new. Also two writers of the log of published numbers at
# once. Prints TAP lines.
#
# KILLS=N kills each command (or those named as arguments) N times instead of a few times, SEED=N at
# other calls. KILLS_SECONDS ends each command's loop by then.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD gen=$(realpath "${BUILD:-build}/site-gen") runner=$(realpath "${BUILD:-build}/runner")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
if ! strace -o /dev/null -e trace=none true 2>/dev/null; then
	echo 'ok - kills at system calls # skip strace cannot trace here'
	exit 0
fi
. "$root/tests/fixtures/small-site.sh"
. "$root/tests/fixtures/large-log.sh"
. "$root/tests/fixtures/writers.sh"
mkdir tmp && export TMPDIR=$dir/tmp
RANDOM=${SEED:-14}
changing=write,pwrite64,fsync,syncfs,fchmod,ftruncate,mkdir,mkdirat,link,linkat,rename,renameat,renameat2,unlink,unlinkat
say() { # STATUS WHAT
	if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; sed 's/^/# /' "$dir/log" | head -n 20; fi
}

# The calls of the main process and of its children, each with how many one process makes.
calls() { strace -f -qq -e trace=$changing -o "$dir/trace" "$@" >/dev/null 2>&1; }
kinds() {
	awk '{ sub(/\(.*/, "", $2) } $2 ~ /^[a-z_0-9]+$/ { n = ++count[$1, $2]; if (n > most[$2]) most[$2] = n }
		END { for (c in most) print c, most[c] }' trace | sort
}
kills() { # COMMAND N
	local all call n killed=0 bad=0 i=0 healthy status took end=$((SECONDS + ${KILLS_SECONDS:-100000}))
	: >log
	begin_"$1" && timed run_"$1" calls && healthy=$took && mapfile -t all < <(kinds) || { say 1 "$1: begins"; return; }
	while [ $i -lt "${KILLS:-$2}" ] && [ $SECONDS -lt $end ]; do
		read -r call n <<<"${all[i % ${#all[@]}]}"
		n=$((RANDOM % n + 1)) i=$((i + 1))
		in_time "$1" "strace -f -qq -o /dev/null" timeout -s KILL 60 \
			strace -f -qq -o /dev/null -e trace="$call" -e inject="$call:signal=KILL:when=$n" || echo 'it hangs' >>said
		[ $status = 0 ] || killed=$((killed + 1))
		if grep -q 'it hangs' said || ! { whole_"$1" && { done_"$1" || { timed again "$1" && done_"$1" && [ $took -lt $((healthy + 2 * LIMIT_US)) ]; }; }; } >>said 2>&1; then
			bad=$((bad + 1))
			{ echo "$call, call $n:" && cat said; } >>log
		fi
	done 2>/dev/null
	test $bad = 0
	say $? "$1: killed $killed of $i times, always the old or the new, and the next is whole"
}
# a build after a saved post, which moves its files one by one
save_post() { printf '\nText.\n' >>try/content/posts/plot.md; }
publish_try() { begin before && rm -rf try/build/site && run_saved && sleep 0.1; } # a copy would be built anew
make_saved() {
	publish_try && cp -a try/build/site unsaved && save_post && "$gen" build -q -j 2 --root try --whole --no-sync --out "$dir/saved" &&
		strace -f -qq -e trace=renameat -o trace "$gen" build -q -j 2 --root try && done_saved && grep -q 'index.html' trace
}
begin_saved() { site && made saved make_saved && publish_try && save_post; }
run_saved() { "$@" "$gen" build -q -j 2 --root try; }
done_saved() { equal try/build/site saved && [ "$(cd try/build && echo site*)" = 'site site.lock' ]; }
either_file() { cmp -s "try/build/site/$1" "unsaved/$1" || cmp -s "try/build/site/$1" "saved/$1"; }
whole_saved() {
	local f
	for f in $(cd try/build/site && find . -type f); do
		either_file "$f" || { echo "$f is neither"; return 1; }
	done
}

# the named ones alone, or all and what follows
for what in ${*:-note close deploy saved collect verify added import exec run resume translated}; do
	case $what in
	close | saved) kills $what 8 ;;
	run | resume) kills $what 4 ;; # tests/unit/runner/records/test_journal.c tries a thousand
	*) kills "$what" 6 ;;
	esac
done
[ $# = 0 ] || exit 0

# --- two renames ---

two_renames() { # STRACE-OPTION...: builds where nothing can be exchanged
	strace -f -qq -o /dev/null -e trace=renameat2,rename -e inject=renameat2:error=ENOSYS "$@" "$gen" build -q -j 2 --root try
}
bad=0 gone=0 n=0 status=1
: >log
while [ $status != 0 ] && [ $n -lt 40 ]; do
	n=$((n + 1))
	rm -rf try && cp -a before try
	rm -rf try/build/cache && cp -a built/build/cache try/build/ # no rename but those of publishing, and of the stamp
	two_renames -e inject=rename:signal=KILL:when=$n >said 2>&1
	status=$?
	if [ ! -e try/build/site ]; then
		gone=$((gone + 1))
		equal try/build/site.replaced before/build/site >>said || bad=$((bad + 1))
	else
		either try/build/site before/build/site built/build/site >>said || bad=$((bad + 1))
	fi
	for _ in 1 2 3; do # it once was the third that failed
		touch try/content/posts/plot.md
		two_renames >>said 2>&1 && equal try/build/site built/build/site >>said || bad=$((bad + 1))
	done
	[ "$(cd try/build && echo site*)" = 'site site.lock' ] || bad=$((bad + 1))
	[ $bad = 0 ] || cat said >>log
done 2>/dev/null
test $bad = 0 && test $status = 0 && test $gone -gt 0
say $? "without RENAME_EXCHANGE: killed at each of $((n - 1)) renames, the next three builds are whole"

# --- the log of published numbers, by two at once ---

rm -rf try && cp -a before try
# while it waits for its turn, somebody adds a line who has never heard of turns
exec 9<try/data && flock 9
"$gen" note -q --root try >said 2>&1 9<&- &
for _ in $(seq 1000); do grep -q -- "->.*:$(stat -c %i try/data) " /proc/locks && break; sleep 0.02; done
line='{"page":"/x/","number":"h200 x/y:n=1 time","text":"1 ns","value":1,"unit":"s","run":"R","format":"1","noted":"2026-01-02"}'
echo "$line" >>try/data/published.jsonl
exec 9<&-
! wait $! 2>log && grep -qxF "$line" try/data/published.jsonl && grep -q 'has changed since this note began' said
say $? 'a line that somebody adds while a note is made is not lost'
rm -rf try && cp -a before try
"$gen" note -q --root try 2>log & one=$!
"$gen" note -q --root try 2>>log & two=$!
wait $one; s1=$?
wait $two; s2=$?
test $((s1 * s2)) = 0 && done_note >>log
say $? 'of two notes at once one is written, and none twice'
