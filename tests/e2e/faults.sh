#!/bin/bash
# System calls that fail, one at a time. Whatever the call and the error, a command that
# exits with 0 must leave the right result, byte for byte. One that fails must say why, leave
# the old or the new result complete, and leave nothing that disturbs the next command. And none
# may hang: tests/fixtures/writers.sh says what that is, and has the commands that write.
# Prints TAP lines.
#
# FAULTS=N tries each command (or those named as arguments) N times instead of a few times,
# SEED=N draws other faults, FAULTS_KEEP=FOLDER keeps the folders of failures. FAULTS=all tries
# every call of every kind with every error; FAULTS_SECONDS ends each command's loop by then.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD gen=$(realpath "${BUILD:-build}/site-gen") runner=$(realpath "${BUILD:-build}/runner")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
. "$root/tests/fixtures/small-site.sh"
. "$root/tests/fixtures/large-log.sh"
. "$root/tests/fixtures/writers.sh"
commands=${*:-build note close deploy run check typed edited collect verify added import exec python resume posts init new family translated}
mkdir tmp && export TMPDIR=$dir/tmp

# --- output that is lost: no device, so also where nothing can be traced ---

lost=(query check 'explain value transpose/tile rows=16384' 'why content/posts/numbers.md:12' 'diff HEAD' 'config nginx' 'audit ../built/build/site')
[ $# = 0 ] || lost=() # only the named commands
[ $# != 0 ] || site || { echo 'not ok - the site to try on'; exit 1; }
for what in "${lost[@]}"; do
	read -r command arg <<<"$what"
	(cd before && "$gen" "$command" ${arg:+"$arg"} >/dev/full 2>../said)
	if [ $? = 1 ] && grep -q 'cannot write all of the output' said; then
		echo "ok - $command fails where its output is lost"
	else
		echo "not ok - $command fails where its output is lost"
		sed 's/^/# /' said
	fi
done

if ! strace -o /dev/null -e trace=none true 2>/dev/null; then
	echo 'ok - system calls that fail # skip strace cannot trace here'
	exit 0
fi
RANDOM=${SEED:-14}
filter= # stops at the failing kind of call alone, where the kernel can filter
! strace --seccomp-bpf -f -o /dev/null -e trace=openat true 2>/dev/null || filter=--seccomp-bpf

# --- which calls, and which errors ---

# No error here is one that only says that something is not there, or not supported.
errors_of() { # CALL
	case $1 in
	openat | open) echo EIO EMFILE ENFILE ENOMEM EACCES ;;
	read | pread64 | readv | lseek) echo EIO ;;
	getdents64) echo EIO ENOMEM ;;
	newfstatat | fstat | stat | lstat | statx | access | faccessat | faccessat2 | readlink | readlinkat | getcwd | chdir) echo EIO ENOMEM EACCES ;;
	write | pwrite64 | writev | ftruncate) echo EIO ENOSPC EDQUOT ;;
	fsync | syncfs | fdatasync) echo EIO ENOSPC ;;
	close) echo EIO EDQUOT ;;
	mkdir | mkdirat | link | linkat | rename | renameat | renameat2 | symlinkat) echo EIO ENOSPC EROFS EACCES ;;
	unlink | unlinkat | rmdir) echo EIO EROFS EBUSY ;;
	mmap | mremap | brk | mprotect | munmap) echo ENOMEM ;;
	clone | clone3 | fork | vfork) echo EAGAIN ENOMEM ;;
	execve) echo EIO ENOMEM ETXTBSY ;;
	wait4 | waitid) echo ECHILD ;;
	flock | fcntl) echo ENOLCK EIO ;;
	dup2 | dup3 | dup | pipe2 | socketpair | eventfd2) echo EMFILE ;;
	prctl | prlimit64 | setrlimit | umask | sigaltstack | rt_sigprocmask | rt_sigaction) echo EPERM ;;
	landlock_create_ruleset | landlock_add_rule | landlock_restrict_self) echo ENOSYS EMFILE EPERM ;;
	fchmod | fchmodat | utimensat) echo EIO EPERM ;;
	esac
}

calls() { strace -f -qq -o "$dir/trace" "$@"; } # COMMAND...
# "CALL N ERRORS" for each kind of call that the traced command made, N times at most in one process
kinds() {
	awk '{ sub(/\(.*/, "", $2) } $2 ~ /^[a-z_0-9]+$/ { n = ++count[$1, $2]; if (n > most[$2]) most[$2] = n }
		END { for (c in most) print c, most[c] }' "$dir/trace" | sort |
		while read -r call n; do
			errors=$(errors_of "$call")
			[ -z "$errors" ] || echo "$call $n $errors"
		done
}

# --- trying ---

# A site with a typed number, and a published site with an edited digit: no fault lets them pass.
begin_typed() { site && begin before && echo 'It takes 12 µs.' >>try/content/posts/plot.md; }
refused() { # RULE COMMAND...: 0 if the command refuses by the rule
	local said status=0
	said=$("${@:2}" 2>&1) || status=$?
	echo "$said"
	[ $status = 0 ] && echo 'IT PASSES' && return 1
	grep -q "\[$1\]\$" <<<"$said" && return "$((status != 1))"
	return "$status"
}
passes_none() { ! grep -q 'IT PASSES' "$dir/said"; }
run_typed() { refused traced "$@" "$gen" check -j 2 --root try; }
done_typed() { passes_none; }
whole_typed() { passes_none; }

begin_edited() {
	site && [ -d edited ] || { # a digit of a number, and the manifest mended
		cp -a built edited && chmod -R u+w edited/build/site
		local page=posts/numbers/index.html site=edited/build/site old new
		old=$(sha256sum <$site/$page | cut -d ' ' -f 1)
		sed -i -E '0,/(<a class="num"[^>]*>)[0-9]/s//\19/' $site/$page
		new=$(sha256sum <$site/$page | cut -d ' ' -f 1)
		sed -i "s/$old/$new/" $site/manifest.json
	}
	[ -d try ] && [ -d try/content ] || begin edited # the audit changes nothing
}
run_edited() { refused traced "$@" "$gen" audit --data-only --preview --root edited edited/build/site; }
done_edited() { passes_none; }
whole_edited() { passes_none; }

begin_check() { site && begin before; }
run_check() { "$@" "$gen" check -j 2 --root try; }
done_check() { equal try/build/site before/build/site && grep -q 'no problems' "$dir/said"; }
whole_check() { equal try/build/site before/build/site; }

# attempt COMMAND CALL ERROR N: one fault; a line in $dir/wrong if anything is not as it must be
attempt() {
	local said=$dir/said status
	in_time "$1" "strace -f -qq -o /dev/null" timeout -s KILL 60 \
		strace $filter -f -qq -o /dev/null -e "trace=$2" -e "inject=$2:error=$3:when=$4" ||
		wrong "$@" "ended with $status after $((took / 1000000)) s, undisturbed it takes $((healthy / 1000)) ms"
	if [ $status = 0 ]; then
		"done_$1" >>"$said" 2>&1 || wrong "$@" 'ended with 0, with another result'
		return
	fi
	failures=$((failures + 1))
	[ -s "$said" ] || [ "$2" = write ] || wrong "$@" "ended with $status and said nothing" # that write may be the message
	"whole_$1" >>"$said" 2>&1 || wrong "$@" "ended with $status and left neither the old nor the new"
	{ again "$1" && "done_$1"; } >>"$said" 2>&1 || wrong "$@" "ended with $status, and the next time fails"
}
wrong() {
	echo "$1: $2=$3 at call $4: $5"
	sed "s/^/    /" "$dir/said" | tail -n 8
	[ -z "${FAULTS_KEEP:-}" ] || { mkdir -p "$FAULTS_KEEP" && cp -a try "$FAULTS_KEEP/$1-$2-$3-$4"; }
} >>"$dir/wrong"

# faults_of N: lines "CALL ERROR N" to try, of the calls in all[], in a random order
faults_of() {
	local line call n errors i error
	if [ "${FAULTS:-}" = all ]; then
		for line in "${all[@]}"; do
			read -r call n errors <<<"$line"
			for error in $errors; do
				for i in $(seq "$n"); do echo "$RANDOM $call $error $i"; done
			done
		done | sort | cut -d ' ' -f 2-
		return
	fi
	for _ in $(seq "${FAULTS:-$1}"); do
		line=${all[RANDOM % ${#all[@]}]}
		read -r call n errors <<<"$line"
		read -ra errors <<<"$errors"
		echo "$call ${errors[RANDOM % ${#errors[@]}]} $((RANDOM % n + 1))"
	done
}
# tries COMMAND N: N faults drawn; each kind of call is as likely
tries() {
	local all=() call n errors failures=0 tried=0 end=$((SECONDS + ${FAULTS_SECONDS:-100000}))
	"begin_$1" && timed "run_$1" calls >"$dir/said" 2>&1 && healthy=$took && mapfile -t all < <(kinds)
	[ ${#all[@]} -gt 0 ] || { echo "not ok - $1: nothing to begin with"; return; }
	: >"$dir/wrong"
	faults_of "$2" >"$dir/faults"
	while read -r call errors n && [ $SECONDS -lt $end ]; do
		attempt "$1" "$call" "$errors" "$n" </dev/null
		tried=$((tried + 1))
	done <"$dir/faults"
	if [ -s "$dir/wrong" ]; then
		echo "not ok - $1: $tried of $(wc -l <"$dir/faults") system calls that fail, of ${#all[@]} kinds: $(grep -c '^[a-z]' "$dir/wrong") go wrong"
		sed 's/^/# /' "$dir/wrong" | head -n 60
	else
		echo "ok - $1: $tried of $(wc -l <"$dir/faults") system calls that fail, of ${#all[@]} kinds: $failures are reported, no result is wrong"
	fi
}
for what in $commands; do
	case $what in
	build) tries build 12 ;;
	python) if has_python; then tries python 2; else echo 'ok - python: system calls that fail # skip no shared library of Python'; fi ;;
	note | close | deploy | run | import | exec) tries "$what" 5 ;;
	*) tries "$what" 3 ;;
	esac
done
