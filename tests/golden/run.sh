#!/bin/bash
# tests/golden/run.sh [CASE...] - builds small sites and compares the output with what is
# expected; prints TAP lines. BLESS=1 accepts the output as it is now.
#
# A case is a folder:
#   site/       the root of a small repository: content/, data/, …. Templates and static
#               files that a case lacks come from look/.
#   shared      a list of the files that it shares with other cases (see site.sh)
#   args        arguments of site-gen; without this file, "build"
#   git         if present, the site is committed first, with fixed dates. Paths listed
#               in it, one per line, go into the first commit, with the kernels.
#   expected/   files of build/site, which must come out exactly like this; its
#               stdout.txt is the output of the command
#   whole       if present, expected/ must be all of build/site, except manifest.json,
#               which has the digests of the rest
#   error.txt   instead of expected/: the command must fail, print this to stderr, and
#               publish nothing
# To add one, make the folder with site/ and an empty expected/NAME for each file to
# keep, or an empty error.txt. Run `BLESS=1 tests/golden/run.sh CASE` and read what it
# wrote.
set -u
cd "$(dirname "$0")" || exit 1
root=$(cd ../.. && pwd)
gen=$(realpath "$root/${BUILD:-build}/site-gen" 2>/dev/null || realpath "${BUILD:-build}/site-gen")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# The first commit has only the kernels and the files that the case names. So the id of
# the commit at which a run was "measured" depends on nothing else, and a fixture can
# name it.
commit() {
	git -C "$1" init -q -b main || return 1
	local what early at=2025-12-31T03:04:05Z
	mapfile -t early <"$2"
	for what in kernels .; do
		[ $what = kernels ] || at=2026-01-06T03:04:05Z # after the posts' days
		[ -d "$1/$what" ] || continue
		git -C "$1" add -A "$what" "${early[@]}" &&
			GIT_AUTHOR_DATE=$at GIT_COMMITTER_DATE=$at \
				git -C "$1" -c user.name=Golden -c user.email=golden@example.org \
				commit -q -m 'golden site' || return 1
	done
}

# prepare CASE DIR: copies the site, commits it if the case asks for that, and adds the
# look without committing it, so that the id of HEAD depends on the site alone
prepare() {
	./site.sh "$1" "$2" || return 1
	[ ! -e "$1/git" ] || commit "$2" "$1/git" || return 1
	mkdir -p "$2/templates" "$2/static"
	cp -rn look/templates/. "$root/templates/plots" "$2/templates/"
	cp -rn look/static/. "$2/static/"
}

# accept CASE DIR: makes the output the expected one
accept() {
	local f
	if [ -e "$1/error.txt" ]; then
		cp "$2.err" "$1/error.txt"
	elif [ -e "$1/whole" ]; then
		rm -rf "$1/expected"
		cp -r "$2/build/site" "$1/expected"
		rm "$1/expected/manifest.json"
	else
		(cd "$1/expected" && find . -type f) | while read -r f; do
			[ "$f" = ./stdout.txt ] && cp "$2.out" "$1/expected/stdout.txt" ||
				cp "$2/build/site/$f" "$1/expected/$f"
		done
	fi
}

# compare CASE DIR: prints differences
compare() {
	local f
	if [ -e "$1/error.txt" ]; then
		diff -u "$1/error.txt" "$2.err"
		[ ! -e "$2/build/site" ] || echo "build/site was published"
		[ "$3" -eq 1 ] || echo "exit status $3, expected 1"
		return
	fi
	[ "$3" -eq 0 ] || { echo "exit status $3"; cat "$2.err"; }
	if [ -e "$1/whole" ]; then
		diff -ru -x manifest.json "$1/expected" "$2/build/site"
		return
	fi
	(cd "$1/expected" && find . -type f | sort) | while read -r f; do
		[ "$f" = ./stdout.txt ] && diff -u "$1/expected/stdout.txt" "$2.out" && continue
		[ "$f" = ./stdout.txt ] || diff -u "$1/expected/$f" "$2/build/site/$f"
	done
}

one() {
	local name=$1 dir=$work/$1 args=(build) said
	prepare "$name" "$dir" || { echo "not ok - $name: cannot prepare"; return 1; }
	[ ! -e "$name/args" ] || eval "args=($(cat "$name/args"))"
	(cd "$dir" && "$gen" "${args[@]}") >"$dir.out" 2>"$dir.err" </dev/null
	local code=$?
	[ -z "${BLESS:-}" ] || accept "$name" "$dir"
	said=$(compare "$name" "$dir" $code 2>&1)
	if [ -z "$said" ]; then
		echo "ok - $name"
	else
		echo "not ok - $name"
		echo "$said" | sed 's/^/# /'
		return 1
	fi
}

cases=("$@")
[ ${#cases[@]} -gt 0 ] || for d in */; do [ ! -d "$d/site" ] && [ ! -e "$d/shared" ] || cases+=("${d%/}"); done
for c in "${cases[@]}"; do one "$c" || status=1; done
exit $status
