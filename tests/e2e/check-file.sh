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
