#!/bin/bash
# What a library chooses by trying: once for all processes of a run, recorded, and used again by
# whoever continues the run, shares its plan or counts for it. On a pretended GPU, whose libraries
# choose at random. Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD
runner=$(realpath "${BUILD:-build}/runner")
dir=$(mktemp -d)
cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
export RIDGEPOINT_PRETEND=132
say() { # STATUS WHAT
	if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; tail -n 20 log; fi
}
one='gemv/cublas:layer=gate_up,m=1'
both='gemv/cublas*:layer=gate_up,m=1'
# of FILE: the choice in the record of a case (and its null control), and of launches of their own
chosen() { gzip -dcf "$1" | grep '^{"type":"case"' | grep -o '"choice":{[^}]*}' | sort -u; }
own() { gzip -dcf "$1" | grep '^{"type":"launch"' | grep -c '"choice":{'; }

# --- a run ---
file=$("$runner" run --launches 6 --seed 3 --out runs "$both" 2>log | tail -n 1)
zcat "$file" >lines
[ "$(chosen "$file" | wc -l)" = 2 ] && chosen "$file" | grep -q '"algorithm":[0-9]*,"tile":"[0-9x]*","stages":'
say $? 'each variant that chooses has its choice with its case'
grep -o '"type":"case","id":"[^"]*","family":"gemv","variant":"[a-z_]*"' lines | sed 's/.*"variant":"//; s/"$//' >variants
of() { # VARIANT: how many of its launches chose for themselves
	local n=0 count=0
	while read -r v; do
		[ "$v" = "$1" ] && count=$((count + $(grep "^{\"type\":\"launch\",\"case\":$n," lines | grep -c '"choice":{')))
		n=$((n + 1))
	done <variants
	echo "$count"
}
[ "$(of cublas)" = 0 ] && [ "$(of cublas_auto)" -gt 6 ]
say $? 'all processes use it, unless the variant chooses anew in each'
"$runner" show "$file" >log && grep -q 'chosen by trying: pretended algorithm [0-9]*, tile [0-9x]*, [0-9] stages, no split-K$' log &&
	grep -q 'chosen differently in [1-6] of 6 processes: pretended algorithm' log
say $? 'runner show says it in words'
! zcat "$file" | grep -q '"library":"[^"]*;'
say $? 'the name of a library holds no choice'

# --- an interrupted run, whose choice nobody would make again ---
other='"algorithm":777,"tile":"64x128x64","stages":2,"split_k":1,"data":"abc"'
end=$(grep -n '^{"type":"launch"' lines | sed -n '3s/:.*//p')
part=runs/pretended-132/.$(basename "$file" .jsonl.gz).part
head -n "$end" lines | sed -E "/\"type\":\"case\".*gemv\/cublas:/s/\"algorithm\":[0-9]+.*\"data\":\"[0-9a-f]+\"/$other/" >"$part"
rm "$file" runs/MANIFEST
"$runner" resume "$part" >path 2>log && file=$(tail -n 1 path) && zcat "$file" >lines &&
	chosen "$file" | grep -q '"algorithm":777' && [ "$(of cublas)" = 0 ]
say $? 'resume uses what the run chose'

# --- shards ---
"$runner" plan --device cuda --launches 4 --shards 2 --seed 5 --out plan.json "$one" >log 2>&1
first=$("$runner" run --plan plan.json --shard 1 --out shards 2>log | tail -n 1)
shared=$(find shards -name '.*.choices')
sed -i -E "s/\"algorithm\":[0-9]+/\"algorithm\":777/" "$shared"
second=$("$runner" run --plan plan.json --shard 2 --out elsewhere --choices shards 2>log | tail -n 1)
chosen "$second" | grep -q '"algorithm":777' && ! chosen "$first" | grep -q '"algorithm":777'
say $? 'a shard uses what the first shard of the plan chose'
"$runner" collect --out collected plan.json shards elsewhere >path 2>log && file=$(tail -n 1 path) &&
	[ "$(chosen "$file")" = "$(chosen "$first")" ] && [ "$(zcat "$file" | grep -c '"algorithm":777')" = "$(own "$file")" ] &&
	[ "$(own "$file")" -gt 1 ]
say $? 'collected launches say what their shard chose, if the case says otherwise'
echo '{"schema":"ridgepoint-choices/1.0"}' >"$shared"
! "$runner" run --plan plan.json --shard 2 --out shards >log 2>&1 && grep -q "choices:1: .*'choices'" log
say $? 'a damaged file of choices is an error'

# --- the same again ---
file=$("$runner" run --launches 3 --seed 3 --out again "$one" 2>log | tail -n 1)
"$runner" reproduce --seed 4 --launches 3 "$file" >log 2>&1
grep -q 'other choice: pretended algorithm [0-9]*, .* then, pretended algorithm [0-9]*, .* now$' log
say $? 'reproduce chooses anew, and says both'

# --- counters ---
mkdir bin
cat >bin/ncu <<FAKE
#!/bin/bash
[ "\$1" != --version ] || { echo 'NVIDIA Nsight Compute, Version 2026.1.0.0 (build 1)'; exit; }
while [ "\$1" != --log-file ]; do shift; done
log=\$2
shift 2
"\$@" && cp "$root/tests/fixtures/ncu-synthetic.csv" "\$log"
FAKE
chmod +x bin/ncu
PATH=$dir/bin:$PATH
counted=$("$runner" profile --seed 9 --like "$file" --out profiles "$one" 2>log | tail -n 1)
[ "$(chosen "$counted")" = "$(chosen "$file")" ] && ! zcat "$counted" | grep '^{"type":"counters"' | grep -q '"choice"'
say $? 'counters are those of the choice that was timed'
zcat "$file" | grep -v '"type":"end"' >cut.jsonl
! "$runner" profile --out profiles --like cut.jsonl "$one" >log 2>&1 && grep -q 'cut.jsonl.* no end record' log
say $? 'a run that is not whole is refused'
