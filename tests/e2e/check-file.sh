#!/bin/bash
# `site-gen check FILE...`: what is wrong in these texts, as an editor asks whenever one is saved,
# and nothing about the others. Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
gen=$(realpath "${BUILD:-build}/site-gen")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ok() { if "${@:2}" >"$dir/said" 2>&1; then echo "ok - $1"; else echo "not ok - $1"; sed 's/^/# /' "$dir/said" "$dir/check" | head -20; fi; }
tests/golden/site.sh numbers "$dir/site" || exit 1
cd "$dir/site" || exit 1
post() { printf -- '---\ntitle: %s\ndescription: What %s says\ndate: 2025-12-01\n---\n%s\n' "$1" "$1" "$2" >"content/posts/$1.md"; }
check() { "$gen" check "$@" >"$dir/check" 2>&1; }
wrong() { ! check "$@"; }
says() { [ "$(grep -c . "$dir/check")" = "$1" ] && grep -qF "$2" "$dir/check"; }

post good 'It copies.'
post bad 'It reaches <<bench:value transpose/nowhere>>.'
post worse 'It reaches <<bench:valve transpose/naive>>.'
ok 'a good text passes' check content/posts/good.md
ok 'and says so in a line' says 1 '1 file, no problems'
ok 'it passes quietly' check --quiet content/posts/good.md
ok 'without a word' test ! -s "$dir/check"
ok 'a bad text does not pass' wrong content/posts/bad.md
ok 'and is told alone' says 1 'content/posts/bad.md:6:36: family'
ok 'neither do two' wrong content/posts/bad.md content/posts/good.md content/posts/worse.md
ok 'and both are told' says 2 'content/posts/worse.md:6:20: no placeholder kind'
ok 'a text of no page is refused' wrong content/posts/none.md
ok 'and named' says 1 'content/posts/none.md: is the text of no page'
ok 'in another folder, too' check --root . content/posts/good.md
ok 'nothing was published' test ! -e build/site

# It loads the records that a text can ask for (records/need.h). So it must find what a check of the
# whole site finds, whatever is wrong: each placeholder of a post is spoilt in turn.
spoil() { # FILE LINE HOW
	case $3 in
	0) sed -i "$2s|\(<<bench:[a-z-]* [a-z0-9]*\)/[a-z0-9_]*|\1/nowhere|" "$1" ;;
	1) sed -i "$2s|<<bench:\([a-z-]*\) [a-z0-9]*|<<bench:\1 nothing|" "$1" ;;
	2) sed -i "$2y/<>/></;$2s|>>bench|<<bench|g;$2s|>>/bench|<</bench|g" "$1" ;;
	3) sed -i "$2s|=[0-9][0-9]*|=3|" "$1" ;;
	4) sed -i "$2s|[0-9][0-9]*|7|g" "$1" ;;
	5) sed -i "$2s|over=[^ >]*|over=*/naive|;$2s|metric=[a-z]*|metric=time|" "$1" ;;
	esac
}
of_file() { grep -F "$1" | sort; }
agrees() {
	local file line how spoilt=0 found=0
	for file in content/posts/*.md; do
		cp "$file" "$dir/kept"
		while read -r line; do
			for how in 0 1 2 3 4 5; do
				spoil "$file" "$line" $how
				cmp -s "$file" "$dir/kept" && continue
				"$gen" check "$file" 2>&1 | of_file "$file" >"$dir/alone"
				"$gen" check 2>&1 | of_file "$file" >"$dir/with"
				diff "$dir/alone" "$dir/with" >&2 || { echo "line $line, $how: $(sed -n "${line}p" "$file")"; return 1; }
				spoilt=$((spoilt + 1))
				[ ! -s "$dir/alone" ] || found=$((found + 1))
				cp "$dir/kept" "$file"
			done
		done < <(grep -n '<<bench:' "$file" | cut -d: -f1 | head -${LINES_EACH:-4})
	done
	echo "# $spoilt spoilt, $found found"
	[ $found -gt 10 ]
}
rm -f content/posts/bad.md content/posts/worse.md
ok 'alone it finds in a spoilt text what a whole check finds' agrees
