#!/bin/bash
# tests/limits.sh - what the house promises about names and sizes; prints TAP lines.
#
# Names: an extern of x.c in lib/, runner/ and site-gen/ is declared in the header of its module (x.h,
# x_inner.h), or in its room's header (inner.h, or ROOM.h in ROOM/). A file without a header of its
# own is a part of one module of its room, whose header declares all that it exports. The name
# begins with that of its file, its module or its room (`kind_` and `kinds_` for kinds/, `md_` for
# markdown/), or with a type that the header defines: struct sb makes sb_put(). Some other file uses
# it; where only tests do, its comment in the header says "Declared for tests." What is declared weak,
# since a build may lack it, is declared where it is wanted.
#
# Sizes: functions have a median of 12 lines, 25 at the 90th percentile, and 60 at most, from head to
# brace; a source has 600 lines; a line 100 columns, in kernels 80. No 10 lines stand twice, in
# kernels no 30.
#
# Files: every path in a comment or a doc is there.
#
# tests/limits/allowed lists what may break a limit, and why.
set -u
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C
if ! git rev-parse --git-dir >/dev/null 2>&1; then
	echo 'ok - names and sizes # skip no repository'
	exit 0
fi

check() { # WHAT COMMAND...: passes if the command prints nothing
	local found
	found=$("${@:2}" 2>&1)
	if [ -z "$found" ]; then
		echo "ok - $1"
	else
		printf 'not ok - %s\n%s\n' "$1" "$(head -n 20 <<<"$found")"
	fi
}

# allowed LIMIT: drops the lines that contain a name that may break this limit, and says which of
# these names no line contains. The lines of a limit begin or end with the name.
allowed() {
	awk -F '\t' -v limit="$1" '
		NR == FNR { if ($1 == limit) why[$2] = $3; next }
		{ for (name in why) if (index($0, name)) { used[name]; next } print }
		END { for (name in why) if (!(name in used)) print "tests/limits/allowed: " limit " " name " is not needed" }
	' tests/limits/allowed -
}
files() { git ls-files --cached --others --exclude-standard -- "$@" | while read -r f; do [ ! -e "$f" ] || echo "$f"; done; }
sources() { for wing in "$@"; do files "$wing/*.c" "$wing/*.h" "$wing/*.cu" "$wing/*.cuh"; done; }

# A kernel that records name stays as it was when it was measured: its names are not ours to change.
externs() { sources lib runner site-gen kernels tests | xargs awk -f tests/limits/externs.awk | grep -v '^runner/selftest_chain\.c: '; }
long_functions() { sources lib runner site-gen kernels | xargs awk -f tests/limits/functions.awk | awk '$1 > 60 { print $2 ": a function of " $1 " lines" }' | allowed function; }
# typical WING: where the median or the 90th percentile is too high
typical() {
	sources "$1" | xargs awk -f tests/limits/functions.awk | sort -n | awk '
		{ n[NR] = $1 }
		END {
			if (!NR) print "no function was found"
			median = n[int((NR + 1) / 2)]; most = n[int(NR * 9 / 10)]
			if (median > 12) print "the median function has " median " lines"
			if (most > 25) print "one function in ten has more than " most " lines"
		}'
}
long_sources() { sources lib runner site-gen kernels | xargs awk 'FNR == 601 { print FILENAME ": more than 600 lines" }' | allowed source; }
# wide COLUMNS FILE...: a tab goes to the next multiple of 8; rows of Markdown tables cannot be broken
wide() {
	xargs awk -v most="$1" '
		length <= most / 8 && !/\t/ || FILENAME ~ /\.md$/ && /^\|/ { next }
		{
			line = $0
			gsub(/[\200-\277]/, "", line) # what follows the first byte of a character
			while (i = index(line, "\t")) line = substr(line, 1, i - 1) sprintf("%*s", 8 - (i - 1) % 8, "") substr(line, i + 1)
			if (length(line) > most) print FILENAME ":" FNR ": " length(line) " columns"
		}'
}
wide_sources() { sources lib runner site-gen tests | wide 100; }
wide_kernels() { sources kernels | wide 80; }
wide_docs() { files README.md CONTRIBUTING.md 'docs/*.md' 'data/*.md' 'templates/*.md' 'tests/*.md' ':!tests/golden' ':!tests/mutation' \
	':!data/references' ':!data/withdrawn' ':!data/predictions/*-*.md' | wide 100; }
# repeats MOST WING...
repeats() { sources "${@:2}" | xargs awk -v most="$1" -f tests/limits/runs.awk; }
repeats_of_kernels() { repeats 30 kernels | allowed repeat; }
paths() {
	files '*.c' '*.h' '*.cu' '*.cuh' '*.md' '*.sh' '*.awk' '*.lua' '*.js' '*.mjs' '*.css' '*.gp' '*.html' Makefile tests/run .ci/run \
		':!content' ':!tests/golden' ':!tests/fixtures' | xargs awk -f tests/limits/paths.awk <(files) | allowed path
}
layout() { sources lib runner site-gen tests | grep -v '^runner/selftest_chain' | xargs clang-format --dry-run 2>&1 | grep warning; }

check 'an extern stands in the header of its module, under its name, and is used outside tests' externs
check 'a function has at most 60 lines' long_functions
for wing in lib runner site-gen kernels; do
	check "functions of $wing are short: median 12 lines, nine in ten 25" typical "$wing"
done
check 'a source has at most 600 lines' long_sources
check 'sources fit 100 columns' wide_sources
check 'kernel sources fit 80 columns' wide_kernels
check 'docs fit 100 columns' wide_docs
check 'no 10 lines of lib, runner and site-gen stand twice' repeats 10 lib runner site-gen
check 'no 30 lines of kernels stand twice' repeats_of_kernels
check 'a file that a comment or a doc names is there' paths
if command -v clang-format >/dev/null; then
	check 'sources have the layout of .clang-format' layout
else
	echo 'ok - sources have the layout of .clang-format # skip no clang-format'
fi
