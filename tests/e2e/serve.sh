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
# stopped: the preview as it is before its first build is done, held there by stopping the builder
for _ in 1 2 3 4 5 6 7 8; do
	: >"$dir/log"
	"$gen" serve --port 0 >"$dir/log" 2>&1 & server=$!
	until [ -s "$dir/log" ]; do :; done
	builder=$(pgrep -P $server) && kill -STOP "$builder" && ! grep -q 'built in' "$dir/log" && break
	kill -KILL $server $builder; wait $server 2>/dev/null
done
# soon COMMAND...: it succeeds, now or within a minute
soon() {
	for _ in $(seq 1200); do "$@" && return; sleep 0.05; done
	return 1
}
get() { curl -s --max-time 60 "$@"; }
soon grep -q '^site-gen: http' "$dir/log"
url=$(sed -n 's|^site-gen: \(http://[^ ]*\)/ .*|\1|p' "$dir/log")
origin=${url%/blog}
ok 'before the first build, a page says that it is being built' grep -q '^HTTP/1.1 503.*The site is being built.*_live.js?v=1"' <(get -i "$url/" | tr -d '\r\n')
ok 'and the terminal' grep -q 'building the preview' "$dir/log"
get "$origin/_live?v=1" >"$dir/first" & first=$!
kill -CONT "$builder"
soon grep -q 'built in' "$dir/log"
wait $first
ok 'which reloads when it is' grep -q '^2' "$dir/first"
shows() { get "$1" | grep -q -- "$2"; } # URL TEXT
version() { get "$url/" | sed -n 's|.*_live.js?v=\([0-9]*\).*|\1|p'; }
# changed VERSION: waits for another one as a browser does; prints the milliseconds
other() { local now; now=$(get "$origin/_live?v=$1") && [ "${now%% *}" != "$1" ]; }
changed() { local t=$(date +%s%N); soon other "$1"; echo $((($(date +%s%N) - t) / 1000000)); }

# whole: the preview equals a full build, although it rebuilds little after a save
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
ok 'the home page of the site' grep -q '^200 ' <(get -L -o /dev/null -w '%{http_code} %{url_effective}' "$origin/")
ok 'is where / leads' grep -qi '^location: /blog/' <(get -i "$origin/" | tr -d '\r')
ok '/blog too' grep -qi '^location: /blog/' <(get -i "$origin/blog" | tr -d '\r')
code() { get -o /dev/null -w '%{http_code}' "$@"; }
for host in evil.example evil.example:80 '[evil]' 127.0.0.1.evil.example localhost.evil.example ''; do
	ok "no answer to Host: $host" test "$(code -H "Host: $host" "$url/")$(code -H "Host: $host" "$origin/_warnings")$(code -H "Host: $host" "$origin/_live?v=0")" = 421421421
done
ok 'nor to none' grep -q 421 <(code -0 -H 'Host:' "$url/")
for host in localhost LOCALHOST:8000 192.168.1.2:8000 '[::1]:8000'; do
	ok "but to Host: $host" test "$(code -H "Host: $host" "$url/")" = 200
done
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
# edited: the address to which the browser is sent after a change
edited() { [ "$(get "$origin/_live?v=0" | sed 's/^[0-9]* *//')" = "$1" ]; }
ok 'and where it is' soon edited '/blog/posts/first/#a-heading'
# The saved page comes before the rest of the site. A browser that has it need not load it again.
ok 'the saved page was shown before all was made' soon grep -q 'content/posts/first.md shown in' "$dir/log"
ok 'and was the published one' grep -qi '^X-Live: kept' <(get -i "$origin/_live?v=0")
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
ok 'and the rule, with a link' grep -q 'href="/blog/rules/#traced">traced</a>: Every number comes' "$dir/page"
ok 'where the rules can be read' grep -q '^HTTP/1.1 200' <(get -i "$url/rules/")
ok 'the terminal names the place' grep -q 'site-gen: content/posts/first.md:[0-9]*:[0-9]*' "$dir/log"
v=$(sed -n 's|.*_live.js?v=\([0-9]*\)".*|\1|p' "$dir/page")
(sleep 0.1; sed -i '$d' content/posts/first.md content/pages/about.md) &
changed "$v" >/dev/null
ok 'mended, pages are back' soon shows "$url/posts/first/" 'First &lt; second'

# A wrong link is found after the page was shown: the error takes its place, and nothing is published.
shown() { grep -c 'content/posts/first.md shown in' "$dir/log"; }
cp content/posts/first.md "$dir/first.md"
n=$(shown)
printf '\nA [link](/nowhere/) to a page.\n' >>content/posts/first.md
broken() { get -i "$url/posts/first/" >"$dir/page" && grep -q '^HTTP/1.1 500' "$dir/page"; }
ok 'an error that is found after the page was shown is said on it' soon broken
ok 'with its place, too' grep -q 'content/posts/first.md:[0-9]*:[0-9]*' "$dir/page"
ok 'the page was shown before' test "$(shown)" -gt "$n"
ok 'nothing of it was published' bash -c '! grep -q nowhere build/preview/posts/first/index.html'
ok 'and no browser keeps it' bash -c '! curl -si --max-time 60 "$1" | grep -qi "^X-Live"' _ "$origin/_live?v=0"
cp "$dir/first.md" content/posts/first.md
ok 'taken back, it is as it was' soon shows "$url/posts/first/" 'First &lt; second'
ok 'as a whole build makes it' soon whole
# An error in another file hides all pages, so nothing is shown first.
printf '\nIt takes 12 µs.\n' >>content/pages/about.md
soon broken
n=$(shown)
printf '\nMore.\n' >>content/posts/first.md
sleep 1
ok 'nothing is shown first while there are errors' test "$(shown)" = "$n"
sed -i '$d' content/pages/about.md
ok 'until they are gone' soon shows "$url/posts/first/" 'More'
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

# opens N COMMAND: opens N connections, each of which sends COMMAND's output; then asks for a page
port=${origin##*:}
opens() {
	local fd fds=()
	for _ in $(seq "$1"); do
		exec {fd}<>"/dev/tcp/127.0.0.1/$port" || return 1
		"${@:2}" >&"$fd"
		fds+=("$fd")
	done
	curl -s --max-time 20 -o /dev/null "$url/" || return 1
	for fd in "${fds[@]}"; do exec {fd}>&-; done
}
half() { printf 'GET /blog/ HTTP/1.1\r\n'; }
poll() { printf 'GET /_live?v=%s HTTP/1.1\r\nHost: localhost\r\n\r\n' "$v"; }
v=$(version)
ok 'clients that say nothing keep nobody out' opens 100 true
ok 'nor those that are slow' opens 100 half
ok 'nor browsers that wait' opens 200 poll
ok 'nor as many as there can be, for longer than they are let' opens 600 half
(sleep 0.2; echo 'Waited.' >>content/posts/first.md) &
changed "$v" >/dev/null
ok 'and a browser is told of a change beside them' test "$(version)" != "$v"
ok 'what nobody waits for is closed' soon eval '[ "$(ls /proc/$server/fd | wc -l)" -lt 60 ]'
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
