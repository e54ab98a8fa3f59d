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

# A link to where a page's source can be changed.
sed -i 's|^return {|return { edit = "https://code.example/x/edit/main/{path}?from=page",|' content/site.lua
sed -i 's,{{ page.body }},<a href="{{ page.edit_url }}">edit</a>&,' templates/post.html
ok 'a site whose pages can be edited' "$gen" build --no-sync
ok 'a page names its source' has posts/second/index.html '<a href="https://code.example/x/edit/main/content/posts/second/index.md?from=page">edit</a>'
sed -i 's,{path}?from=page,,' content/site.lua
ok 'an address without the path is an error' eval "! '$gen' build --no-sync 2>said && grep -q \"content/site.lua:1:17: 'https://code.example/x/edit/main/' is no address of sources\" said"
sed -i 's|^return { edit = "[^"]*",|return {|' content/site.lua

# A theme: the little look of the golden tests in themes/plain, beside that of the root.
root=$OLDPWD
mkdir -p themes/plain
cp -r "$root/tests/golden/look/templates" "$root/tests/golden/look/static" themes/plain/
cp -r "$root/templates/plots" templates/ 2>/dev/null
echo 'body { color: teal }' >themes/plain/static/site.css
sed -i 's/^return {/return { theme = "plain",/' content/site.lua
grep -q 'theme = "plain"' content/site.lua || exit 1
ok 'a theme takes the place of the look' "$gen" build --no-sync
ok 'its templates are used' has index.html '<body class="home"'
ok 'its files are published' grep -qx 'body { color: teal }' build/site/static/site.css
sed -i 's/<main>/<main class="teal">/' themes/plain/templates/base.html
ok 'the next build sees a change in it' "$gen" build --no-sync
ok 'and prints it' has index.html '<main class="teal">'
sed -i 's/theme = "plain"/theme = "plan"/' content/site.lua
says() { ! "$gen" build --no-sync 2>said && grep -qF -- "$1" said; }
ok 'a theme that is not there is named, with its place' says "content/site.lua:1:18: there is no theme 'plan'"
sed -i 's/theme = "plan"/theme = "..\/x"/' content/site.lua
ok 'and one that is no name' says "is no name of a folder of themes/"

# Social cards: of the root's look, in a site that has the fonts.
sed -i 's/theme = "..\/x"/cards = true/' content/site.lua
rm -rf templates static
cp -r "$root/tests/golden/look/templates" "$root/static" .
cp "$root/templates/card.svg" templates/
cp -r "$root/templates/plots" templates/
sed -i 's/<title>/<meta property="og:image" content="{{ page.card }}">\n<title>/' templates/base.html
size() { [ "$(od -An -tx1 -j16 -N8 "build/site/$1" | tr -d ' \n')" = 000004b000000276 ]; }
ok 'a site with cards' "$gen" build --no-sync
ok 'a post has its own' size posts/first/card.png
ok 'and names it' has posts/first/index.html 'content="https://golden.example/blog/posts/first/card.png"'
ok 'other pages name that of the home page' has about/index.html 'content="https://golden.example/blog/card.png"'
ok 'which is there' size card.png
ok 'the JSON feed has it, too' grep -q '"image":"https://golden.example/blog/posts/first/card.png"' <(tr -d ' ' <build/site/feed.json)
cp -r build/site "$dir/once"
rm -rf build
ok 'again, without a cache' "$gen" build --no-sync
ok 'a card is the same every time' diff -r -x manifest.json "$dir/once" build/site
ls build/cache/cards | sort >"$dir/cards"
touch content/posts/first.md
"$gen" build --no-sync >/dev/null
ok 'and is not drawn again' diff "$dir/cards" <(ls build/cache/cards | sort)
sed -i 's/^title: .*/title: A smile 😀 in a title/' content/posts/first.md
"$gen" build --no-sync >said 2>&1
ok 'a letter that no font has is told' grep -qF "content/posts/first.md: warning: no font of the social card has '😀' (U+1F600)" said
sed -i 's/colour("ink")/colour("inc")/' templates/card.svg
ok 'a colour that is not there is an error with its place' says "templates/card.svg:4: colour('inc'): no such property in static/site.css"
sed -i 's/colour("inc")/colour("ink")/' templates/card.svg
mv static/fonts fonts
ok 'a look without fonts has no letters for cards' says 'static/fonts/ has no .woff2: social cards are drawn with the fonts of the look'
mv fonts static/fonts
rm templates/card.svg
ok 'a look without the template has no cards' "$gen" build --no-sync
ok 'none' test ! -e build/site/card.png
