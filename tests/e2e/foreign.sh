#!/bin/bash
# Numbers of other harnesses: `runner import` makes records of SYNTHETIC files, a site shows them
# with their mark, and neither takes what is broken. Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD build=$(realpath "${BUILD:-build}")
gen=$build/site-gen runner=$build/runner files=$root/tests/fixtures/foreign
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ok() { if "${@:2}" >"$dir/said" 2>&1; then echo "ok - $1"; else echo "not ok - $1"; sed 's/^/# /' "$dir/said" | head -20; fi; }
fails() { # TEXT COMMAND...
	local text=$1
	shift
	! "$@" >"$dir/said.fails" 2>&1 && cat "$dir/said.fails" && grep -qF -- "$text" "$dir/said.fails"
}
commit() {
	GIT_AUTHOR_DATE=${1}T03:04:05Z GIT_COMMITTER_DATE=${1}T03:04:05Z \
		git -c user.name=Golden -c user.email=golden@example.org commit -q -m "$2"
}

mkdir "$dir/site" && cd "$dir/site" || exit 1
"$root"/tests/golden/site.sh numbers . || exit 1
cp -r "$root"/tests/golden/look/templates "$root"/tests/golden/look/static .
cp -r "$root"/templates/plots templates/
printf '/build/\n' >.gitignore
git init -q -b main
git add -A kernels && commit 2025-12-31 'golden site' # the id that the record names
git add -A && commit 2026-01-06 'golden site'

# harness, options, a selector of one result, the text of its number
while IFS='|' read -r harness file options selector text; do
	eval "set -- $options"
	ok "$harness: imports" "$runner" import --from "$harness" --gpu 'NVIDIA H200' --name trial "$@" "$files/$file"
	cp data/runs/MANIFEST "$dir/manifest"
	ok "$harness: imports once" "$runner" import --from "$harness" --gpu 'NVIDIA H200' --name trial "$@" "$files/$file"
	ok "$harness: is listed once" cmp data/runs/MANIFEST "$dir/manifest"
	printf -- '---\ntitle: Of %s\ndate: 2026-01-05\ndescription: Short.\n---\nIt takes <<bench:value %s>>.\n' \
		"$harness" "$selector" >"content/posts/$harness.md"
	printf '%s|%s\n' "$harness" "$text" >>"$dir/shown"
done <<'END'
hyperfine|hyperfine.json|--date 2026-01-04 --command 'hyperfine -L threads 1,4 synthetic-sort'|hyperfine-trial/*-4-* metric=time|400.8
google-benchmark|google-benchmark.json|--checked 'memcmp of both sides'|google-benchmark-trial/bm_synthetic-float metric=time|1.24
pytest-benchmark|pytest-benchmark.json||pytest-benchmark-trial/test_whole metric=time|231
nvbench|nvbench.json|--date 2026-01-04|nvbench-trial/synthetic_copy elements=2^24|32.1
csv|times.csv|--date 2026-01-04T02:00:00Z|csv-trial/synthetic-scan|10.5
END
for f in data/runs/h200/*.gz; do
	ok "verify takes $(basename "$f")" "$runner" verify "$f"
done
git add -A && commit 2026-01-07 'numbers of other harnesses'
ok 'a site shows them' "$gen" build -q --no-sync
ok 'its audit agrees' "$gen" audit -q build/site
while IFS='|' read -r harness text; do
	ok "$harness: the number bears its mark" \
		grep -qP ">$text.{0,12}<sup class=\"mark\" data-state=\"foreign\">" "build/site/posts/$harness/index.html"
done <"$dir/shown"
number() { cat build/site/numbers/h200/"$1"*/index.html; }
ok 'its page has the command of its author' grep -q 'threads.*synthetic-sort' <(number hyperfine-trial)
ok 'and no command of the runner' test "$(number hyperfine-trial | grep -c 'build/runner run')" = 0
ok 'its page says what was checked' grep -q 'memcmp of both sides' <(number google-benchmark-trial-bm_s)

printf 'It is <<bench:ratio csv-trial/synthetic-scan metric=time over=transpose/tile:rows=4096>>.\n' >>content/posts/csv.md
ok 'a ratio with a number of the runner is refused' fails '[native]' "$gen" build -q --no-sync
git checkout -q content

# What is broken leaves nothing behind.
find data | sort >"$dir/before"
printf 'name,time_s\nx,0\n' >"$dir/zero.csv"
ok 'a time of 0 is named with its place' fails "zero.csv:2:3: a time of 0 s" \
	"$runner" import --from csv --gpu h200 --date 2026-01-04 "$dir/zero.csv"
ok 'a device must be known' fails 'names no device' "$runner" import --from csv --date 2026-01-04 "$files/times.csv"
ok 'and a time' fails 'does not say when' "$runner" import --from csv --gpu h200 "$files/times.csv"
ok 'no file of another harness' fails "expected an array" \
	"$runner" import --from nvbench --gpu h200 --date 2026-01-04 "$files/hyperfine.json"
ok 'a harness must be known' fails 'expected one of csv' "$runner" import --from x "$files/times.csv"
find data | sort >"$dir/after"
ok 'nothing was left' cmp "$dir/before" "$dir/after"

# A record whose copy of the file was changed is none, even if its own hashes were made again.
for f in data/runs/h200/*.gz; do zcat "$f" | grep -q csv-trial && break; done
copy=$dir/$(basename "$f" .gz)
zcat "$f" | sed 's/10\.75/10.50/' >"$copy"
ok 'verify refuses a changed copy' fails 'and the head names' "$runner" verify "$copy"
