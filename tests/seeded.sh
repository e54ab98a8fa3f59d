#!/bin/bash
# tests/seeded.sh [N] - the mutation score of the code itself: plants N defects, one at a time,
# in lib/ and in the sources that judge (site-gen/lint, audit, numbers, records; runner/records).
# First the unit test of the changed source is run; if that passes, those of its folder, and then
# the golden sites. A defect that nobody notices is printed with its place. Prints a TAP line: at
# least 95 of 100 are caught.
#
# A defect is a changed operator, constant or condition of one line. One that does not
# compile is not counted. SEED=N plants others, SOURCES='lib/str.c lib/stats.c' only in these.
# Works on a copy of the repository in $BUILD.
set -u
cd "$(dirname "$0")/.." || exit 1
n=${1:-20} copy=$(realpath -m "${BUILD:-build/seeded}")/source
RANDOM=${SEED:-14}
mkdir -p "$copy" && git ls-files -z -- ':!data/runs' ':!content' | xargs -0 cp --parents -pt "$copy" || exit 1
mkdir -p "$copy/data/runs" && cp -rp data/runs/. "$copy/data/runs/"
cd "$copy" || exit 1
export BUILD=build

# source -> its unit test, if it has one
test_of() { echo "tests/unit/${1%/*}/test_$(basename "$1" .c)"; }
program_of() { test_of "$1" | sed 's,^tests/unit/,build/tests/,'; }
all='lib/*.c site-gen/lint/*.c site-gen/audit/*.c site-gen/numbers/*.c site-gen/records/*.c runner/records/*.c'
mapfile -t sources < <(for f in ${SOURCES:-$all}; do
	[ ! -e "$(test_of "$f").c" ] || echo "$f"
done)

# What a line may become: lines of `from<TAB>to`, tried from a random one on.
changes=('<=	<' '>=	>' ' < 	 <= ' ' > 	 >= ' '==	!=' '!=	==' '&&	||' '||	&&' ' + 	 - ' ' - 	 + ' '+ 1	+ 2' '- 1	- 2' 'return true	return false' 'return false	return true' '++	--' 'if (!	if (' ' 0)	 1)')
plant() { # SOURCE: changes one line of it; prints the place and the change
	local k line at=$((RANDOM % ${#changes[@]})) from to lines
	for k in $(seq 0 $((${#changes[@]} - 1))); do
		IFS=$'\t' read -r from to <<<"${changes[(at + k) % ${#changes[@]}]}"
		mapfile -t lines < <(grep -nF -- "$from" "$1" | grep -vE '^[0-9]+:(#|[[:space:]]*(/?\*|//))' | cut -d : -f 1)
		[ ${#lines[@]} -gt 0 ] || continue
		line=${lines[RANDOM % ${#lines[@]}]}
		FROM=$from TO=$to awk -v n="$line" 'NR == n { i = index($0, ENVIRON["FROM"]); $0 = substr($0, 1, i - 1) ENVIRON["TO"] substr($0, i + length(ENVIRON["FROM"])) } { print }' "$1" >planted.c &&
			cp planted.c "$1" && echo "$1:$line: '$from' is '$to'" && return
	done
	return 1
}

# What catches the planted defect of a source: its own test, its folder's, or a golden site.
catcher() { # SOURCE
	local one
	try "$(program_of "$1")" || { echo own; return; }
	for one in "tests/unit/${1%/*}"/test_*.c; do
		one=${one#tests/unit/} one=build/tests/${one%.c}
		[ "$one" = "$(program_of "$1")" ] || [[ $one = *test_journal ]] || try "$one" || { echo room; return; }
	done
	if make -s NVCC= build/site-gen build/runner >log 2>&1 && timeout -s KILL 300 tests/golden/run.sh >log 2>&1 &&
		! grep -q '^not ok' log; then
		echo nobody
	else
		echo golden
	fi
}
# A unit test: true if it passes, or does not compile without the defect either.
try() { make -s NVCC= "$1" >log 2>&1 || return 0; timeout -s KILL 120 "$1" >log 2>&1; }

declare -A by=([own]=0 [room]=0 [golden]=0 [nobody]=0)
tried=0 missed=()
for f in "${sources[@]}"; do make -s NVCC= "$(program_of "$f")" >/dev/null 2>log || { sed 's/^/# /' log | tail -5; }; done
for _ in $(seq $((3 * n))); do
	[ $tried -lt "$n" ] || break
	f=${sources[RANDOM % ${#sources[@]}]} test=$(program_of "$f")
	cp -p "$f" planted.was
	what=$(plant "$f") || continue
	if make -s NVCC= "$test" >log 2>&1; then
		tried=$((tried + 1)) who=$(catcher "$f")
		by[$who]=$((by[$who] + 1))
		[ "$who" != nobody ] || missed+=("$what")
	fi
	cp planted.was "$f"
done
ok=ok caught=$((tried - by[nobody]))
[ $((caught * 100)) -ge $((tried * 95)) ] && [ $tried -gt 0 ] || ok='not ok'
echo "$ok - of $tried defects in ${#sources[@]} sources $caught are caught: ${by[own]} by the source's own test, ${by[room]} by another of its folder, ${by[golden]} by a golden site"
[ ${#missed[@]} -eq 0 ] || printf '# missed: %s\n' "${missed[@]}"
