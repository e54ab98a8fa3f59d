#!/bin/bash
# The site carries its own source: a bundle that git clones, the same bytes for the same commit.
# Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
gen=$(realpath "${BUILD:-build}/site-gen")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ok() { if "${@:2}" >"$dir/said" 2>&1; then echo "ok - $1"; else echo "not ok - $1"; sed 's/^/# /' "$dir/said" | head -20; fi; }
not() { ! "$@"; }
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.com
export GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@example.com
cp -r tests/golden/whole-site/site "$dir/site"
cp -r templates static "$dir/site/"
cd "$dir/site" || exit 1
sed -i 's|^return {|return { source = true,|' content/site.lua
ok 'without git' "$gen" build --no-sync
ok 'there is no bundle' not test -e build/site/source
git init -q -b trunk . && printf 'build/\n' >.gitignore && git add -A && git commit -qm one
echo two >note.txt && git add -A && git commit -qm two
ok 'with git' "$gen" build --no-sync
bundle=build/site/source/ridgepoint.bundle
ok 'git clones the bundle' git clone -q $bundle "$dir/clone"
ok 'at HEAD' test "$(git -C "$dir/clone" rev-parse HEAD)" = "$(git rev-parse HEAD)"
ok 'with the whole history' test "$(git -C "$dir/clone" rev-list --count HEAD)" = 2
ok 'and its files' diff -r -x build -x .git . "$dir/clone"
ok 'git finds no fault in it' git -C "$dir/clone" fsck --strict
page=build/site/source/index.html
ok 'the page names the commit' grep -qF "<code>$(git rev-parse HEAD)</code>" $page
ok 'and the digest' grep -qF "$(sha256sum $bundle | cut -d' ' -f1)" $page
# its thousands are set apart by a narrow no-break space
ok 'and the size' grep -qF "<dd>$(stat -c %s $bundle)</dd>" <(sed 's/\xe2\x80\xaf//g' $page)
# The commands of the page, word for word, from a served copy: only the host is another.
mkdir "$dir/www" && cp -r build/site "$dir/www/blog" && mkdir "$dir/reader"
# A free port is the system's to choose; the server's first line names it.
python3 -u -m http.server -d "$dir/www" --bind 127.0.0.1 0 >"$dir/served" 2>&1 &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$dir"' EXIT
for _ in $(seq 100); do
	port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' "$dir/served")
	[ -n "$port" ] && break
	sleep 0.1
done
base=$(sed -n 's/.*base_url = "\([^"]*\)".*/\1/p' content/site.lua)
base=${base%/}
sed -n '/<pre/,/<\/pre>/p' $page | sed '/make setup/,$d; s/<[^>]*>//g; s/&amp;/\&/g' |
	sed "s|$base|http://127.0.0.1:$port/blog|; s|^curl |&--retry 5 --retry-connrefused -s |" >"$dir/commands"
ok 'the page says how to fetch it' grep -q '^curl .*ridgepoint.bundle$' "$dir/commands"
ok 'its commands work from a plain file server' sh -e -c "cd '$dir/reader'; . '$dir/commands'; git log -1"
ok 'and give the same files' diff -r -x build -x .git . "$dir/reader/ridgepoint"
kill $server
ok 'every foot leads there' grep -qF "href=\"/blog/source/ridgepoint.bundle\"" build/site/about/index.html
ok 'nothing was changed' not grep -qF 'were not committed' $page
ok 'the audit finds nothing' "$gen" audit build/site
cp $bundle "$dir/first" && rm -r build
ok 'from an empty cache' "$gen" build --no-sync
ok 'come the same bytes' cmp $bundle "$dir/first"
cp -r content "$dir/clone/" && (cd "$dir/clone" && "$gen" build --no-sync --quiet) >/dev/null 2>&1
ok 'and from a clone' cmp "$dir/clone/$bundle" "$dir/first"
printf '\n[The source](/source/), [in a file](/source/ridgepoint.bundle).\n' >>content/pages/about.md
ok 'with an edited text' "$gen" build --no-sync
ok 'the page says so' grep -qF 'were not committed' $page
git commit -qam three && "$gen" build --no-sync --quiet
ok 'a commit makes another bundle' test "$(git ls-remote $bundle HEAD | cut -f1)" = "$(git rev-parse HEAD)"
ok 'and the page no longer says so' not grep -qF 'were not committed' $page
git clone -q --depth 1 "file://$PWD" "$dir/shallow"
ok 'in a shallow clone' "$gen" build --no-sync --root "$dir/shallow"
ok 'there is no bundle' not test -e "$dir/shallow/build/site/source"
