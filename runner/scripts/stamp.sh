#!/bin/sh
# runner/scripts/stamp.sh - writes stamp.c (see runner/base/stamp.h) to standard output.
#
# make runs it from the root with OBJ, CODEHASH, CC, NVCC, CFLAGS and NVFLAGS set, after
# the kernels are compiled, and for runner-trace with TRACED=true. In a blog of one's own SOURCES is
# the folder of Ridgepoint's lib/, runner/ and kernels/: the stamp names what the blog itself has
# committed, and one hash for all of that folder. The sources of a unit come from its dependency file, its
# registers and spills from the assembler's log, and the hash of its machine code from
# its objects. A unit that includes kernels/x.h also depends on kernels/x.c and
# kernels/x.py, if they exist. Files are compared by git blob id, never by time stamp or
# `git status`.
set -eu
export LC_ALL=C GIT_NO_REPLACE_OBJECTS=1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

quote() { sed 's/\\/\\\\/g; s/"/\\"/g'; }
first_line() { "$@" 2>/dev/null | head -n 1 | quote; }

# hash_files: paths on stdin -> "path blob" lines
hash_files() {
	if command -v git >/dev/null; then
		tee "$tmp/names" | git hash-object --no-filters --stdin-paths >"$tmp/ids"
		paste -d ' ' "$tmp/names" "$tmp/ids"
	else
		while read -r f; do
			id=$({ printf 'blob %s\0' "$(wc -c <"$f" | tr -d ' ')"; cat "$f"; } | sha1sum)
			echo "$f ${id%% *}"
		done
	fi
}

# dependency_files FOLDER... -> those of the objects in this build. A build without nvcc
# links no CUDA objects, even if an earlier build has left some.
dependency_files() {
	find "$@" -name '*.d' 2>/dev/null | if [ -n "$NVCC" ]; then cat; else grep -vE '\.cu\.d$|/runner/cuda/' || :; fi
}

ours='kernels lib runner Makefile'
[ -z "${SOURCES:-}" ] || ours='kernels Makefile'
# shellcheck disable=SC2086 # a list
find $ours ! -type d | sort | hash_files >"$tmp/tree"

commit=$(git rev-parse --verify -q 'HEAD^{commit}' 2>/dev/null || :)
dirty=true
if [ -n "$commit" ]; then
	# shellcheck disable=SC2086 # a list
	git ls-tree -r HEAD -- $ours |
		awk '{ print $4, $3 }' | sort >"$tmp/head"
	sort "$tmp/tree" | cmp -s - "$tmp/head" && dirty=false
fi

# An object may be made from bytes that the tree no longer has (a file was restored with
# its old time stamp). The stamp would then be wrong, so make such an object again.
stale=
for d in $(dependency_files "$OBJ/kernels" "$OBJ/lib" "$OBJ/runner"); do
	o=${d%.d}.o
	src=${o#"$OBJ/"}
	[ -f "${src%.o}" ] || continue # the object of a file that was deleted since
	sed -n '1,/[^\\]$/p' "$d" | tr -s ' \\\n' '\n\n\n' | sed 's,^\./,,' |
		awk -v tree="$tmp/tree" 'BEGIN { while ((getline < tree) > 0) id[$1] = $2 }
			$0 in id { print $0, id[$0] }' >"$tmp/made"
	if [ ! -e "$o.ids" ] || [ "$o" -nt "$o.ids" ]; then
		cp "$tmp/made" "$o.ids"
	elif ! cmp -s "$tmp/made" "$o.ids"; then
		rm -f "$o" "$o.ids"
		stale="$stale $o"
	fi
done
[ -z "$stale" ] || { echo "stamp.sh: older than their sources, make again:$stale" >&2; exit 1; }

# unit_files FILE.d -> the project files of one object, its own source first
unit_files() {
	sed -n '1,/[^\\]$/p' "$1" | tr -s ' \\\n' '\n\n\n' | sed 's,^\./,,' |
		awk '/^(kernels\/|runner\/selftest_chain).*\.(h|cuh|c|cu)$/ && !seen[$0]++ {
			print
			if (!sub(/\.h$/, ""))
				next
			for (i = 1; i <= 3; i++) {
				f = $0 (i == 1 ? ".c" : i == 2 ? ".cu" : ".py")
				if (!(f in seen) && (getline line < f) >= 0)
					print f
				seen[f]++
			}
		}'
}

ptxas_max() { # LOG -> "registers, shared, spill"
	awk 'BEGIN { r = s = p = -1 }
	/Used [0-9]+ registers/ {
		for (i = 1; i < NF; i++) {
			if ($i == "Used" && $(i + 1) + 0 > r) r = $(i + 1) + 0
			if ($(i + 1) == "bytes" && $(i + 2) ~ /^smem/ && $i + 0 > s) s = $i + 0
		}
		if (s < 0) s = 0
	}
	/bytes spill stores/ {
		for (i = 1; i < NF; i++)
			if ($(i + 2) == "spill" && $i + 0 > p) p = $i + 0
	}
	END { printf "%d, %d, %d", r, s, p }' "$1"
}

mix() { # OBJECT -> the instruction mix of its device code, quoted, or NULL
	made=
	[ ! -f "$1" ] || made=$("$CODEHASH" --mix "$1" | quote)
	if [ -n "$made" ]; then echo "\"$made\""; else echo NULL; fi
}

device_hash() { # OBJECT -> the hash of its file of device code, quoted; NULL: none, or several
	made=
	[ ! -f "$1" ] || made=$("$CODEHASH" --device "$1")
	case $made in
	'' | *"
"*) echo NULL ;;
	*) echo "\"$made\"" ;;
	esac
}

code_hash() { # FILES on stdin -> the hash of their objects' machine code, quoted, or NULL
	awk '/\.(c|cu)$/' | while read -r f; do echo "$OBJ/$f.o"; done >"$tmp/objects"
	# shellcheck disable=SC2046 # object names have no spaces
	if ls $(cat "$tmp/objects") >/dev/null 2>&1 && hash=$("$CODEHASH" $(cat "$tmp/objects")); then echo "\"$hash\""; else echo NULL; fi
}

cat <<END
/* Written by runner/scripts/stamp.sh; see runner/base/stamp.h. */
#include "runner/base/stamp.h"

END

units=
n=0
for d in $(dependency_files "$OBJ/kernels" "$OBJ/runner" |
	grep -E '/obj/(kernels/|runner/selftest_chain)' | sort); do
	src=${d#"$OBJ/"}
	src=${src%.d}
	[ -f "$src" ] || continue
	echo "static const struct run_source unit$n[] = {"
	unit_files "$d" >"$tmp/files"
	awk -v tree="$tmp/tree" '
		BEGIN { while ((getline < tree) > 0) id[$1] = $2 }
		$0 in id { printf "\t{\"%s\", \"%s\"},\n", $0, id[$0] }' "$tmp/files"
	echo "};"
	build="-1, -1, -1"
	[ ! -f "${d%.d}.ptxas" ] || build=$(ptxas_max "${d%.d}.ptxas")
	units="$units	{\"$src\", unit$n, sizeof unit$n / sizeof unit$n[0], $build,
	 $(code_hash <"$tmp/files"), $(device_hash "${d%.d}.o"), $(mix "${d%.d}.o")},
"
	n=$((n + 1))
done
echo "static const struct stamp_unit units[] = {"
[ "$n" -gt 0 ] || echo "	{0},"
printf '%s' "$units"
echo "};"

flags_c=$(printf '%s' "$CFLAGS" | quote)
flags_cuda=$(printf '%s' "$NVFLAGS" | quote)
echo
echo "static const struct run_pair toolchain[] = {"
echo "	{\"cc\", \"$(first_line "$CC" --version)\", 0},"
echo "	{\"flags_c\", \"$flags_c\", 0},"
if [ -n "${SOURCES:-}" ]; then
	echo "	{\"ridgepoint\", \"$(KFLAGS='' NVFLAGS='' sh "$SOURCES/runner/scripts/ready.sh" | sed -n 's/^harness //p')\", 0},"
fi
if [ -n "$NVCC" ]; then
	nv=$("$NVCC" --version | sed -n 's/^.*release.*, V//p' | quote)
	echo "	{\"nvcc\", \"$nv\", 0},"
	echo "	{\"flags_cuda\", \"$flags_cuda\", 0},"
fi
echo "};"

committed=0
[ -z "$commit" ] || committed=$(git show -s --no-show-signature --format=%ct "$commit")
if [ -n "$commit" ]; then commit="\"$commit\""; else commit=NULL; fi
cat <<END

const struct stamp stamp = {
	.traced = ${TRACED:-false},
	.commit = $commit,
	.committed = $committed,
	.dirty = $dirty,
	.flags_c = "$flags_c",
	.flags_cuda = "$flags_cuda",
	.toolchain = toolchain,
	.ntoolchain = sizeof toolchain / sizeof toolchain[0],
	.units = units,
	.nunits = $n,
};
END
