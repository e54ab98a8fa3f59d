#!/bin/bash
# Allocations that fail: one, or all from one on. Each command must give the right result, or
# fail with a message and leave the old site as it was. Prints TAP lines.
#
# libgit2 1.5 (Debian 12) dereferences null pointers when it gets no memory. Such crashes
# (SIGSEGV) are counted separately: the command must report them and leave the old site whole.
#
# MEMORY=N tries each command (or those named as arguments) N times instead of a few times,
# SEED=N draws other allocations.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD gen=$(realpath "${BUILD:-build}/site-gen")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
gcc -O2 -shared -fPIC -o malloc-fails.so "$root/tests/fixtures/malloc-fails.c" || exit 1
. "$root/tests/fixtures/small-site.sh"
small_site "$gen" "$root" || { echo 'not ok - the site to try on'; exit 1; }
mkdir tmp && export TMPDIR=$dir/tmp
RANDOM=${SEED:-14}

# What a command prints counts as its result, too.
command_of() {
	case $1 in
	build) echo build -q -j 2 --root "$2" ;;
	check) echo check -j 2 --root "$2" ;;
	audit) echo audit --data-only --root "$2" "$PWD/built/build/site" ;;
	query) echo query -j 2 --root "$2" 'transpose/*' ;;
	esac
}
# without memory that fails a command runs as it does for everybody
preloaded() { timeout -s KILL 60 env LD_PRELOAD="$dir/malloc-fails.so" "$@"; }
first_line() { # the plain result of a command, kept to compare with
	rm -rf try && cp -a before try
	# shellcheck disable=SC2046
	MALLOC_COUNT=$dir/count preloaded "$gen" $(command_of "$1" try) >wanted 2>said
}

wrong() {
	echo "$1: $2=$3: $4"
	sed 's/^/    /' said | head -n 8
} >>"$dir/wrong"

attempt() { # COMMAND MALLOC_FAIL_AT|FROM N
	local status=0
	[ "$1" != build ] || { rm -rf try && cp -a before try; }
	# shellcheck disable=SC2046
	preloaded "$2=$3" "$gen" $(command_of "$1" try) >out 2>said || status=$?
	if [ $status = 0 ]; then
		cmp -s out wanted || wrong "$@" 'ended with 0, and printed something else'
		[ "$1" != build ] || diff -rq try/build/site built/build/site >>said || wrong "$@" 'ended with 0, with another site'
		return
	fi
	failures=$((failures + 1))
	[ $status != 139 ] || crashes=$((crashes + 1))
	[ $status != 137 ] || wrong "$@" 'did not end'
	[ -s said ] || wrong "$@" "ended with $status and said nothing"
	diff -rq try/build/site before/build/site >>said || wrong "$@" "ended with $status, and the old site is gone"
}

tries() { # COMMAND N: the shell's own words on who aborted are not wanted
	local n most failures=0 crashes=0 how
	: >wrong && : >count
	first_line "$1"
	most=$(sort -n count | tail -n 1)
	rm -rf try && cp -a before try
	for n in $(seq "${MEMORY:-$2}"); do
		how=MALLOC_FAIL_AT
		[ $((n % 5)) -ne 0 ] || how=MALLOC_FAIL_FROM
		attempt "$1" $how $(((RANDOM * 32768 + RANDOM) % most + 1)) 2>/dev/null
	done
	if [ -s wrong ]; then
		echo "not ok - $1: memory out at ${MEMORY:-$2} of $most allocations: $(grep -c '^[a-z]' wrong) go wrong"
		sed 's/^/# /' wrong | head -n 60
	else
		echo "ok - $1: memory out at ${MEMORY:-$2} of $most allocations: $failures are reported ($crashes by a crash), no result is wrong"
	fi
}
for what in "${@:-build check audit query}"; do
	for one in $what; do tries "$one" 16; done
done
