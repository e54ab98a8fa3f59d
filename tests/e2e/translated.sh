#!/bin/bash
# The life of a translation: it gets an id, the original changes, outdated parts are marked, it
# gets the new id. Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD gen=$(realpath "${BUILD:-build}/site-gen")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ok() { if "${@:2}" >"$dir/said" 2>&1; then echo "ok - $1"; else echo "not ok - $1"; sed 's/^/# /' "$dir/said" | head -20; fi; }
refused() { ! "${@:2}" >"$dir/out" 2>&1 && grep -qF "$1" "$dir/out" || { cat "$dir/out"; return 1; }; }
site=$dir/site
original=content/posts/x.md translation=content/posts/x.zh.md page=$site/build/site/zh/posts/x/index.html
build() { "$gen" build --quiet --root "$site"; }
translated() { "$gen" translated --root "$site" "$translation"; }
commit() { git -C "$site" add -A && git -C "$site" -c user.name=T -c user.email=t@example.org commit -q -m "$1"; }
older() { [ "$(grep -c '<div class="older">' "$page")" = "$1" ]; }

mkdir -p "$site/content/posts"
cp -r tests/golden/look/templates tests/golden/look/static "$site/"
printf 'return { title = "T", base_url = "https://x.example", languages = { en = { name = "English" }, zh = { name = "中文" } } }\n' \
	>"$site/content/site.lua"
printf -- '---\ntitle: A post\ndate: 2026-01-01\n---\nOne.\n\nTwo.\n\nThree.\n' >"$site/$original"
printf -- '---\ntitle: 一篇文章\n---\n一。\n\n二。\n\n三。\n' >"$site/$translation"
git -C "$site" init -q -b main
commit 'a post'

ok 'without an id the build names it' refused "'source: $(git -C "$site" hash-object $original)' [bilingual]" build
ok 'translated writes it' translated
ok 'as a line of the front matter' grep -qx "source: $(git -C "$site" hash-object $original)" "$site/$translation"
ok 'and touches nothing else' bash -c 'sed /^source:/d "$1" | cmp - <(printf -- "---\ntitle: 一篇文章\n---\n一。\n\n二。\n\n三。\n")' - "$site/$translation"
ok 'then it builds' build
ok 'and nothing is older' older 0
commit 'translated'

sed -i 's/Two\./Two, and more./' "$site/$original"
ok 'a changed original builds' build
ok 'and one block is older' older 1
ok 'with a link to its original' grep -q 'href="/posts/x/#para-2"' "$page"
sed -i 's/Two, and more\./Two./' "$site/$original"
sed -i 's/One\./One\n\n.../' "$site/$original"
ok 'a new block is no error' build
ok 'and is named' grep -q 'href="/posts/x/#para-2">added' "$page"
sed -i 's/一。/一\n\n……/' "$site/$translation"
ok 'a translation that has followed must say so' refused "expected 'site-gen translated $translation' [bilingual]" build
ok 'translated says what has changed' bash -c '"$1" translated --root "$2" "$3" | grep -q "x.md:7: changed"' - "$gen" "$site" "$translation"
ok 'and it builds again' build
ok 'with nothing older' older 0

id=$(git -C "$site" hash-object -w --stdin <<<'never committed')
cp "$site/$translation" "$dir/kept"
sed -i "s/^source:.*/source: $id/" "$site/$translation"
ok 'an original that was never committed is refused, though git has its blob' refused "blob $id is in no commit of this repository" build
cp "$dir/kept" "$site/$translation"

cp "$site/$translation" "$dir/before"
printf '\nFour.\n' >>"$site/$original"
ok 'translated refuses a translation that has not followed' refused 'expected a block for each block [bilingual]' translated
ok 'and a file that is no translation' refused 'is no translation, expected NAME.LANGUAGE.md' "$gen" translated --root "$site" "$original"
ok 'the file is as it was' cmp "$dir/before" "$site/$translation"

rm -rf "$site/.git"
ok 'without a repository it builds' build
ok 'and says that it is older, not where' grep -q ', older, unknown' "$page"
