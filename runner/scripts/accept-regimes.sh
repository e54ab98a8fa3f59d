#!/bin/bash
# accept-regimes.sh [RUNNER] - tests on this GPU that kernels which the power limit reaches can be
# measured at all (docs/measuring.md). It takes less than 150 s, measures large products of cuBLAS in
# LAUNCHES (5) processes, and tests two claims on the record:
#
#   a  what `load=steady` says of four heavy cases is what `load=sustained` says, within 0.3 %
#   b  a product agrees with its own null control: in `steady` within 0.5 %, in cycles within 0.2 %
#
# CASES names the cases of a, PRODUCT the selector of b; OUT is where the run file goes (default
# build/acceptance). A run file instead of a runner is tested without measuring again.
# Needs jq. Exit status: 0 accepted, 1 not, 2 an error.
set -u
here=$(cd "$(dirname "$0")" && pwd)
what=${1:-$here/runner}
[ $# -gt 0 ] || [ -x "$what" ] || what=${BUILD:-build}/runner
out=${OUT:-build/acceptance}
product=${PRODUCT:-gemv/roof}
read -ra cases <<<"${CASES:-gemv/roof gemv/cublas:layer=lm_head,m=256 gemv/cublas:layer=lm_head,m=64 gemv/cublas:layer=gate_up,m=256}"
command -v jq >/dev/null || { echo 'accept-regimes: needs jq' >&2; exit 2; }

# with SELECTOR CONDITION: the selector with one more condition
with() { case $1 in *:*) echo "$1,$2" ;; *) echo "$1:$2" ;; esac; }

measure() { # prints the run file
	local selectors=("$(with "$product" 'load={burst,steady}')") c
	for c in "${cases[@]}"; do selectors+=("$(with "$c" 'load={sustained,steady}')"); done
	"$what" run --launches "${LAUNCHES:-5}" --out "$out" --reason 'acceptance of the regimes' "${selectors[@]}" |
		tail -n 1
}

start=$SECONDS
case $what in
*.jsonl.gz) file=$what ;;
*) file=$(measure) ;;
esac
[ -f "$file" ] || { echo 'accept-regimes: nothing was measured' >&2; exit 2; }
echo "$file, measured in $((SECONDS - start)) s"

# One line for each test: what, the typical ratio - 1 in percent, the limit in percent, verdict.
verdicts=$(zcat "$file" | jq -rn '
def median: sort | length as $n | if $n % 2 == 1 then .[($n - 1) / 2] else (.[$n / 2 - 1] + .[$n / 2]) / 2 end;
def ns: (.step_ns // 1) as $s | .base as $b | .batch as $k | [.above_base[] | (. + $b) * $s / $k];
def clocks: if .groups then [range(.groups.samples | length) as $g | range(.groups.samples[$g]) |
		$g] as $at | . as $l | [$at[] | $l.groups.cycles[.] / $l.groups.ns[.]]
	else [range(.above_base | length) as $i | .sm_cycles / .sm_cycles_ns] end;
def cycles: ns as $ns | clocks as $c | [range($ns | length) | $ns[.] * $c[.]] | median;
def geometric: map(log) | add / length | exp;
# the typical ratio of two cases over the processes that have both
def ratio(f; $of; $to): [$of | to_entries[] | select($to[.key]) | (.value | f) / ($to[.key] | f)] | geometric;
def line($what; $r; $most): (($r - 1) * 100) as $p |
	"\(if ($p | fabs) <= $most then "ok    " else "NOT OK" end)  \($p * 1000 | round / 1000) %, at most \($most) %: \($what)";

reduce inputs as $r ({case: [], launch: {}};
	if $r.type == "case" then .case += [$r.id]
	elif $r.type == "launch" and $r.status == "ok" then .launch[.case[$r.case]][$r.i | tostring] = $r
	else . end)
| .launch as $l
| ($l | keys[]) as $id
| ($id | gsub("load=steady,"; "load=sustained,")) as $sustained
| ($id | gsub("null=1,"; "")) as $own
| if ($id | test("load=steady,")) and $l[$sustained] and $sustained != $id then
	line("steady over sustained, time of \($id)"; ratio(ns | median; $l[$id]; $l[$sustained]); 0.3)
  elif $own != $id and $l[$own] and ($id | test("load=steady,")) then
	line("null control, time of \($own)"; ratio(ns | median; $l[$id]; $l[$own]); 0.5),
	line("null control, cycles of \($own)"; ratio(cycles; $l[$id]; $l[$own]); 0.2)
  elif $own != $id and $l[$own] then
	line("null control, cycles of \($own)"; ratio(cycles; $l[$id]; $l[$own]); 0.2),
	"        \((ratio(ns | median; $l[$id]; $l[$own]) - 1) * 100000 | round / 1000) % in the time of its bursts"
  else empty end') || exit 2
sort <<<"$verdicts"
! grep -q '^NOT OK' <<<"$verdicts" && grep -q '^ok' <<<"$verdicts"
