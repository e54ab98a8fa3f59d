#!/bin/bash
# `runner exec`: other programs, started, checked and timed; a site shows them with their mark.
# Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD build=$(realpath "${BUILD:-build}")
gen=$build/site-gen runner=$build/runner
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
exec_() { "$runner" exec --device cpu "$@"; }

mkdir "$dir/site" && cd "$dir/site" || exit 1
"$root"/tests/golden/site.sh numbers . || exit 1
cp -r "$root"/tests/golden/look/templates "$root"/tests/golden/look/static .
cp -r "$root"/templates/plots templates/
printf '/build/\n' >.gitignore
git init -q -b main
git add -A kernels && commit 2025-12-31 'golden site' # the id that the record names
git add -A && commit 2026-01-06 'golden site'
seq 100 | sort -R >list
find data | sort >"$dir/before"

# What is wrong leaves nothing behind.
ok 'a program must be there' fails 'nothere: cannot be started: No such file' exec_ -- nothere
ok 'it must succeed' fails "sh -c 'echo oh >&2; exit 3': exit:3: oh; nothing is recorded" exec_ -- sh -c 'echo oh >&2; exit 3'
ok 'in time' fails 'sleep 9: timeout' exec_ --timeout 1 -- sleep 9
ok 'and pass its check' fails 'the check failed' exec_ --check 'sort -nc' -- sort -R list
ok 'two programs need two names' fails "two programs are called 'sort': name them with --as" exec_ -- sort list -- sort -n list
ok 'a pattern must be one' fails "--time 'x (': " exec_ --time 'x (' -- true
ok 'with a group' fails 'expected a group around the number' exec_ --time 'x' -- true
ok 'that finds a line' fails "output of echo:1:1: no line with a time that 'x ([0-9]+)' finds" exec_ --time 'x ([0-9]+)' -- echo y
ok 'of a known unit' fails "output of echo:1:5: 'ps' is no unit, expected ns, us, ms or s" exec_ --time 'x ([0-9]+) (.*)' -- echo 'x 3 ps'
ok 'a named line has a form' fails "output of echo:1:1: expected 'ridgepoint: NAME" exec_ --lines -- echo 'ridgepoint: copy'
ok 'a time is above 0' fails 'output of echo:1:18: a time of 0 s' exec_ --lines -- echo 'ridgepoint: copy 0 ms'
ok 'a pretended device runs none' fails 'a pretended device runs no other program' env RIDGEPOINT_PRETEND=132 "$runner" exec -- true
ok 'import knows no such file' fails '--from exec: expected one of csv, google' "$runner" import --from exec list
find data | sort >"$dir/after"
ok 'nothing was left' cmp "$dir/before" "$dir/after"

# What is right is recorded: programs timed whole, in pairs; a time that is printed; named lines.
ok 'two programs are timed' exec_ --name lists --as one,two --check 'sort -nc' -- sort -n list -- sort -n list list
first=$(ls data/runs/cpu-*/*.gz)
ok 'each once in a round, in an order that changes' test "$(zgrep -o '"case":[01],"i":[0-9]*,"at":[01]' "$first" | sort -u | wc -l)" = 20 \
	-a "$(zgrep -c '"case":0.*"at":1' "$first")" != 0 -a "$(zgrep -c '"case":0.*"at":0' "$first")" != 0
ok 'the transcript has the hash of the program' bash -c 'zcat "$1" | grep -q "SHA-256 of the file: $(sha256sum "$(command -v sort)" | cut -c 1-64)"' - "$first"
ok 'and what it printed' bash -c 'zcat "$1" | tail -n 2 | head -n 1 | jq -r .text | grep -q "^100$"' - "$first"
ok 'verify takes it' "$runner" verify "$first"
ok 'printed times' exec_ --name printed --time 'took ([0-9.]+) (.*)' -- printf 'took 1.5 ms\ntook 1.7 ms\n'
ok 'named lines' exec_ --name named --lines -- printf 'ridgepoint: copy n=4 25 us\nridgepoint: copy n=8 50 us\n'
# a program that fails in one of its processes
printf '#!/bin/sh\necho x >>"%s/count"\n[ "$(wc -l <"%s/count")" != 4 ] || exit 7\necho 1\n' "$dir" "$dir" >flaky && chmod +x flaky
ok 'a process that fails is said' fails 'exec-flaky/flaky:dtype=unknown,cache=unknown: exit:7' exec_ -- ./flaky
printf '#!/bin/sh\necho x >>"%s/count2"\n[ "$(wc -l <"%s/count2")" != 4 ] && echo 1 || echo 2\n' "$dir" "$dir" >wrong && chmod +x wrong
ok 'so is a wrong result' fails 'exec-wrong/wrong:dtype=unknown,cache=unknown: wrong' exec_ --check 'grep -q 1' -- ./wrong

device=$(basename data/runs/cpu-*)
sed -i "s/^return {/&\n\tdefault_device = \"h200\",/" content/site.lua
rm list flaky wrong
post() { printf -- '---\ntitle: Of %s\ndate: 2026-01-05\ndescription: Short.\n---\n%s\n' "$1" "$2" >"content/posts/$1.md"; }
post lists "It takes <<bench:value exec-lists/one metric=time device=$device>>, and <<bench:ratio exec-lists/two over=exec-lists/one device=$device metric=time>> as long."
post printed "It takes <<bench:value exec-printed/printf metric=time device=$device>>."
post named "It takes <<bench:value exec-named/copy n=8 metric=time device=$device>>."
git add -A && commit "$(date -u -d tomorrow +%F)" 'numbers of other programs'
ok 'a site shows them' "$gen" build -q --no-sync
ok 'its audit agrees' "$gen" audit -q build/site
mark='<sup class="mark" data-state="program">other program</sup>'
for p in lists printed named; do ok "$p: the number bears its mark" grep -qF "$mark" build/site/posts/$p/index.html; done
ok 'printed is the median of what was printed' grep -qP '>1\.6[0-9]*.{0,16}<sup class="mark"' build/site/posts/printed/index.html
ok 'named is its own result' grep -qP '>50\.?0*.{0,16}<sup class="mark"' build/site/posts/named/index.html
number() { cat build/site/numbers/"$device"/"$1"*/index.html; }
ok 'its page has the command' grep -q 'sort -n' <(number exec-lists-one)
ok 'and what was checked' grep -q 'after each process this command succeeded: sort -nc' <(number exec-lists-one)
ok 'or that nothing was' grep -q 'nothing was checked here' <(number exec-printed)
ok 'and no command of the runner that measures kernels' test "$(number exec-lists-one | grep -c 'build/runner run')" = 0
post lists "It is <<bench:ratio exec-lists/two metric=time device=$device over=transpose/tile:rows=4096:device=h200>>."
ok 'a ratio with a kernel is refused' fails '[native]' "$gen" build -q --no-sync
post lists "It takes <<bench:value exec-wrong/wrong metric=time device=$device>>."
ok 'a wrong program has no number' fails 'its results were wrong in 1 of 10 processes' "$gen" build -q --no-sync
