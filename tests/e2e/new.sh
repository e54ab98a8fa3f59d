#!/bin/bash
# `site-gen new`: the files that it writes are accepted by their readers. Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD gen=$(realpath "${BUILD:-build}/site-gen")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ok() { if "${@:2}" >"$dir/said" 2>&1; then echo "ok - $1"; else echo "not ok - $1"; sed 's/^/# /' "$dir/said" | head -20; fi; }
mkdir "$dir/site"
cp -r tests/golden/whole-site/site/. tests/golden/look/templates tests/golden/look/static "$dir/site/"
new() { "$gen" new --root "$dir/site" "$@"; }

before=$(date +%F)
ok 'a post' new post bytes-in-flight --title 'Bytes in flight: why'
ok 'is a draft that builds' "$gen" check -q --drafts --root "$dir/site"
ok 'with its title' grep -q '^title: "Bytes in flight: why"$' "$dir/site/content/posts/bytes-in-flight.md"
ok 'and today' grep -qE "^date: ($before|$(date +%F))$" "$dir/site/content/posts/bytes-in-flight.md"
ok 'a page' new page how-to-read
ok 'is there' bash -c '"$1" build -q --root "$2" && grep -q "How to read" "$2/build/site/how-to-read/index.html"' - "$gen" "$dir/site"
ok 'a section' new section 07-warps
ok 'a path' new path short-way
ok 'both build' "$gen" check -q --root "$dir/site"
ok 'the section has its number' grep -q '"Warps"' <(sed -n 2p "$dir/site/content/sections/07-warps.md")
ok 'a prediction' new prediction scan-lookback
ok 'says what comes next' grep -q 'next: fill it in' <(new prediction another)
echo mine >"$dir/site/content/posts/mine.md"
ok 'what is there is not replaced' bash -c '! "$1" new --root "$2" post mine && [ "$(cat "$2/content/posts/mine.md")" = mine ]' - "$gen" "$dir/site"
ok 'and what to do is said' grep -q 'content/posts/mine.md is there already, and stays as it is; go on writing it, or choose another name' <(new post mine 2>&1)
rm "$dir/site/content/posts/mine.md"
for name in ../x /etc/x A 'a b' a.b -a ''; do
	ok "no post is called '$name'" bash -c '! "$1" new --root "$2" post -- "$3"' - "$gen" "$dir/site" "$name"
done
ok 'no folder was left' test ! -e "$dir/x.md"
ok 'an unknown kind is an error that lists them' grep -q 'expected one of post, page, section, path, prediction, kernel, family' <(new poem x 2>&1)
ok 'a kernel wants a family' grep -q "no family 'nope'" <(new kernel nope/x 2>&1)
for shape in map reduce product; do
	ok "a family of the shape $shape" new family "f_$shape" --shape $shape
	ok 'fits 80 columns' test -z "$(awk 'length > 80' "$dir/site/kernels/f_$shape"/*.c*)"
	ok 'is C' gcc -std=c17 -D_GNU_SOURCE -Wall -Wextra -Wshadow -Werror -fsyntax-only -I. -I"$dir/site" "$dir/site/kernels/f_$shape"/{family,loop}.c
	ok 'has no word in braces left' bash -c '! grep -rnE "\{(name|title)\}" "$1"' - "$dir/site/kernels/f_$shape"
done
ok 'and a page' grep -q 'title: "F map"' "$dir/site/content/kernels/f_map.md"
ok 'what is there stays' grep -q 'f_map/family.c is there already' <(new family f_map 2>&1)
ok 'a shape must be known' grep -q "'cube': expected map, reduce or product" <(new family x --shape cube 2>&1)
ok 'of a family alone' grep -q -- '--shape belongs to a family' <(new post x --shape map 2>&1)
ok 'a family is a name in C' grep -q "'4th' is no name for a family" <(new family 4th 2>&1)
rm -r "$dir/site/kernels" "$dir/site/content/kernels"/f_*
mkdir -p "$dir/site/kernels"
cp -r kernels/stream kernels/kernel.h "$dir/site/kernels/"
ok 'a kernel' new kernel stream/prefetch
ok 'fits 80 columns' test -z "$(awk 'length > 80' "$dir/site/kernels/stream/prefetch.cu")"
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
if [ -n "$nvcc" ]; then
	ok 'compiles' "$nvcc" -std=c++17 -arch=sm_90 -I"$dir/site" -c "$dir/site/kernels/stream/prefetch.cu" -o "$dir/o"
else
	echo 'ok - compiles # skip no nvcc'
fi

# FAMILIES narrows what is compiled; nothing is compiled here.
plan() { make -n NVCC= BUILD="$dir/b" "$@" runner; }
ok 'FAMILIES compiles a family' grep -q 'kernels/reduce/' <(plan FAMILIES=reduce)
ok 'and no other' test "$(plan FAMILIES=reduce | grep -c 'kernels/transpose/')" = 0
ok 'its table is made of its folder' grep -q 'families.sh reduce' <(plan FAMILIES=reduce)
ok 'a family must be there' grep -q 'FAMILIES: there is no kernels/nope/family.c' <(plan FAMILIES=nope 2>&1)
