#!/bin/bash
# The examples of templates/README.md are a look that builds. Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
gen=$(realpath "${BUILD:-build}/site-gen")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ok() { if "${@:2}" >"$dir/said" 2>&1; then echo "ok - $1"; else echo "not ok - $1"; sed 's/^/# /' "$dir/said" | head -20; fi; }
cp -r tests/golden/whole-site/site "$dir/site"
cp -r tests/golden/look/templates tests/golden/look/static "$dir/site/"
awk -v to="$dir/site/" '/^```html templates\// { file = to $2; printf "" >file; print $2; next } /^```/ { file = "" } file { print >file }' \
	templates/README.md >"$dir/files"
cd "$dir/site" || exit 1
has() { grep -qF -- "$2" "build/site/$1" || { cat "build/site/$1"; return 1; }; }

ok 'there are examples' test "$(wc -l <"$dir/files")" -ge 4
ok 'they build' "$gen" build --no-sync
ok 'an example of a post' has posts/first/index.html '<p class="meta">30 December 2025, 1 min</p>'
ok 'in its layout' has posts/first/index.html '<html lang="en">'
ok 'with its neighbour' has posts/second/index.html '<p class="neighbour"><a href="/blog/posts/first/">First &lt; second</a></p>'
ok 'a list' has posts/index.html '<li class="first"><a href="/blog/posts/second/">'
ok 'the version of the interface' has index.html ', templates 1">'
ok 'the page that is shown is marked' has posts/index.html '<a href="/blog/posts/" aria-current="page">'
ok 'an address of a style that changes with it' grep -q 'href="/blog/static/site.css?h=[0-9a-f]' build/site/index.html
