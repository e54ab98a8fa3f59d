#!/bin/bash
# Pictures of a post: their size on the page, smaller versions, and errors. Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
gen=$(realpath "${BUILD:-build}/site-gen")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ok() { if "${@:2}" >"$dir/said" 2>&1; then echo "ok - $1"; else echo "not ok - $1"; sed 's/^/# /' "$dir/said" | head -20; fi; }
cp -r tests/golden/whole-site/site "$dir/site"
cp -r tests/golden/look/templates tests/golden/look/static "$dir/site/"
cd "$dir/site" || exit 1
post=content/posts/pictures
mkdir $post
cp "$root/tests/fixtures/grey.jpg" $post/grey.jpg
printf '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><circle cx="20" cy="10" r="9" fill="teal"/></svg>' >$post/drawn.svg
rsvg-convert --width 1000 --output $post/drawn.png $post/drawn.svg
rsvg-convert --width 500 --output static/logo.png $post/drawn.svg
write() { printf -- '---\ntitle: Pictures\ndate: 2026-01-05\n---\n\n%s\n' "$*" >$post/index.md; }
has() { grep -qF -- "$1" build/site/posts/pictures/index.html || { cat build/site/posts/pictures/index.html; return 1; }; }
says() { ! "$gen" build --no-sync 2>said >/dev/null && grep -qF -- "$1" said || { cat said; return 1; }; }
webp() { # FILE WIDTH: that wide (RFC 9649: VP8 or VP8L)
	local kind
	kind=$(od -An -c -j12 -N4 "build/site/$1" | tr -d ' \n')
	case $kind in
	VP8) [ $(($(od -An -tu2 -j26 -N2 "build/site/$1") & 0x3fff)) = "$2" ] ;;
	VP8L) [ $((($(od -An -tu2 -j21 -N2 "build/site/$1") & 0x3fff) + 1)) = "$2" ] ;;
	*) [ $(($(od -An -tu2 -j24 -N2 "build/site/$1") + 1)) = "$2" ] ;;
	esac
}

write '![A grey](grey.jpg) ![Drawn](drawn.png) ![Lines](drawn.svg) ![Logo](/static/logo.png)

![A grey again](./grey.jpg "With a caption")'
ok 'a post with pictures' "$gen" build --no-sync
ok 'a photo has its size, and smaller ones' has '<picture><source type="image/webp" srcset="grey-480.webp 480w, grey-600.webp 600w" sizes="(min-width: 44rem) 39rem, 100vw"><img src="grey.jpg" alt="A grey" width="600" height="30" loading="lazy" decoding="async"></picture>'
ok 'a drawing in pixels, too' has 'srcset="drawn-480.webp 480w, drawn-960.webp 960w, drawn-1000.webp 1000w"'
ok 'one in lines has its size alone' has '</picture> <img src="drawn.svg" alt="Lines" width="40" height="20" loading='
ok 'one of the look has the prefix of the site' has 'srcset="/blog/static/logo-480.webp 480w, /blog/static/logo-500.webp 500w"'
ok 'a figure is wider' has 'srcset="./grey-480.webp 480w, ./grey-600.webp 600w" sizes="(min-width: 60rem) 57.5rem, 100vw"'
for w in 480 600; do ok "the photo, $w pixels wide" webp posts/pictures/grey-$w.webp $w; done
for w in 480 960 1000; do ok "the drawing, $w pixels wide" webp posts/pictures/drawn-$w.webp $w; done
ok 'the logo' webp static/logo-480.webp 480
ok 'the feed has whole addresses' grep -qF 'srcset="https://golden.example/blog/posts/pictures/grey-480.webp 480w, https://golden.example/blog/posts/pictures/grey-600.webp 600w"' <(sed 's/&quot;/"/g' build/site/feed.xml)
cp -r build/site "$dir/once"
rm -rf build
"$gen" build --no-sync >/dev/null
ok 'they are the same every time' diff -r -x manifest.json "$dir/once" build/site
kept() { find build/cache/pictures -type f -printf '%f %i %T@\n' | sort; }
kept >"$dir/kept"
write '![A grey](grey.jpg) Another text.'
"$gen" build --no-sync >/dev/null
ok 'another text makes no picture again' diff "$dir/kept" <(kept)
printf 'GIF89' >$post/bad.gif
write '![Bad](bad.gif)'
ok 'a picture that is cut short' says "$post/index.md:6:1: image 'bad.gif': no size can be read from it"
cp $post/index.md $post/bad.png
write '![Bad](bad.png)'
ok 'what is no picture' says "$post/index.md:6:1: image 'bad.png': expected a picture in PNG, JPEG, WebP, GIF or SVG"
ok 'and says so where nothing shows it' says "$post/bad.gif: no size can be read from it"
rm $post/bad.gif $post/bad.png
write '![](grey.jpg)'
ok 'a picture without a text' says "image 'grey.jpg' has no text for those who cannot see it"
write '![x](none.png)'
ok 'a picture that is not there' says "none.png"
head -c 400 "$root/tests/fixtures/grey.jpg" >$post/cut.jpg
write '![x](cut.jpg)'
ok 'one whose end is missing' says "$post/cut.jpg: cwebp failed"
