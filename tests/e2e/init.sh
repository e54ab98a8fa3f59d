#!/bin/bash
# A new author's way, from the installed programs alone: a blog of her own, its kernels measured on
# this CPU, a kernel changed and measured again, the blog published. Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
export BUILD=${BUILD:-build}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ok() { if "${@:2}" >"$dir/said" 2>&1; then echo "ok - $1"; else echo "not ok - $1"; sed 's/^/# /' "$dir/said" | tail -20; fi; }
says() { "${@:2}" 2>&1 | grep -qF -- "$1"; }
gen=$dir/usr/bin/site-gen blog=$dir/home/my-blog
export HOME=$dir/home GIT_CONFIG_NOSYSTEM=1
mkdir "$HOME"
git config --global user.name Test && git config --global user.email test@example.org
git config --global init.defaultBranch main
save() { git add -A && git commit -qm "$1"; }
make() { command make -s -j"$(nproc)" NVCC= LAUNCHES=2 "$@"; }

ok 'the programs are installed' env PREFIX="$dir/usr" ./install.sh
ok 'a blog begins' "$gen" init "$blog" --title 'Kernels of mine'
ok 'a folder that is not empty stays as it is' says "$blog is not empty, expected a new or an empty folder; nothing was written" "$gen" init "$blog"
mkdir "$dir/full" && echo mine >"$dir/full/Makefile"
"$gen" init "$dir/full" >/dev/null 2>&1
ok 'whatever is in it' test "$(ls -A "$dir/full") $(cat "$dir/full/Makefile")" = 'Makefile mine'
ok 'a file is no folder' says "$dir/full/Makefile: Not a directory" "$gen" init "$dir/full/Makefile"
ok 'a title that settings cannot hold is refused' says "a title has no '\"'" "$gen" init "$dir/other" --title 'a"b'
ok 'and nothing is left of it' test ! -e "$dir/other"
mkdir "$dir/empty"
ok 'an empty folder will do' bash -c 'cd "$1" && "$2" init .' - "$dir/empty" "$gen"
ok 'and gives its name to the blog' grep -q 'title = "Empty"' "$dir/empty/content/site.lua"

cd "$blog" || exit 1
ok 'no word in braces is left' bash -c '! grep -rnE "\{(title|date|version|share)\}" .'
git init -q && save 'A new blog'
started=$(date +%s)
ok 'her kernels are compiled, measured on this CPU, and published' make site
echo "# from the first commit to the first page: $(($(date +%s) - started)) s"
# Ridgepoint's own parts come from the installed ones, if they are as she would compile them.
if [ -f "$dir/usr/lib/ridgepoint/facts" ]; then
	share=$dir/usr/share/ridgepoint kflags=$(sed -n 's/^KFLAGS *= //p' Makefile)
	fit() { (cd "$share" && CC=gcc KFLAGS="$kflags${1:-}" NVCC='' NVFLAGS='' SOURCES=$share/ sh "$share/runner/scripts/ready.sh" "$dir/usr/lib/ridgepoint" | tr '\n' ' '); }
	ok 'of which only hers are compiled' bash -c '! ls build/obj/runner build/obj/lib build/obj/kernels/parallel.c.o 2>/dev/null'
	ok 'as the installed parts fit' test "$(fit)" = 'harness kernels '
	ok 'with other flags those of kernels do not' test "$(fit ' -O1')" = 'harness '
	ok 'and are compiled' bash -c '"$@" && ls build/other/obj/kernels/parallel.c.o && ! ls build/other/obj/runner/main.c.o' - \
		command make -s -j"$(nproc)" NVCC= BUILD=build/other KFLAGS="$kflags -O1" runner
	echo '/* changed */' >>"$share/lib/str.h"
	ok 'when a source has changed no part fits' test "$(fit)" = ''
	sed -i '$d' "$share/lib/str.h"
	ok 'until it is as it was' test "$(fit)" = 'harness kernels '
fi
page=build/site/posts/one-thread-or-all/index.html
run() { ls data/runs/*/*.jsonl.gz | tail -n 1; }
first=$(run)
ok 'the run names the commit' zgrep -q "\"commit\":\"$(git rev-parse HEAD)\",\"dirty\":false" "$first"
ok 'its sources are hers, by their blobs' zgrep -qE "kernels/saxpy/threads.c\"[^}]*\"$(git rev-parse HEAD:kernels/saxpy/threads.c)\"" "$first"
ok 'what is not hers is named by one hash' bash -c 'zgrep -qE "\"ridgepoint\":\"[0-9a-f]{12}\"" "$1" && ! zgrep -q "kernels/parallel" "$1"' - "$first"
ok 'the page shows a number of that run' grep -q "data-run=\"$(basename "$first" .jsonl.gz)\"" $page
ok 'that is a preview until it is committed' grep -q 'data-state="preview"' $page
ok 'every kernel is right' make check-kernels
save 'A first run'
ok 'numbers are logged' make note
save 'The first numbers'
ok 'it is deployed' make deploy TARGET="$dir/www"
ok 'for readers' bash -c '! grep -q "data-state=\"preview\"" "$1" && grep -q "Kernels of mine" "$1"' - "$dir/www/posts/one-thread-or-all/index.html"
ok 'the audit derives all numbers again' "$gen" audit "$dir/www"
ok 'and to a branch' make deploy TARGET=git:pages
ok 'which has it' git show pages:posts/one-thread-or-all/index.html

sed -i 's/GRAIN = 4096/GRAIN = 8192/; s/4096 elements/8192 elements/' kernels/saxpy/threads.c && save 'Larger shares'
ok 'a changed kernel makes its numbers stale' says 'stale' make deploy TARGET="$dir/www"
ok 'it is measured again' make bench site
ok 'by another run' test "$(run)" != "$first"
ok 'that the page shows' grep -q "data-run=\"$(basename "$(run)" .jsonl.gz)\"" $page
save 'Another run' && make note >"$dir/said" && save 'Other numbers'
ok 'and it is deployed again' make deploy TARGET="$dir/www"

for shape in map reduce product; do
	ok "a family of the shape $shape begins" "$gen" new family f_$shape --shape $shape
done
ok 'all three are right' says '17 passed, 0 failed, 0 unavailable' make check-kernels FAMILIES='f_map f_reduce f_product'
ok 'their texts are named as they are' "$gen" build --no-sync
rm -r kernels/f_* content/kernels/f_*
cp -r kernels/saxpy kernels/daxpy && sed -i 's/saxpy/daxpy/g; s/SAXPY/DAXPY/g' kernels/daxpy/* && mv kernels/daxpy/saxpy.h kernels/daxpy/daxpy.h
ok 'a copied folder is another family' says 'daxpy' bash -c '"$@" runner && build/runner list' - command make -s NVCC=
ok 'FAMILIES= builds only what it names' bash -c '"$@" runner && ! build/runner list | grep -q daxpy' - command make -s NVCC= FAMILIES=saxpy
sed -i 's/SAXPY_A \* w->x/3 * w->x/' kernels/saxpy/threads.c
ok 'a wrong kernel is found' bash -c '! "$@"' - command make -s NVCC= FAMILIES=saxpy check-kernels
