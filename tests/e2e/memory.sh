#!/bin/bash
# Allocations that fail: one, or all from one on. Each command must give the right result, or
# fail with a message and lose nothing. tests/fixtures/writers.sh has the commands that write; the
# others must also print what they print else. None may hang. Prints TAP lines.
#
# libgit2 1.5 (Debian 12) dereferences null pointers when it gets no memory. Such crashes
# (SIGSEGV) are counted separately: the command must report them and leave the old site whole. The
# runner does without libgit2, so it may not crash at all.
#
# MEMORY=N tries each command (or those named as arguments) N times instead of a few times,
# SEED=N draws other allocations. MEMORY_SECONDS ends each command's loop by then.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD gen=$(realpath "${BUILD:-build}/site-gen") runner=$(realpath "${BUILD:-build}/runner")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
gcc -O2 -shared -fPIC -o malloc-fails.so "$root/tests/fixtures/malloc-fails.c" || exit 1
. "$root/tests/fixtures/small-site.sh"
. "$root/tests/fixtures/large-log.sh"
. "$root/tests/fixtures/writers.sh"
mkdir tmp && export TMPDIR=$dir/tmp
RANDOM=${SEED:-14}

# --- commands that only print: that is their result ---

printing() { "${@:2}" >out && { [ -e "printed.$1" ] || cp out "printed.$1"; }; } # X COMMAND...
printed() { cmp out "printed.$1"; }
begin_check() { site && begin before; }
run_check() { printing check "$@" "$gen" check -j 2 --root try; }
done_check() { printed check && whole_check; }
whole_check() { equal try/build/site before/build/site; }
begin_audit() { begin_check; }
run_audit() { printing audit "$@" "$gen" audit --data-only --root try "$PWD/built/build/site"; }
done_audit() { printed audit && whole_check; }
whole_audit() { whole_check; }
begin_query() { begin_check; }
run_query() { printing query "$@" "$gen" query -j 2 --root try 'transpose/*'; }
done_query() { printed query && whole_check; }
whole_query() { whole_check; }

# --- trying ---

# Some kernels' tables abort() without a word: records name their sources, so these stay as they are.
has_kernels() { [[ " run pretended resume collect " = *" $1 "* ]]; }
# what the command itself has said, and not the shell about its end
said_nothing() { ! grep -qvE ': line [0-9]+: +[0-9]+ (Aborted|Segmentation fault|Killed)' "$dir/said"; }
preloaded() { timeout -s KILL 60 env LD_PRELOAD="$dir/malloc-fails.so" "$@"; }
wrong() {
	echo "$1: $2=$3: $4"
	sed 's/^/    /' said | tail -n 8
} >>"$dir/wrong"

attempt() { # COMMAND MALLOC_FAIL_AT|FROM N
	local said=$dir/said status
	in_time "$1" preloaded env "$2=$3" timeout -s KILL 60 env LD_PRELOAD="$dir/malloc-fails.so" ||
		wrong "$@" "ended with $status after $((took / 1000000)) s, undisturbed it takes $((healthy / 1000)) ms"
	if [ $status = 0 ]; then
		"done_$1" >>"$said" 2>&1 || wrong "$@" 'ended with 0, with another result'
		return
	fi
	failures=$((failures + 1))
	if [ $status = 139 ]; then
		crashes=$((crashes + 1))
		case $1 in build | check | audit | query | note | close | deploy) ;; *) wrong "$@" 'crashes' ;; esac
	elif [ $status != 134 ] || ! has_kernels "$1"; then
		! said_nothing || wrong "$@" "ended with $status and said nothing"
	fi
	"whole_$1" >>"$said" 2>&1 || wrong "$@" "ended with $status, and something is lost or half-written"
	{ again "$1" && "done_$1"; } >>"$said" 2>&1 || wrong "$@" "ended with $status, and the next time fails"
}

tries() { # COMMAND N: the shell's own words on who aborted are not wanted
	local n most failures=0 crashes=0 tried=0 how status took healthy end=$((SECONDS + ${MEMORY_SECONDS:-100000}))
	: >wrong && : >count
	"begin_$1" && MALLOC_COUNT=$dir/count timed "run_$1" preloaded >said 2>&1 && "done_$1" >>said 2>&1 ||
		{ echo "not ok - $1: fails with all memory"; sed 's/^/# /' said; return; }
	healthy=$took
	most=$(sort -n count | tail -n 1)
	while [ $tried -lt "${MEMORY:-$2}" ] && [ $SECONDS -lt $end ]; do
		tried=$((tried + 1))
		how=MALLOC_FAIL_AT
		[ $((tried % 5)) -ne 0 ] || how=MALLOC_FAIL_FROM
		attempt "$1" $how $(((RANDOM * 32768 + RANDOM) % most + 1)) 2>/dev/null
	done
	if [ -s wrong ]; then
		echo "not ok - $1: memory out at $tried of $most allocations: $(grep -c '^[a-z]' wrong) go wrong"
		sed 's/^/# /' wrong | head -n 60
	else
		echo "ok - $1: memory out at $tried of $most allocations: $failures are reported ($crashes by a crash), no result is wrong"
	fi
}
for what in ${*:-build check audit query note close deploy run pretended collect verify added import exec resume}; do
	case $what in
	build | check | audit | query) tries $what 10 ;;
	*) tries $what 4 ;;
	esac
done
