#!/bin/bash
# Checks the layers of docs/design.md by the include lines: a folder includes only the
# folders below it, and one file includes each library. Also checks that nothing changes a
# committed record.
set -u
cd "$(dirname "$0")/.." || exit 1
if ! why=$(git rev-parse --git-dir 2>&1); then
	echo "ok - the layers # skip $(head -n 1 <<<"$why")"
	exit 0
fi

# check WHAT COMMAND...: passes if the command prints nothing
check() {
	local what=$1 found
	shift
	found=$("$@" 2>&1)
	if [ -z "$found" ]; then
		echo "ok - $what"
	else
		echo "not ok - $what"
		echo "$found" | head -n 20
	fi
}

# upward FOLDER ALLOWED-REGEX: project includes of FOLDER that leave the allowed folders
upward() {
	git grep -nE '^[[:space:]]*# *include +"' -- "$1/*.c" "$1/*.h" "$1/*.cu" "$1/*.cuh" |
		grep -vE "include +\"($2)/"
}
# library N HEADER-REGEX: the files that include such a header, without the first N; if there is none, says so
library() {
	local files
	files=$(git grep -lE "^[[:space:]]*# *include +[<\"]($2)" -- '*.c' '*.h' '*.cu' '*.cuh' ':!tests' | sort)
	[ -n "$files" ] || echo "no file includes $2"
	sed "1,$1d" <<<"$files"
}
foreign() {
	git grep -nE '^[[:space:]]*# *include +<(cuda|jansson|nettle|zlib|cmark|git2|lua|yaml|microhttpd)' -- "$1" |
		grep -vE "$2"
}
wide() {
	git ls-files 'kernels/*.c' 'kernels/*.cu' 'kernels/*.h' 'kernels/*.cuh' |
		xargs awk '{ gsub(/[^\x00-\x7f]/, "x") } length > 80 { print FILENAME ":" FNR }'
}
# site-gen/markdown/mem.c says why it has the only one
globals() { # a writable object: in .data or .bss, not in .data.rel.ro as const tables of pointers are
	find "${BUILD:-build}/obj" \( -path '*/obj/kernels/*' -o -path '*/obj/tests/*' \) -prune -o \
		-name '*.c.o' -exec objdump -t {} + |
		awk '/file format/ { file = $1 } / O \.(data|bss)/ && !/\.data\.rel\.ro/ && !/asan|odr|ubsan|Lubsan/ {
			print file, $NF }' | grep -v '/site-gen/markdown/mem.c.o: bump$'
}
# records that a commit changed or removed; one may be packed: its file goes, and FILE.gz holds its bytes
edited() {
	git log -m --diff-filter=MD --no-renames --format= --raw --no-abbrev -- data/runs data/profiles data/traces data/sass ':!data/*/MANIFEST' |
		while read -r _ _ blob _ status path; do
			[ "$status" = D ] && git cat-file -e "HEAD:$path.gz" 2>/dev/null &&
				[ "$(git cat-file blob "HEAD:$path.gz" | zcat | git hash-object --stdin)" = "$blob" ] || echo "$path"
		done
}
shortened() { git log -m -p --format= -- data/runs/MANIFEST data/profiles/MANIFEST data/traces/MANIFEST data/sass/MANIFEST | grep -E '^-([^-]|$)'; }
unlisted() { # committed records against the committed lists, and their lines against the hashes
	local home sum name path
	for home in $(git ls-tree -d --name-only HEAD data/runs data/profiles data/traces data/sass); do
		git cat-file -e "HEAD:$home/MANIFEST" 2>/dev/null || continue # it has no record yet
		diff <(git ls-tree -r --name-only HEAD "$home/" | grep -E '\.jsonl(\.gz)?$' | sed "s,^$home/,,; s,\.gz$,," | sort) \
			<(git show "HEAD:$home/MANIFEST" | cut -c 67- | sort)
		git show "HEAD:$home/MANIFEST" | while read -r sum name; do
			path=$home/$name
			git cat-file -e "HEAD:$path" 2>/dev/null || path=$path.gz
			[ "$(git cat-file blob "HEAD:$path" | zcat -f | sha256sum)" = "$sum  -" ] ||
				echo "$path: other lines than MANIFEST lists"
		done
	done
}

# kernels/kernel.h says why; what only turns it off is named by its variables in capitals
multicast() { git grep -nE 'cuMulticast|multimem' -- kernels runner; }
# In a kernel that waits for another GPU every wait is peer_spin_until(), which has a deadline: no
# other loop may end by what is in memory.
spinning() {
	git grep -lE 'kernels/peer\.cuh|->streams|kernel_of_gpu' -- 'kernels/*.cu' 'kernels/*.cuh' | grep -v '^kernels/peer\.cuh$' |
		xargs -r grep -nHE '\b(while|for) *\((1|true|;[^;]*;)?[^;]*\)|\bdo *(\{|$)|ld\.[a-z.]*sys|ld\.volatile'
}
linked() { git ls-files -s | grep ^120000; } # tests/golden/site.sh says why not
reworded() { grep -rn '数据块' content templates; } # a tile is 分块 (docs/languages.md)

check 'lib includes only lib' upward lib lib
check 'kernels include only kernels' upward kernels kernels
check 'runner includes lib, kernels, runner' upward runner 'lib|kernels|runner'
check 'site-gen includes lib, site-gen' upward site-gen 'lib|site-gen'
check 'lib uses jansson, nettle and zlib only' foreign lib 'jansson|nettle|zlib'
check 'site-gen uses its own libraries only, and no CUDA' foreign site-gen 'cmark|git2|lua|yaml|microhttpd'
check 'one file includes jansson' library 1 jansson
check 'one file includes nettle' library 1 nettle
check 'one file includes libgit2' library 1 git2
check 'one file includes libyaml' library 1 yaml
check 'one file includes libunistring' library 1 'uni(str|case|norm|ctype|width)\.h'
check 'one file includes libmicrohttpd' library 1 microhttpd
check 'one file includes Lua' library 1 'lua|lauxlib'
check 'one file includes cmark-gfm' library 1 cmark-gfm
check 'one file includes zlib' library 1 zlib
check 'one file includes brotli' library 1 brotli
check 'kernel sources fit 80 columns' wide
check 'no kernel multicasts over NVLink' multicast
check 'no wait for another GPU is without a deadline' spinning
if [ -d "${BUILD:-build}/obj/site-gen" ]; then
	check 'no writable globals' globals
else
	echo 'ok - no writable globals # skip nothing is compiled'
fi
check 'a tile has one Chinese word' reworded
check 'there are no symbolic links' linked
check 'records are never edited, renamed or removed' edited
check 'the lists of records are only appended to' shortened
check 'every record is listed, and is what the list says' unlisted
