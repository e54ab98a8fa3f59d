#!/bin/bash
# tests/coverage.sh - the share of branches that the unit tests take in lib/ and in the sources
# that judge: site-gen's lint, audit, numbers, records and claims, the rules traced and unmarked, and
# runner/records. Prints a row for each source, the weakest first, and the whole. `make coverage`
# builds what it needs, in a folder of its own ($BUILD). FEWEST=N hides sources with fewer branches.
#
# A branch is one of gcov's, at -O0: each way out of a condition, `&&` and `||` included. Counts of
# earlier runs are thrown away. The unit tests that kill a run and change every byte are left out.
set -u
cd "$(dirname "$0")/.." || exit 1
export BUILD=${BUILD:-build/coverage} LC_ALL=C.UTF-8 RIDGEPOINT_NO_SANDBOX=1
[ -d "$BUILD/obj" ] || { echo "tests/coverage.sh: no $BUILD/obj; run 'make coverage'" >&2; exit 1; }

sources=(lib/*.c site-gen/{lint,audit,numbers,records}/*.c site-gen/markdown/traced.c
	site-gen/site/{traced,traced_template,unmarked}.c site-gen/kinds/claim*.c runner/records/*.c)
find "$BUILD/obj" -name '*.gcda' -delete
failed=0
while read -r test; do
	case $test in */runner/records/test_journal | */test_record_bytes) continue ;; esac
	timeout 300 "$test" >/dev/null 2>&1 </dev/null || { echo "# fails: $test"; failed=1; }
done < <(find "$BUILD/tests" -type f -name 'test_*' -perm -u+x | sort)

# branches SOURCE: "taken all source"; nothing if it has none
branches() {
	local note=$BUILD/obj/$1.gcno
	[ -e "$note" ] || { echo "0 0 $1"; return; }
	gcov -b -n "$note" 2>/dev/null | awk -v want="$1" '
		/^File / { here = $0 == "File \047" want "\047" }
		here && /^Taken at least once/ { sub(/.*:/, ""); sub(/%/, ""); printf "%d %d %s\n", $1 * $3 / 100 + 0.5, $3, want }'
}
for f in "${sources[@]}"; do [ ! -e "$f" ] || branches "$f"; done | awk -v fewest="${FEWEST:-10}" '
	{ taken += $1; all += $2; rows += $2 > 0 }
	$2 >= fewest { printf "%6.1f %% of %5d  %s\n", 100 * $1 / $2, $2, $3 | "sort -n" }
	END {
		close("sort -n")
		printf "%6.1f %% of %5d  all %d sources\n", all ? 100 * taken / all : 0, all, rows
	}'
exit $failed
