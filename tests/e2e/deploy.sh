#!/bin/bash
# Deploys to a folder, by rsync and to a branch; tests the rules for servers with real servers.
# Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
gen=$(realpath "${BUILD:-build}/site-gen")
dir=$(mktemp -d)
servers=()
trap 'kill "${servers[@]}" 2>/dev/null; wait 2>/dev/null; rm -rf "$dir"' EXIT
ok() { if "${@:2}" >"$dir/said" 2>&1; then echo "ok - $1"; else echo "not ok - $1"; sed 's/^/# /' "$dir/said" | head -20; fi; }
site() { # site DIR BASE: a committed repository with posts, at https://example.org/BASE
	mkdir -p "$1"
	cp -r tests/golden/whole-site/site/. tests/golden/look/templates tests/golden/look/static "$1/"
	sed -i "s|base_url = \"[^\"]*\"|base_url = \"https://example.org$2\"|" "$1/content/site.lua"
	printf 'build/\n' >"$1/.gitignore"
	git -C "$1" init -q -b main
	git -C "$1" add -A
	git -C "$1" -c user.name=E2E -c user.email=e2e@example.org commit -q -m 'a site'
}
deploy() { "$gen" deploy --quiet --root "$dir/site" "$@"; }
www=$dir/srv/www

site "$dir/site" ""
ok 'to a folder' deploy "$www"
ok 'all files of the build are there' bash -c 'cd "$1" && find . -type f | while read -r f; do cmp "$f" "$2/$f" || exit 1; done' - "$dir/site/build/site" "$www"
ok 'a page has its gzip form' bash -c 'gzip -dc "$1/index.html.gz" | cmp - "$1/index.html"' - "$www"
ok 'and a brotli form' test -s "$www/index.html.br"
ok 'which are smaller' bash -c 'for f in $(find "$1" -name "*.br" -o -name "*.gz"); do [ $(stat -c %s "$f") -lt $(stat -c %s "${f%.*}") ] || exit 1; done' - "$www"
find "$www" -type f -printf '%P %i %T@\n' | sort >"$dir/first"
ok 'a second time changes nothing' deploy "$www"
find "$www" -type f -printf '%P %i %T@\n' | sort >"$dir/second"
ok 'not even a time' cmp "$dir/first" "$dir/second"
echo 'More.' >>"$dir/site/content/posts/first.md"
ok 'a dry run says what would change' grep -q 'would be new or changed' <("$gen" deploy --dry-run --root "$dir/site" "$www")
ok 'and changes nothing' bash -c '! grep -q More. "$1/posts/first/index.html"' - "$www"
ok 'then for real' deploy "$www"
ok 'the change is there' grep -q More. "$www/posts/first/index.html"
mkdir -p "$dir/other" && echo mine >"$dir/other/file"
ok 'a folder that no build made is left alone' bash -c '! "$1" deploy -q --root "$2" "$3" && [ "$(cat "$3/file")" = mine ]' - "$gen" "$dir/site" "$dir/other"
mkdir "$www.new" && echo mine >"$www.new/file"
ok 'nor is a folder deleted that has the name of its staging' bash -c '! "$1" deploy -q --root "$2" "$3" 2>"$3.said" && grep -q "www.new: holds files that no build made (file; 1 in all)" "$3.said" && [ "$(cat "$3.new/file")" = mine ]' - "$gen" "$dir/site" "$www"
rm -r "$www.new"
ok 'nor does a dry run say that it would be deployed' bash -c '! "$1" deploy -n --root "$2" "$3" >"$3.said" 2>&1 && grep -q "other: holds files that no build made (file; 1 in all)" "$3.said" && ! grep -q "would be new or changed" "$3.said"' - "$gen" "$dir/site" "$dir/other"
touch "$dir/other.lock"
ok 'nor taken for its own by a lock beside it' bash -c '! "$1" deploy -q --root "$2" "$3" && [ "$(cat "$3/file")" = mine ]' - "$gen" "$dir/site" "$dir/other"
echo mine >"$www/CNAME"
ok 'a file that the user put there is named' grep -q 'www: holds files that no build made (CNAME; 1 in all), which would be lost' <("$gen" deploy -q --root "$dir/site" "$www" 2>&1)
ok 'and stays' rm "$www/CNAME"
echo '[x](/nope/)' >>"$dir/site/content/posts/first.md"
ok 'a site with a problem is not deployed' bash -c '! "$1" deploy -q --root "$2" "$3" && ! grep -q nope "$3/posts/first/index.html"' - "$gen" "$dir/site" "$www"
sed -i '$d' "$dir/site/content/posts/first.md"

ok 'to a branch' deploy git:pages
ok 'which holds the site' bash -c 'git -C "$1" show pages:posts/first/index.html | cmp - "$1/build/site/posts/first/index.html"' - "$dir/site"
ok 'with its compressed forms' git -C "$dir/site" cat-file -e pages:index.html.br
ok 'says which commit it is of' grep -q "$(git -C "$dir/site" rev-parse HEAD)" <(git -C "$dir/site" log -1 --format=%B pages)
ok 'forges leave it as it is' test "$(git -C "$dir/site" cat-file -s pages:.nojekyll)" = 0
# The owner of the branch names its host there.
host=$(echo host.example | git -C "$dir/site" hash-object -w --stdin)
named=$({ git -C "$dir/site" ls-tree pages; printf '100644 blob %s\tCNAME\n' "$host"; } | git -C "$dir/site" mktree)
git -C "$dir/site" update-ref refs/heads/pages "$(git -C "$dir/site" -c user.name=x -c user.email=x@x commit-tree -p pages -m host "$named")"
tip=$(git -C "$dir/site" rev-parse pages)
ok 'again: no new commit' bash -c '"$1" deploy -q --root "$2" git:pages && [ "$(git -C "$2" rev-parse pages)" = "$3" ]' - "$gen" "$dir/site" "$tip"
echo 'Even more.' >>"$dir/site/content/posts/first.md"
ok 'a change is a commit on top' bash -c '"$1" deploy -q --root "$2" git:pages && [ "$(git -C "$2" rev-parse pages^)" = "$3" ]' - "$gen" "$dir/site" "$tip"
ok 'which keeps the name of its host' test "$(git -C "$dir/site" show pages:CNAME)" = host.example
ok 'the repository is sound' git -C "$dir/site" fsck --strict
ok 'the checked-out branch is refused' grep -q 'checked out here' <("$gen" deploy -q --root "$dir/site" git:main 2>&1)
ok 'by a dry run, too' bash -c '! "$1" deploy -n --root "$2" git:main >"$2.said" 2>&1 && grep -q "checked out here" "$2.said" && ! grep -q "would commit" "$2.said"' - "$gen" "$dir/site"

if command -v rsync >/dev/null; then
	# a "remote" shell on this machine
	printf '#!/bin/sh\nshift\nexec sh -c "$*"\n' >"$dir/rsh" && chmod +x "$dir/rsh"
	export RSYNC_RSH="$dir/rsh"
	mkdir "$dir/remote" && echo old >"$dir/remote/gone.html"
	ok 'by rsync' deploy "somewhere:$dir/remote"
	ok 'the same files' diff -r "$dir/site/build/deploy" "$dir/remote"
	ok 'what fails there fails here' bash -c '! "$1" deploy -q --root "$2" "somewhere:/proc/no/such"' - "$gen" "$dir/site"
else
	echo 'ok - by rsync # skip no rsync'
fi

# --- servers ---

# A port that is free now. If its server finds it taken after all, it tries another.
port() { node -e 'const s=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})'; }
get() { curl -s --max-time 10 -H 'Host: example.org' "$@"; }
# up URL COMMAND...: the server is started, and answers within a minute
up() {
	"${@:2}" >"$dir/server.log" 2>&1 & servers+=($!)
	for _ in $(seq 1200); do
		kill -0 "${servers[-1]}" 2>/dev/null || return 1
		get -o /dev/null "$1/" && return
		sleep 0.05
	done
}
# held WHAT URL: checks the promises of the rules on a running server
held() {
	local what=$1 url=$2
	ok "$what: a page" grep -q '<title>' <(get "$url/posts/first/")
	for path in / /posts/first/ /static/site.css /feed.xml /nope/; do
		get -i "$url$path" | tr -d '\r' >"$dir/answer"
		ok "$what: $path has the policy, once" test "$(grep -ci "^content-security-policy: default-src 'none'" "$dir/answer")" = 1
		ok "$what: $path is not sniffed" grep -qi '^x-content-type-options: nosniff' "$dir/answer"
	done
	ok "$what: a missing page is 404" grep -q '^404$' <(get -o /dev/null -w '%{http_code}\n' "$url/nope/")
	ok "$what: with the site's own page" cmp <(get "$url/nope/") "$dir/srv/now/404.html"
	ok "$what: a page is asked for again" grep -qi '^cache-control: no-cache' <(get -i "$url/")
	ok "$what: a hashed address is kept" grep -qi '^cache-control:.*immutable' <(get -i "$url/static/site.css?h=0123")
	ok "$what: gzip as it lies there" cmp <(get -H 'Accept-Encoding: gzip' "$url/posts/first/") "$dir/srv/now/posts/first/index.html.gz"
	ok "$what: and says so" grep -qi '^content-encoding: gzip' <(get -i -H 'Accept-Encoding: gzip' "$url/posts/first/" | tr -d '\0')
	ok "$what: plain to those who want that" cmp <(get "$url/posts/first/") "$dir/srv/now/posts/first/index.html"
	ok "$what: a folder without its slash leads on" grep -qi '^location:.*/posts/first/' <(get -i "$url/posts/first")
}
for base in "" /blog; do
	rm -rf "$dir/based" "$dir/srv/now"
	site "$dir/based" "$base"
	"$gen" deploy -q --root "$dir/based" "$dir/srv/now"
	if command -v nginx >/dev/null; then
		for _ in 1 2 3 4 5; do
			p=$(port)
			"$gen" config nginx --root "$dir/based" --deployed "$dir/srv/now" |
				sed "s|listen 80;|listen 127.0.0.1:$p;|; /listen \[::\]/d" >"$dir/rules.conf"
			printf 'daemon off; worker_processes 1; pid %s/pid; error_log %s/error.log;\nevents {}\nhttp { access_log off;\nclient_body_temp_path %s/t1; proxy_temp_path %s/t2; fastcgi_temp_path %s/t3; uwsgi_temp_path %s/t4; scgi_temp_path %s/t5;\ninclude %s/rules.conf; }\n' \
				"$dir" "$dir" "$dir" "$dir" "$dir" "$dir" "$dir" "$dir" >"$dir/nginx.conf"
			[ "$(id -u)" != 0 ] || { sed -i '1s/^/user root; /' "$dir/nginx.conf"; }
			up "http://127.0.0.1:$p$base" nginx -e "$dir/error.log" -c "$dir/nginx.conf" && break
		done
		held "nginx at '$base/'" "http://127.0.0.1:$p$base"
		kill "${servers[-1]}"
	else
		echo "ok - nginx at '$base/' # skip no nginx"
	fi
	if command -v caddy >/dev/null; then
		export XDG_DATA_HOME=$dir XDG_CONFIG_HOME=$dir
		for _ in 1 2 3 4 5; do
			p=$(port)
			{ printf '{\n\tadmin off\n\tauto_https off\n}\n'
				"$gen" config caddy --root "$dir/based" --deployed "$dir/srv/now" | sed "/^# ---/d; s|^example.org {|http://example.org:$p {|"; } >"$dir/Caddyfile"
			up "http://127.0.0.1:$p$base" env HOME="$dir" caddy run --config "$dir/Caddyfile" --adapter caddyfile && break
		done
		held "Caddy at '$base/'" "http://127.0.0.1:$p$base"
		kill "${servers[-1]}"
	else
		echo "ok - Caddy at '$base/' # skip no caddy"
	fi
done
"$gen" config systemd --root "$dir/site" --out "$dir/units"
if command -v systemd-analyze >/dev/null; then
	ok 'systemd takes the units' systemd-analyze verify "$dir"/units/*
else
	echo 'ok - systemd takes the units # skip no systemd-analyze'
fi
ok 'an unknown server is an error that lists them' grep -q 'expected one of nginx, caddy, systemd' <("$gen" config apache --root "$dir/site" 2>&1)
