#!/bin/bash
# Random edits under a preview, and before builds that keep what nothing has changed: after each,
# every file of both is as a build from nothing makes it. Posts come and go, and change their text,
# title, date, tags, series, links, numbers and headings; so do their translations, styles,
# templates, settings, records, commits and the pages of the site. EDITS=500 for a long run; SEED=n
# for another one.
# Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
gen=$(realpath "${BUILD:-build}/site-gen")
dir=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null; wait; rm -rf "$dir"' EXIT
ok() { if "${@:2}" >"$dir/said" 2>&1; then echo "ok - $1"; else echo "not ok - $1"; sed 's/^/# /' "$dir/said" | head -20; fi; }
command -v curl >/dev/null || { echo 'ok - random edits # skip no curl'; exit 0; }
RANDOM=${SEED:=1}

tests/golden/site.sh numbers "$dir/site" || exit 1
mkdir -p "$dir/site/templates" "$dir/site/static"
cp -rn tests/golden/look/templates/. templates/plots "$dir/site/templates/"
cp -rn tests/golden/look/static/. "$dir/site/static/"
cp templates/words.lua "$dir/site/templates/"
cd "$dir/site" || exit 1
sed -i 's/^return {/&\n\tlanguages = { en = { name = "English" }, zh = { name = "中文", tag = "zh-Hans", title = "小", description = "站", nav = {} } },/' content/site.lua
number=$(grep -rhoE '<<bench:value [^>]*>>' content/posts/*.md | head -1)

any() { local all=("$@"); echo "${all[RANDOM % $#]}"; }
# write NAME: a post of random parts; each is another text
write() {
	{
		printf -- '---\ntitle: %s %s\ndate: 2025-12-%02d\n' "$(any One Two Three)" "$1" $((1 + RANDOM % 28))
		printf 'description: About %s\ntags: [%s]\n' "$(any warps lanes)" "$(any gpu memory 'gpu, memory')"
		[ $((RANDOM % 3)) = 0 ] && printf 'series: Small\n'
		printf -- '---\n'
		[ $((RANDOM % 2)) = 0 ] && printf '## %s\n\n' "$(any Why How When)"
		printf 'Text number %s of a [page](/about/).\n\n' "$i"
		[ $((RANDOM % 3)) = 0 ] && printf 'It reaches %s here.\n\n' "$number"
		[ $((RANDOM % 3)) = 0 ] && printf '```c\nint x = %s;\n```\n' "$i"
	} >"$dir/new"
	rm -f "content/posts/$1.zh.md"
	mv "$dir/new" "content/posts/$1.md"
}
# translate NAME: a translation of the post as it is now, with the same blocks
translate() {
	printf -- '---\ntitle: 第 %s\ndescription: 说明\nsource: %s\n---\n' "$i" "$(git hash-object "content/posts/$1.md")" >"$dir/new"
	sed '1,/^---$/{1d;/^---$/!d}' "content/posts/$1.md" | sed 1d >>"$dir/new"
	mv "$dir/new" "content/posts/$1.zh.md"
}
# A record of a run that was interrupted; it goes when it was there, unless it is committed.
record=data/runs/h200/20260103T000000Z-synthetic-00000003.jsonl
toggle_record() {
	git ls-files --error-unmatch $record >/dev/null 2>&1 && return 1
	[ -e $record ] && rm $record && return
	head -n 3 data/runs/h200/*-00000001.jsonl | sed 's/20260101T000000Z-synthetic-00000001/20260103T000000Z-synthetic-00000003/; s/"start":"2026-01-01/"start":"2026-01-03/' >"$dir/new"
	mv "$dir/new" $record
}
commit() { # DATE WHAT
	git add -A "$2" && GIT_AUTHOR_DATE=${1}T03:04:05Z GIT_COMMITTER_DATE=${1}T03:04:05Z \
		git -c user.name=Golden -c user.email=golden@example.org commit -q -m 'golden site' >/dev/null
}
edit() {
	local post=p$((RANDOM % 6))
	case $((RANDOM % 12)) in
	0) rm -f content/posts/"$post".md content/posts/"$post".zh.md && write other$((RANDOM % 2)) ;;
	1) echo "/* $i */" >>static/site.css ;;
	2) echo "<!-- $i -->" >>templates/"$(any post.html base.html number.html)" ;;
	3) printf '\nText number %s.\n' "$i" >>content/pages/about.md ;;
	4 | 5) rm -f content/posts/$post.zh.md; [ -e content/posts/$post.md ] && printf '\nMore text, number %s.\n' "$i" >>content/posts/$post.md || write $post ;;
	6) [ -e content/posts/$post.md ] && translate $post || write $post ;;
	7) sed -i "s/description = \"[^\"站]*\"/description = \"Text number $i.\"/" content/site.lua ;;
	8) toggle_record || write $post ;;
	9) commit 2026-01-06 . || write $post ;;
	*) write $post ;;
	esac
}
soon() {
	for _ in $(seq 1200); do "$@" && return; sleep 0.05; done
	return 1
}
get() { curl -s --max-time 60 "$@"; }
version() { local now; now=$(get "$origin/_live?v=0") && echo "${now%% *}"; }
passed() { [ "$(version)" != "$1" ]; }
# From nothing: with a cache that holds what other programs drew, and nothing that we derived.
same() {
	rm -rf "$dir/whole" "$dir/cache/records"
	"$gen" build --quiet --no-sync --no-audit --whole --cache "$dir/cache" --out "$dir/whole" && diff -rq build/preview "$dir/whole"
}
# Builds here, as before each time, and compares with the whole.
kept() { "$gen" build --quiet --no-sync && diff -rq build/site "$dir/whole"; }

i=0
[ -e content/pages/about.md ] || printf -- '---\ntitle: About\n---\nText.\n' >content/pages/about.md
for p in 0 1 2 3 4 5; do write p$p; done
for ((p = 0; p < ${POSTS:-0}; p++)); do
	printf -- '---\ntitle: Still %d\ndate: 2025-11-%02d\ndescription: About\ntags: [gpu]\n---\n## Why\n\nText %d.\n\n- point\n' $p $((1 + p % 28)) $p >content/posts/s$p.md
done
echo /build >.gitignore
# the first commit has the id that the record names
git init -q -b main && commit 2025-12-31 kernels && commit 2026-01-06 . || exit 1
"$gen" build --quiet --no-sync --out "$dir/whole" || { echo 'not ok - the site builds'; exit 1; }
"$gen" serve --port 0 >"$dir/log" 2>&1 & server=$!
soon grep -q 'built in' "$dir/log"
origin=$(sed -n 's|^site-gen: \(http://[^/ ]*\)/.*|\1|p' "$dir/log")
ok 'so does its preview' same
ok 'and the site in its folder' kept
for ((i = 1; i <= ${EDITS:-12}; i++)); do
	v=$(version)
	edit
	soon passed "$v"
	for try in 1 2 3 4 5 6 7 8 9 10; do # an edit may take two builds
		same >"$dir/differs" 2>&1 && kept >>"$dir/differs" 2>&1 && continue 2
		sleep 0.2
	done
	echo "not ok - edit $i of seed $SEED: the same as a build from nothing"
	sed 's/^/# /' "$dir/differs" | head -20
	exit 1
done
ok "$((i - 1)) random edits: each time the same as a build from nothing" test $i -gt 1
ok 'numbers were among the texts' test -n "$number"

# Other bytes under the same size, time and inode: a build reads what it keeps.
tampered() {
	local file=build/site/static/site.css
	cp -p $file "$dir/as-built" && printf x | dd of=$file conv=notrunc status=none && touch -r "$dir/as-built" $file
	! cmp -s $file "$dir/as-built" && write p0 && sleep 0.1 && "$gen" build --quiet --no-sync && cmp $file "$dir/as-built"
}
ok 'a published file with other bytes is made again' tampered

# A build that finds a file missing makes a new folder. Another build must not come between.
# The leak sanitizer does not work in a program that is traced.
locked_once() {
	strace -o /dev/null -e trace=none true 2>/dev/null || return 0
	rm build/site/robots.txt
	ASAN_OPTIONS=detect_leaks=0 strace -f -qq -o "$dir/trace" -e trace=openat "$gen" build --quiet --no-sync && [ -e build/site/robots.txt ] &&
		[ "$(grep -c '"build/site.lock"' "$dir/trace")" = 1 ]
}
ok 'a build does not give its lock back before it is done' locked_once
