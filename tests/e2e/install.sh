#!/bin/bash
# `make install`, and a site that lies over the installed look. Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
export BUILD=${BUILD:-build}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ok() { if "${@:2}" >"$dir/said" 2>&1; then echo "ok - $1"; else echo "not ok - $1"; sed 's/^/# /' "$dir/said" | head -20; fi; }
prefix=$dir/root/usr site=$dir/site gen=$dir/root/usr/bin/site-gen

mkdir -p "$prefix/share/ridgepoint/templates"
echo old >"$prefix/share/ridgepoint/templates/gone.html"
ok 'the programs and the look are installed' env DESTDIR="$dir/root" PREFIX=/usr ./install.sh
ok 'what an earlier version left goes' test ! -e "$prefix/share/ridgepoint/templates/gone.html"
[ ! -f "$BUILD/ready/facts" ] || lib='lib '
ok 'nothing lies beside bin, lib and share' test "$(ls "$dir/root/usr" | tr '\n' ' ')" = "bin ${lib:-}share "
[ -z "${lib:-}" ] || ok 'a part of a runner is of these sources' bash -c \
	'cut -d " " -f 1,2 "$2/lib/ridgepoint/facts" | grep -Fx "$(CC=gcc KFLAGS= NVFLAGS= SOURCES="$1" sh runner/scripts/ready.sh | head -n 1)"' - "$prefix/share/ridgepoint" "$prefix"
ok 'all of the look is there' diff -r templates "$prefix/share/ridgepoint/templates"
ok 'and its files' diff -r static "$prefix/share/ridgepoint/static"
for program in site-gen runner; do
	ok "$program has a manual page" grep -q '^\.SH NAME' "$prefix/share/man/man1/$program.1"
	ok "$program has a completion" bash -n "$prefix/share/bash-completion/completions/$program"
done

# A site of two files: all else is the default's.
mkdir -p "$site/content/posts"
cd "$site" || exit 1
echo 'return { ridgepoint = "1.0", title = "Mine", base_url = "https://mine.example" }' >content/site.lua
printf -- '---\ntitle: First\ndate: 2026-01-02\n---\n\nHello.\n' >content/posts/first.md
has() { grep -qF -- "$2" "build/site/$1" || { cat "build/site/$1"; return 1; }; }
lacks() { ! grep -qF -- "$2" "build/site/$1"; }
ok 'a site without a look of its own is built' "$gen" build --no-sync
rules() { grep -c '{' "$1"; }
ok 'with the default style' [ "$(rules build/site/static/site.css)" = "$(rules "$OLDPWD/static/site.css")" ]
ok 'without its comments' lacks static/site.css '/*'
ok 'and none of its own' lacks index.html my.css
mkdir templates static
echo '<b>our logo</b>' >templates/logo.html
echo ':root { --ink: teal }' >static/my.css
echo '<svg xmlns="http://www.w3.org/2000/svg"/>' >static/favicon.svg
ok 'files of its own lie over the default' "$gen" build --no-sync
ok 'a template' has posts/first/index.html '<b>our logo</b>'
ok 'a file that pages load' cmp build/site/static/favicon.svg static/favicon.svg
last_style() { [[ $(grep -o 'rel="stylesheet"[^>]*' "build/site/$1" | grep -v print | tail -n 1) == *'/static/my.css?h='* ]]; }
ok 'a style sheet, after all others' last_style posts/first/index.html
ok 'the next build sees a change of the default' bash -c \
	'echo "body { color: red }" >>"$1/static/site.css"; "$2" build --no-sync && [ "$(tail -n 1 build/site/static/site.css)" = "body { color: red }" ]' \
	- "$prefix/share/ridgepoint" "$gen"

# Colours, logo and favicon by setting; the check compares them with the colours of the look.
cat >content/site.lua <<'END'
return { ridgepoint = "1.0", title = "Mine", base_url = "https://mine.example",
	colours = {
		light = { accent = "#8a3b12", background = "#fffdf8" },
		dark = { accent = "#ffb27d" },
	},
	logo = "static/mark.svg", favicon = "static/mark.svg",
}
END
echo '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 32" width="64" height="32"><path d="M0 0h9v9z"/></svg>' >static/mark.svg
rm static/my.css templates/logo.html
ok 'colours, logo and favicon are settings' "$gen" build --no-sync
ok 'a colour stands where the look had its own' has static/site.css '--accent: light-dark(#8a3b12, #ffb27d);'
ok 'beside what the settings leave' has static/site.css '--ground: light-dark(#fffdf8, #14161a);'
ok 'with shades of it' has static/site.css '--raised: light-dark(#f'
ok 'under an address of its own' bash -c 'grep -q "site.css?h=$(sha256sum build/site/static/site.css | cut -c 1-12)" build/site/index.html'
ok 'browsers know it' has index.html 'content="#fffdf8"'
ok 'the logo is a picture' has index.html '<img class="logo" src="/static/mark.svg?h='
ok 'the favicon, too' has index.html '<link rel="icon" type="image/svg+xml" href="/static/mark.svg?h='
ok 'no style is inline' lacks index.html '<style'
cp content/site.lua settings
wrong() { # WHAT CHANGE MESSAGE
	sed "$2" settings >content/site.lua
	ok "$1" bash -c '! "$1" build --no-sync 2>said && { grep -qF -- "$2" said || { cat said; false; }; }' - "$gen" "$3"
}
wrong 'a colour is six digits' 's/#8a3b12/brown/' "content/site.lua:3:13: accent 'brown' is no colour, expected \"#rrggbb\""
wrong 'links have contrast' 's/#8a3b12/#e0a080/' 'content/site.lua:3:13: accent #e0a080 on background #fffdf8 has a contrast of 2.17 in the light theme, expected 4.5 or more (WCAG AA)'
wrong 'text has it on any background' 's/#fffdf8/#777777/' 'content/site.lua:3:33: text #1b1d22 on background #777777 has a contrast of'
wrong 'as have colours of the look' 's/#fffdf8/#d0d0d0/' 'background #d0d0d0 gives --'
wrong 'there are three colours' 's/accent = "#ffb27d"/link = "#ffb27d"/' "content/site.lua:4:12: unknown key 'link' in 'dark', expected accent, background or text"
wrong 'and two themes' 's/dark/night/' "content/site.lua:4:3: unknown key 'night' in 'colours', expected light or dark"
wrong 'a logo exists' 's,logo = "static/mark,logo = "static/none,' "logo: there is no file 'static/none.svg'"
wrong 'and is a picture' 's,logo = "static/mark.svg,logo = "static/site.css,' "logo 'static/site.css' is no picture of the look, expected \"static/NAME\" in SVG, PNG, WebP or JPEG"
wrong 'as a favicon is' 's,favicon = "static/mark.svg,favicon = "icon.gif,' "favicon 'icon.gif' is no picture of the look"
echo 'return { ridgepoint = "1.0", title = "Mine", base_url = "https://mine.example" }' >content/site.lua

says() { ! "$gen" build --no-sync 2>said && grep -qF -- "$1" said; }
sed -i 's/"1.0"/"1.99"/' content/site.lua
ok 'a site of a later version is refused, with the place' says 'content/site.lua:1:23: the site was written for Ridgepoint 1.99'
sed -i 's/"1.99"/"2.0"/' content/site.lua
ok 'as is one of another first number' says 'the site was written for Ridgepoint 2.0'
sed -i 's/"2.0"/"new"/' content/site.lua
ok 'and what is no version' says "'new' is no version, expected \"1.0\""
sed -i 's/"new"/"1.0"/' content/site.lua
ok 'then it is built again' "$gen" build --no-sync
mv "$prefix/share/ridgepoint" "$prefix/share/elsewhere"
ok 'without the default look there is one error' says 'content/site.lua:1:23: the default look is not there'
sed -i 's/ridgepoint = "1.0", //' content/site.lua
ok 'a site that names no version has its own look alone' says "undefined template 'post.html'"

# A Debian package of the same, unpacked elsewhere.
cd "$OLDPWD" || exit 1
if [ "${BUILD%/san}" != "$BUILD" ]; then
	echo 'ok - a Debian package is made # skip this build is for the sanitizers'
elif command -v dpkg-buildpackage >/dev/null && git rev-parse HEAD >/dev/null 2>&1; then
	mv "$prefix/share/elsewhere" "$prefix/share/ridgepoint"
	ok 'a Debian package is made' runner/scripts/deb.sh "$dir/deb"
	package=$(ls "$dir"/deb/*.deb)
	ok 'of the version of site-gen' test "$(dpkg-deb -f "$package" Version | cut -d + -f 1)" = "$(sed -n 's/^#define SITE_VERSION "\(.*\)"/\1/p' site-gen/lua/config.h)"
	ok 'that depends on its libraries, and on what it runs' bash -c 'dpkg-deb -f "$1" Depends | grep -q "libgit2.*libmicrohttpd.*gnuplot"' - "$package"
	dpkg-deb -x "$package" "$dir/debian"
	ok 'it holds all that make install copies' bash -c 'diff <(cd "$1" && find . -type f -o -type l | sed "s/\.1$/.1.gz/" | sort) <(cd "$2" && find . -type f | grep -v "^./share/doc/" | sort)' - "$prefix" "$dir/debian/usr"
	ok 'and what is in it works' "$dir/debian/usr/bin/site-gen" init "$dir/from-package"
	ok 'with the place where it is installed' grep -q "share/ridgepoint" "$dir/from-package/Makefile"
else
	echo 'ok - a Debian package is made # skip no dpkg-buildpackage, or no repository'
fi
