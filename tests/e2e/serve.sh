#!/bin/bash
# The preview: follows saved files, shows errors with their place, leaves the
# built pages as they are. Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
gen=$(realpath "${BUILD:-build}/site-gen")
dir=$(mktemp -d)
trap 'kill "$server" 2>/dev/null; rm -rf "$dir"' EXIT
ok() { if "${@:2}" >"$dir/said" 2>&1; then echo "ok - $1"; else echo "not ok - $1"; sed 's/^/# /' "$dir/said" | head -20; fi; }
command -v curl >/dev/null || { echo 'ok - the preview # skip no curl'; exit 0; }

cp -r tests/golden/whole-site/site "$dir/site"
cp -r tests/golden/look/templates tests/golden/look/static "$dir/site/"
cd "$dir/site" || exit 1
"$gen" serve --port 0 >"$dir/log" 2>&1 & server=$!
# soon COMMAND...: it succeeds, now or within a minute
soon() {
	for _ in $(seq 1200); do "$@" && return; sleep 0.05; done
	return 1
}
soon grep -q 'built in' "$dir/log"
url=$(sed -n 's|^site-gen: \(http://[^ ]*\)/ .*|\1|p' "$dir/log")
origin=${url%/blog}
get() { curl -s --max-time 60 "$@"; }
shows() { get "$1" | grep -q -- "$2"; } # URL TEXT
version() { get "$url/" | sed -n 's|.*_live.js?v=\([0-9]*\).*|\1|p'; }
# changed VERSION: waits for another one as a browser does; prints the milliseconds
other() { local now; now=$(get "$origin/_live?v=$1") && [ "${now%% *}" != "$1" ]; }
changed() { local t=$(date +%s%N); soon other "$1"; echo $((($(date +%s%N) - t) / 1000000)); }

# whole: the preview is what a build of everything makes, though it makes little after a save
whole() { rm -rf "$dir/whole"; "$gen" build --quiet --no-sync --out "$dir/whole" && diff -r build/preview "$dir/whole"; }

ok 'says where it is' test -n "$url"
ok 'serves pages' grep -q 'First &lt; second' <(get "$url/posts/first/")
ok 'with the script that reloads' test -n "$(version)"
ok 'which built pages do not hold' bash -c '! grep -rq _live build/preview'
ok 'and build/site is not touched' test ! -e build/site
ok 'serves the script' grep -q 'location.reload' <(get "$origin/_live.js")
ok 'a folder without its slash leads on' grep -qi '^location: /blog/posts/first/' <(get -i "$url/posts/first")
ok 'a missing page is 404' grep -q '404' <(get -o /dev/null -w '%{http_code}' "$url/nope/")
ok 'no way out of the folder' grep -q '404' <(get --path-as-is -o /dev/null -w '%{http_code}' "$url/../../../content/site.lua")
ok 'a strict policy on every answer' grep -qi "^content-security-policy: default-src 'self'" <(get -i "$url/static/site.css")
ok 'only GET' grep -q 405 <(get -X POST -d x=1 -o /dev/null -w '%{http_code}' "$url/")

v=$(version)
(sleep 0.2; echo 'Saved now.' >>content/posts/first.md) &
ms=$(changed "$v")
ok "a saved file answers the waiting browser ($((ms - 200)) ms)" test "$(version)" != "$v"
ok 'with the new text' soon shows "$url/posts/first/" 'Saved now'
ok 'and with it everywhere' soon whole
v=$(version)
(sleep 0.1; echo 'Saved twice.' >>content/posts/first.md) &
changed "$v" >/dev/null
ok 'another save of the text: the same as a whole build' soon whole
# edited: where the browser is sent, after a change
edited() { [ "$(get "$origin/_live?v=0" | sed 's/^[0-9]* *//')" = "$1" ]; }
ok 'and where it is' soon edited '/blog/posts/first/#a-heading'
v=$(version)
(sleep 0.1; printf '\n## Late {#late}\n\nText.\n' >>content/posts/first.md) &
changed "$v" >/dev/null
ok 'a new heading: the same as a whole build' soon whole
ok 'down to the section' soon edited '/blog/posts/first/#late'
v=$(version)
(sleep 0.1; echo '/* a style */' >>static/site.css) &
changed "$v" >/dev/null
ok 'other files lead nowhere' soon edited ''
ok 'and are in it' soon whole

v=$(version)
(sleep 0.1; printf '\nA <<bench:valeu x>> is\n' >>content/posts/first.md; printf '\nIt takes 12 µs.\n' >>content/pages/about.md) &
changed "$v" >/dev/null
both() { get -i "$url/" >"$dir/page" && grep -q 'content/posts/first.md:' "$dir/page" && grep -q 'content/pages/about.md:' "$dir/page"; }
soon both
ok 'an error takes the place of every page' grep -q '^HTTP/1.1 500' "$dir/page"
ok 'with its place' grep -q 'content/posts/first.md:[0-9]*:[0-9]*' "$dir/page"
ok 'the line' grep -q 'A &lt;&lt;bench:valeu x&gt;&gt; is' "$dir/page"
ok 'and a caret' grep -q '<b>^</b>' "$dir/page"
ok 'and the rule, with a link' grep -q 'href="/blog/rules/#traced">traced</a>: A number comes' "$dir/page"
ok 'where the rules can be read' grep -q '^HTTP/1.1 200' <(get -i "$url/rules/")
ok 'the terminal names the place' grep -q 'site-gen: content/posts/first.md:[0-9]*:[0-9]*' "$dir/log"
v=$(sed -n 's|.*_live.js?v=\([0-9]*\)".*|\1|p' "$dir/page")
(sleep 0.1; sed -i '$d' content/posts/first.md content/pages/about.md) &
changed "$v" >/dev/null
ok 'mended, pages are back' soon shows "$url/posts/first/" 'First &lt; second'
v=$(version)
(sleep 0.1; sed -i 's/^title: .*/title: Called otherwise/' content/posts/first.md) &
changed "$v" >/dev/null
ok 'a new title: the same as a whole build' soon whole
ok 'on other pages, too' grep -q 'Called otherwise' build/preview/index.html

v=$(version)
(sleep 0.1; mkdir content/posts/third; printf -- '---\ntitle: Third\ndate: 2026-01-05\n---\nText.\n' >content/posts/third/index.md) &
changed "$v" >/dev/null
ok 'a new folder is watched' soon shows "$url/posts/third/" Third
ok 'and on every list' soon whole
v=$(version)
(sleep 0.1; rm -r content/posts/third) &
changed "$v" >/dev/null
ok 'what is removed is gone' soon whole
v=$(version)
(sleep 0.1; echo 'body { color: red; }' >static/site.css) &
changed "$v" >/dev/null
ok 'so are styles' soon shows "$url/static/site.css" red
kill $server
wait $server 2>/dev/null
"$gen" serve --port 0 --no-follow >"$dir/log" 2>&1 & server=$!
soon grep -q 'built in' "$dir/log"
url=$(sed -n 's|^site-gen: \(http://[^ ]*\)/ .*|\1|p' "$dir/log")
origin=${url%/blog}
v=$(version)
(sleep 0.1; echo 'Again.' >>content/posts/first.md) &
changed "$v" >/dev/null
ok '--no-follow stays where it is' edited ''
kill $server
wait $server 2>/dev/null
"$gen" serve --port 1 --host 127.0.0.999 >"$dir/log" 2>&1
ok 'a wrong address is an error' grep -q 'expected an IPv4 address' "$dir/log"
