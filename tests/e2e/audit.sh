#!/bin/bash
# Audits the blog itself, with the generator and with a checker in another language; then an
# edited page, and a preview. Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD gen=$(realpath "${BUILD:-build}/site-gen")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ok() { if "${@:2}" >"$dir/now" 2>&1; then echo "ok - $1"; else echo "not ok - $1"; sed 's/^/# /' "$dir/said" | head -20; fi; }
run() { "$@" >"$dir/said" 2>&1; }
fails() { ! run "$@"; }
without() { ! says "$1"; }
says() { grep -qE -- "$1" "$dir/said"; }

[ ! -d "${BUILD:-build}/cache" ] || cp -r "${BUILD:-build}/cache" "$dir/cache" # plots that are drawn already
ok 'the blog is published' run "$gen" build -C "$root" --out "$dir/site" --cache "$dir/cache" --no-sync
ok 'and says how many numbers it derived again' says 'audit: [0-9]+ numbers re-derived'
ok 'its audit finds nothing' run "$gen" audit --data-only -C "$root" "$dir/site"
ok 'and counts by kind' says '[0-9]+ values, [0-9]+ ratios'
if command -v node >/dev/null; then
	ok 'another program, in another language, computes the same digits on every page' \
		run node tests/e2e/recompute.mjs "$dir/site" data/runs/*/*.jsonl*
	ok 'without one that differs' without '^not ok'
	ok 'and finds each prediction that counts foretold' says '^ok - .*/predictions/.*: foretold'
else
	echo 'ok - another program computes the same digits # skip no node'
fi

page=posts/the-transpose-staircase/index.html
chmod -R u+w "$dir/site"
sed -i -E '0,/(<a class="num"[^>]*>)([0-9])/s//\11\2/' "$dir/site/$page"
rm "$dir/site/robots.txt"
echo more >"$dir/site/more.txt"
echo '<p>' >"$dir/site/404.html"
ok 'an edited digit is found' fails "$gen" audit --data-only -C "$root" "$dir/site"
ok 'at its place, by the record' says "^site-gen: $page:[0-9]+:[0-9]+: says .*, the record says .* \[traced\]$"
ok 'and by the manifest' says "site-gen: $page: is not the file that was published"
ok 'so is a file less' says 'robots.txt: is in the manifest'
ok 'or more' says 'more.txt: is not in the manifest'
ok 'and broken markup, at its place' says '404.html:1:2: broken markup: an element is never closed'
rm "$dir/site/manifest.json"
ok 'no manifest is an error' fails "$gen" audit --data-only -C "$root" "$dir/site"
ok 'a folder that is not there, too' fails "$gen" audit --data-only -C "$root" "$dir/nowhere"

# An uncommitted record: the build marks it, the audit refuses it.
tests/golden/site.sh numbers "$dir/preview"
cp -r tests/golden/look/templates tests/golden/look/static "$dir/preview/"
cp -r templates/plots "$dir/preview/templates/"
ok 'a preview is built' run "$gen" build -q -C "$dir/preview"
ok 'the audit refuses it' fails "$gen" audit --data-only -C "$dir/preview" "$dir/preview/build/site"
ok 'and says why' says 'is a preview: the run file of'
ok 'unless it is asked not to' run "$gen" audit --data-only --preview -C "$dir/preview" "$dir/preview/build/site"
