#!/bin/bash
# `runner python`: functions of a file in Python, on the runner's buffers, checked and measured; the
# example of docs/python.md word for word. Prints TAP lines.
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
# the program itself, in place of a script that looks for it each time
python=$("${RIDGEPOINT_PYTHON:-python3}" -c 'import sys; print(sys.executable)' 2>/dev/null)
so=$("$python" -c 'import sysconfig as s; v = s.get_config_vars(); print(v["LIBDIR"] + "/" + v["INSTSONAME"])' 2>/dev/null)
if [ "${so%.a}" != "$so" ] || [ ! -e "$so" ]; then
	echo 'ok - functions in Python # skip no shared library of Python'
	exit 0
fi
export PYTHONDONTWRITEBYTECODE=1 RIDGEPOINT_PYTHON=$python

mkdir "$dir/site" && cd "$dir/site" || exit 1
awk '/^## A problem/ { on = 1 } on && /^```$/ { exit } code { print } on && /^```python/ { code = 1 }' "$root/docs/python.md" >axpy.py
check() { "$runner" python --check --device cpu --seed 1 "$@"; }
changed() { sed -e 's/, dict(n=65536, use="hot")//' -e "$1" axpy.py >e.py && check e.py; } # the example with one change

# What is right.
ok 'the example is right' check axpy.py
cat >slices.py <<'PY'
import ridgepoint
@ridgepoint.variant("transpose", name="slices")
def slices(case, x, y):
    def run():
        for i in range(case.rows):
            y[i :: case.rows] = x[i * case.cols : (i + 1) * case.cols]
    return run
PY
ok 'a function solves a problem of the runner' check slices.py 'transpose/*:rows=31' 'transpose/*:rows=200'

# What is wrong has one error with its place; a wrong function is found.
ok 'an element left out' fails '1 output elements never written' changed 's/range(case.n)/range(case.n - 1)/'
ok 'a wrong element' fails 'first call: error ' changed 's/2.5 \* x\[i\] + y\[i\]$/2.5 * x[i] - y[i]/'
ok 'an input that is changed' fails 'input' changed 's/out\[i\] = /x[i] = out[i] = /'
ok 'an exception in what is timed' fails "e.py:29:1: NameError: name 'nothing' is not defined" changed 's/out\[i\] = .*/out[i] = nothing/'
ok 'an exception in a reference' fails 'runner: e.py:22:1: ZeroDivisionError' changed 's/return 2.5 .*/return 1 \/ 0/'
ok 'nothing to time' fails "e.py:24:1: 'loop' returned None, expected the function that is timed" changed 's/return run/return/'
ok 'a syntax error' fails 'runner: e.py:3:34: ' changed 's/^class Axpy(/class Axpy (( (/'
ok 'a module that is not there' fails "runner: e.py:1:1: ModuleNotFoundError: No module named 'nothere'" changed 's/^import ridgepoint/import nothere/'
ok 'no tolerance' fails "e.py:21:1: family 'axpy' lacks one of" changed 's/^    tolerance.*/    pass/'
ok 'an unknown use' fails "use 'chek', expected some of check, cold, hot" changed 's/use="check"/use="chek"/'
ok 'an unknown type' fails "buffer 'out': type 'f16', expected one of f32" changed 's/Out("f32"/Out("f16"/'
ok 'an unknown family' fails "e.py:24:1: the family 'nope', expected one of" changed 's/variant(Axpy/variant("nope"/'
ok 'a name of the runner' fails "the family 'transpose', expected a name that no family of this runner has" changed 's/title = "Scale/name = "transpose"; title = "Scale/'
ok 'a name that is taken' fails "the variant 'naive', expected a name that no other has" changed 's/variant(Axpy,/variant("transpose", name="naive",/'
echo 'import ridgepoint' >none.py
ok 'nothing registered' fails 'none.py:1:1: registers nothing' check none.py
ok 'a file elsewhere' fails 'expected a path below the current folder' check "$PWD/axpy.py"
ok 'no Python' fails 'nopython: cannot be started' env RIDGEPOINT_PYTHON=nopython "$runner" python --check axpy.py

# It is measured, and a site shows it as any other number.
"$root"/tests/golden/site.sh numbers . || exit 1
cp -r "$root"/tests/golden/look/templates "$root"/tests/golden/look/static .
cp -r "$root"/templates/plots templates/
rm e.py none.py slices.py # a site of its own
printf '/build/\n' >.gitignore
rm -r data/runs data/predictions content/posts/* content/kernels 2>/dev/null
git init -q -b main && git add -A
git -c user.name=Golden -c user.email=golden@example.org commit -q -m 'a site'
ok 'it is measured' "$runner" python --device cpu --launches 2 axpy.py axpy/loop
run=$(ls data/runs/cpu-*/*.gz)
ok 'the record names the file by its blob' bash -c 'zgrep -q "\"source\":\[\[\"axpy.py\",\"$(git rev-parse HEAD:axpy.py)\"\]\]" "$1"' - "$run"
ok 'and Python' zgrep -q '"library":"Python 3' "$run"
ok 'both checks of each process passed' test "$(zgrep -c '"status":"ok","before":\[[^]]*true[^]]*\],"after":\[[^]]*true' "$run")" -ge 2
ok 'verify takes it' "$runner" verify "$run"
device=$(basename data/runs/cpu-*)
printf -- '---\ntitle: Py\ndate: 2026-01-05\ndescription: Short.\n---\nIt moves <<bench:value axpy/loop n=65536 device=%s>>.\n' "$device" >content/posts/py.md
git add -A && git -c user.name=Golden -c user.email=golden@example.org commit -q -m 'a record'
ok 'a site shows it' "$gen" build -q --no-sync
ok 'its audit agrees' "$gen" audit -q build/site
ok 'as bandwidth' grep -qP 'It moves <a class="num"[^>]*#bandwidth"' build/site/posts/py/index.html
page=$(sed -nE 's/.*href="[^"]*(\/code\/axpy-py-[^"#]*)".*/\1/p' build/site/numbers/"$device"/axpy-loop*/index.html | head -n 1)
ok 'and leads to its source' grep -q 'Axpy' "build/site$page/index.html"
ok 'make reproduce learns which file it is' test "$("$gen" query --post py --cases | cut -f 3,4)" = "axpy/loop:n=65536,dtype=f32,cache=hot	axpy.py"
rm -rf .git build
"$gen" build -q --no-sync
ok 'its page says how to measure it again' grep -q "build/runner python axpy.py 'axpy/loop:" <(sed 's/<[^>]*>//g' build/site/numbers/"$device"/axpy-loop*/index.html)
