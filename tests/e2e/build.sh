#!/bin/bash
# Builds: the same bytes everywhere, no file rewritten without need, and after an error or a
# kill either the old site or the new one. Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD gen=$(realpath "${BUILD:-build}/site-gen")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ok() { if "${@:2}" >"$dir/said" 2>&1; then echo "ok - $1"; else echo "not ok - $1"; sed 's/^/# /' "$dir/said" | head -20; fi; }
site() { # site DIR: a repository with posts
	mkdir -p "$1"
	cp -r tests/golden/whole-site/site/. tests/golden/look/templates tests/golden/look/static "$1/"
	for i in $(seq 30); do
		printf -- '---\ntitle: Post %s\ndate: 2025-01-%02d\ntags: [a, b]\n---\n## Part\n\nText %s with `code`.\n' \
			"$i" "$i" "$i" >"$1/content/posts/p$i.md"
	done
}
times() { (cd "$1" && find . -printf '%P %i %T@ %s %m\n' | sort); }
build() { "$gen" build --quiet --root "$1" "${@:2}"; }
a=$dir/a b=$dir/elsewhere/b

site "$a"
ok 'builds' build "$a"
times "$a/build/site" >"$dir/first"
ok 'modes are 644 and 755' test -z "$(find "$a/build/site" -type f ! -perm 644 -o -type d ! -perm 755)"
sleep 0.05
build "$a" # the inputs are now old enough for a stamp
ok 'nothing changed says so' bash -c '"$1" build --root "$2" | grep -q "nothing changed"' - "$gen" "$a"
ok 'but --whole makes every file' bash -c '"$1" build --whole --root "$2" | grep -q "none changed"' - "$gen" "$a"
times "$a/build/site" >"$dir/second"
ok 'building twice keeps bytes, inodes and times' cmp "$dir/first" "$dir/second"
touch "$a/content/posts/p1.md"
build "$a"
times "$a/build/site" >"$dir/second"
ok 'a touched source changes nothing' cmp "$dir/first" "$dir/second"

mkdir -p "$dir/elsewhere"
site "$b"
(umask 077; TZ=Pacific/Apia LC_ALL=C.UTF-8 build "$b" -j 7)
ok 'another folder, umask, time zone and number of workers give the same bytes' diff -r "$a/build/site" "$b/build/site"
ok 'and the same modes' test -z "$(find "$b/build/site" -type f ! -perm 644 -o -type d ! -perm 755)"

times "$a/build/site" >"$dir/before"
echo 'See [nothing](/nope/).' >>"$a/content/posts/p3.md"
ok 'an error ends with 1' bash -c '! "$1" build -q --root "$2" 2>"$3"' - "$gen" "$a" "$dir/err"
ok 'and names the place' grep -q '^site-gen: content/posts/p3.md:9:5: link to' "$dir/err"
times "$a/build/site" >"$dir/after"
ok 'and leaves the output untouched' cmp "$dir/before" "$dir/after"
ok 'and nothing beside it' test ! -e "$a/build/site.new"
sed -i '$d' "$a/content/posts/p3.md"
printf '\nMore.\n' >>"$a/content/posts/p3.md"
build "$a"
times "$a/build/site" >"$dir/after"
ok 'one post saved changes that page alone' test "$(diff "$dir/before" "$dir/after" | grep '^>' | awk '$2 ~ /html|xml/ {print $2}')" = "posts/p3/index.html"
rm "$a/content/posts/p4.md"
build "$a"
ok 'a removed post is gone' test ! -e "$a/build/site/posts/p4"
echo stray >"$a/build/site/stray.txt"
ok 'a file that no page made is named' grep -q 'build/site: holds files that no build made (stray.txt; 1 in all)' <("$gen" build -q --root "$a" 2>&1)
ok 'and not lost' test -e "$a/build/site/stray.txt"
rm "$a/build/site/stray.txt"
echo edited >"$a/build/site/index.html"
build "$a"
ok 'an edited output is made again' grep -q Welcome "$a/build/site/index.html"

before=$(times "$a/build/site")
ok 'check finds nothing' "$gen" check -q --root "$a"
echo '{{ page.titel }}' >>"$a/templates/base.html"
ok 'check fails on a template typo' bash -c '! "$1" check -q --root "$2" 2>"$3"' - "$gen" "$a" "$dir/err"
ok 'at its file and line' grep -q "^site-gen: templates/base.html:[0-9]*: undefined field 'titel', did you mean 'title'?$" "$dir/err"
ok 'once' test "$(wc -l <"$dir/err")" = 1
ok 'and writes nothing' test "$(times "$a/build/site")" = "$before"
sed -i '$d' "$a/templates/base.html"

# Killed at any moment, it leaves one of the two sites, complete.
build "$a"
cp -a "$a/build/site" "$dir/old"
for f in "$a"/content/posts/p*.md; do echo 'Changed.' >>"$f"; done
cp -a "$a" "$dir/copy"
build "$dir/copy"
mixed=0 rounds=40
for i in $(seq $rounds); do
	rm -rf "$dir/k" && cp -a "$a" "$dir/k"
	"$gen" build -q --root "$dir/k" & pid=$!
	sleep "0.0$(printf %02d $((i % 12)))$((i % 10))"
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
	diff -rq "$dir/old" "$dir/k/build/site" >/dev/null || diff -rq "$dir/copy/build/site" "$dir/k/build/site" >/dev/null || mixed=$((mixed + 1))
done 2>/dev/null
ok "killed $rounds times: the old site or the new one, never a mix" test $mixed = 0
build "$dir/k"
ok 'and the next build is as if nothing had been' diff -r "$dir/copy/build/site" "$dir/k/build/site"

# Two at once: one wins, the other says so, or both succeed one after the other.
for f in "$a"/content/posts/p*.md; do echo 'Again.' >>"$f"; done
"$gen" build -q --root "$a" 2>"$dir/e1" & p1=$!
"$gen" build -q --root "$a" 2>"$dir/e2" & p2=$!
wait $p1; s1=$?
wait $p2; s2=$?
ok 'of two builds at once at least one succeeds' test $((s1 * s2)) = 0
ok 'and the other says why' bash -c 'test ! -s "$1" || grep -q "another build (process [0-9]*) is at work" "$1"' - <(cat "$dir/e1" "$dir/e2")

# Started by a program that does not wait for its children.
echo 'Once more.' >>"$a/content/posts/p3.md"
sleep 0.1 # an input that changed just now leaves no stamp
ok 'builds where SIGCHLD is ignored' timeout 60 bash -c 'trap "" CHLD; exec "$1" build -q --root "$2"' - "$gen" "$a"

# The stamp only saves work: a build without it is as good, and says so.
stamp=$(echo "$a"/build/cache/stamp-*)
rm "$stamp" && mkdir -p "$stamp/x"
sed -i '$d' "$a/content/posts/p3.md"
sleep 1
ok 'a stamp that cannot be left is no failure' bash -c '"$1" build -q --root "$2" 2>"$3"' - "$gen" "$a" "$dir/err"
ok 'but a warning that the site is published' grep -q "^site-gen: warning: build/site is published; the next build will do all of it again: build/cache/stamp-.*: cannot rename" "$dir/err"
rm -r "$stamp"

# A post that costs too much fails quickly, and alone.
ln -s /etc/passwd "$a/content/posts/link.md"
ok 'a symbolic link is refused' bash -c '"$1" build -q --root "$2" 2>&1 | grep -q "content/posts/link.md: neither a regular file nor a folder"' - "$gen" "$a"
rm "$a/content/posts/link.md"
mv "$a/static" "$dir/static" && ln -s ../static "$a/static"
ok 'so is a folder of inputs that is one' bash -c '"$1" build -q --root "$2" 2>&1 | grep -q "^site-gen: static: is a file or a symbolic link, expected a folder$"' - "$gen" "$a"
rm "$a/static" && mv "$dir/static" "$a/static"
cp "$a/templates/post.html" "$dir/post.html"
printf '%% if page.url == "/posts/p5/" then\n%% local t = {}\n%% while true do t[#t + 1] = include("list.html", { posts = {} }) end\n%% end\n' >>"$a/templates/post.html"
# CPU seconds, since the machine may be busy with something else
ok 'a page that does not end is an error' bash -c 'TIMEFORMAT=%0U; ! { time "$1" build -q --root "$2" 2>"$3"; } 2>"$4"' - "$gen" "$a" "$dir/err" "$dir/spent"
ok 'within seconds' test "$(tail -n 1 "$dir/spent")" -lt 20
ok 'that names it' grep -qE '^site-gen: templates/(post.html:[0-9]|list.html:.*templates/post.html:[0-9])' "$dir/err"
cp "$dir/post.html" "$a/templates/post.html"
printf '%% local s = ("x"):rep(1000):rep(1000)\n%% while true do local t = s:upper() end\n' >>"$a/templates/post.html"
ok 'a template that does not end, on any page, is an error' bash -c 'TIMEFORMAT=%0U; ! { time "$1" build -q -j 2 --root "$2" 2>"$3"; } 2>"$4"' - "$gen" "$a" "$dir/err" "$dir/spent"
ok 'that costs its pages no seconds each' test "$(tail -n 1 "$dir/spent")" -lt 20
ok 'and is said once, with its place' test "$(grep -c '^site-gen: templates/post.html:[0-9]*: more than 2 s of CPU time, expected a loop that ends$' "$dir/err") $(wc -l <"$dir/err")" = '1 1'
cp "$dir/post.html" "$a/templates/post.html"
ok 'drafts stay out' test ! -e "$a/build/site/posts/draft"
build "$a" --drafts
ok 'unless they are wanted' test -e "$a/build/site/posts/draft/index.html"
ok 'unknown options are refused' bash -c '"$1" build --draft 2>&1 | grep -q "did you mean .drafts.?"' - "$gen"
