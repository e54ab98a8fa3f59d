#!/bin/bash
# tests/golden/site.sh CASE DIR - makes DIR the site of a golden case: the files in
# CASE/site, and those that it shares with others. CASE/shared lists these, one per line:
# the path in the site, then a file or folder of tests/golden (shared/x, or CASE/site/x of
# another case), or /x at the root of the repository. They are no symbolic links, because
# not every archive and checkout keeps those.
set -eu
to=$(realpath -m "$2")
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

# compose CASE DIR
compose() {
	local path from
	mkdir -p "$2"
	[ ! -d "$1/site" ] || cp -r "$1/site/." "$2/"
	[ -e "$1/shared" ] || return 0
	while read -r path from; do
		mkdir -p "$(dirname "$2/$path")"
		case $from in
		/*) from=$root$from ;;
		*/site/*)
			[ -d "$made/${from%%/*}" ] || compose "${from%%/*}" "$made/${from%%/*}"
			from=$made/${from%%/*}/${from#*/site/}
			;;
		esac
		cp -r "$from" "$2/$path"
	done <"$1/shared"
}

compose "$1" "$to"
