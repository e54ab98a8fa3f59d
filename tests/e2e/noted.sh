#!/bin/bash
# The rule `noted`: the log of published numbers, entries that it refuses, the page and the
# feed of changes, and the commands note, diff, why and query. Works on a copy of the golden
# site of numbers and its synthetic record, with a second run made from it. Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/fixtures/large-log.sh
root=$PWD gen=$(realpath "${BUILD:-build}/site-gen")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ok() { if "${@:2}" >"$dir/said" 2>&1; then echo "ok - $1"; else echo "not ok - $1"; sed 's/^/# /' "$dir/said" | head -20; fi; }
# no-break spaces count as spaces
says() { sed 's/\xc2\xa0/ /g' "$2" >"$dir/plain"; grep -qF -- "$1" "$dir/plain" || { echo "no '$1' in:"; cat "$dir/plain"; return 1; }; }
fails() { # fails STATUS WHAT COMMAND...: ends with that status and says it on stderr
	"${@:3}" >"$dir/out" 2>"$dir/err"
	[ $? -eq "$1" ] && says "$2" "$dir/err"
}
save() { # save MESSAGE: commits everything
	git add -A && GIT_AUTHOR_DATE=2026-01-0${day}T00:00:00Z GIT_COMMITTER_DATE=2026-01-0${day}T00:00:00Z \
		git -c user.name=Test -c user.email=test@example.org commit -q -m "$1"
}
site() { "$gen" "$1" -q --cache cache "${@:2}"; }

mkdir "$dir/temporary"
export TMPDIR=$dir/temporary
mkdir "$dir/site" && cd "$dir/site" || exit 1
"$root"/tests/golden/site.sh numbers .
cp -r "$root"/tests/golden/look/templates "$root"/tests/golden/look/static .
cp -r "$root"/templates/plots templates/
printf 'build\ncache\n' >.gitignore
git init -q -b main
day=6
git add -A kernels && GIT_AUTHOR_DATE=2025-12-31T03:04:05Z GIT_COMMITTER_DATE=2025-12-31T03:04:05Z \
	git -c user.name=Golden -c user.email=golden@example.org commit -q -m 'golden site'
# numbers outside posts: the family's text has some already
cat >>content/pages/home.md <<'END'

Home says <<bench:value transpose/tile rows=16384>>, of <<bench:spec hbm>>.
END
printf '\nThe tile: <<bench:value transpose/tile rows=16384>>.\n' >>content/kernels/transpose.md
mkdir -p data/predictions
cat >data/predictions/tile-fast.md <<'END'
---
title: A tile is fast
selector: transpose/tile rows=16384
metric: percent of spec:hbm
low: 50
confidence: 0.5
---
The data sheet says <<bench:spec hbm>>.
END
save 'a site'
log=data/published.jsonl first=$(echo data/runs/h200/*.jsonl)

# another_run FACTOR: a run a month later, with tile's times multiplied by FACTOR
another_run() {
	local to=data/runs/h200/20260103T000000Z-synthetic-00000002.jsonl lines
	head -n -1 "$first" | sed -e 's/20260101T000000Z-synthetic-00000001/20260103T000000Z-synthetic-00000002/' \
		-e 's/"start":"2026-01-01/"start":"2026-01-03/' |
		awk -v f="$1" '/"type":"launch".*"transpose\/tile:/ && match($0, /"base_ns":[0-9]+/) {
			n = substr($0, RSTART + 10, RLENGTH - 10)
			$0 = substr($0, 1, RSTART + 9) int(n * f) substr($0, RSTART + RLENGTH)
		} { print }' >"$to"
	lines=$(($(wc -l <"$to") + 1))
	printf '{"type":"end","end":"2026-01-03T00:00:00Z","status":"complete","records":%d,"sha256":"%s"}\n' \
		"$lines" "$(sha256sum <"$to" | cut -d' ' -f1)" >>"$to"
}

# --- the first note ---

ok 'a site that never noted anything builds' site build
ok 'and asks nothing in its page of changes' bash -c '! grep -q "<h2>" build/site/changes/index.html'
ok 'note begins the log' site note
ok 'which says what it is' test "$(head -n 1 $log)" = '{"schema":"ridgepoint-published/1.0"}'
ok 'has a line for each number' says '"number":"h200 transpose/tile:rows=16384,cols=16384,dtype=f32,cache=cold bandwidth","text":' $log
ok 'for datasheet numbers with their source' says '"number":"spec h200 hbm","text":"4.8 TB/s"' $log
ok 'for counts' says '"number":"count variants transpose/* on h200"' $log
numbered() { grep -F -- "\"page\":\"$1\"" $log | grep -o '"number":"[^"]*"' | cut -d'"' -f4; }
ok 'the home page' test "$(numbered / | sort | tr '\n' ';')" = 'h200 transpose/tile:rows=16384,cols=16384,dtype=f32,cache=cold bandwidth;spec h200 hbm;'
ok 'the reasons of a prediction' test "$(numbered /predictions/tile-fast/)" = 'spec h200 hbm'
ok 'the text of a family' says '"page":"/kernels/transpose/","number":"h200 transpose/padded:rows=16384,cols=16384,dtype=f32,cache=cold bandwidth","text":' $log
ok 'its goals' bash -c 'numbered() { grep -F "\"page\":\"/kernels/transpose/\"" "$1"; }; numbered "$1" | grep -q "bandwidth of spec:hbm" && numbered "$1" | grep -q "time over h200 transpose/cublas"' - $log
ok 'and nothing that its page makes of the records' test "$(numbered /kernels/transpose/ | wc -l)" = 4
ok 'with the date of HEAD' says '"was":null,"noted":"2026-01-06"}' $log
ok 'each number of a page once' test -z "$(grep -o '"page":.*"text"' $log | sort | uniq -d)"
cp $log "$dir/log"
ok 'nothing new, nothing written' site note
ok 'not a byte' cmp $log "$dir/log"
ok 'what is not committed is refused by --strict' fails 1 'lines are not committed yet [noted]' site build --strict
save 'noted'
ok 'and then accepted' bash -c '! "$1" build -q --strict --cache cache 2>&1 | grep noted' - "$gen"

# --- a new run ---

another_run 0.9
ok 'a preview changes numbers' site build
ok 'that the page of changes lists as not noted' says '→ <a class="num" ' build/site/changes/index.html
ok 'but note refuses it' fails 1 "comes from a run that is not committed" site note
day=7
save 'another run'
ok 'a new run is a reason' site build
ok 'the post tells what it showed' says 'class="changed">transpose/tile bandwidth [16384 × 16384' build/site/posts/numbers/index.html
ok 'so do the home page' says 'class="changed">transpose/tile bandwidth [16384 × 16384' build/site/index.html
ok 'and the page of a family' says 'class="changed">transpose/tile bandwidth [16384 × 16384' build/site/kernels/transpose/index.html
ok '--strict wants it noted' fails 1 "run 'site-gen note'" site build --strict
site note
ok 'the line says what it was, and the verdict' bash -c 'grep -q "\"run\":\"20260103T000000Z-synthetic-00000002\",\"format\":\"1\",\"was\":\".*\",\"verdict\":\"faster\",\"noted\":\"2026-01-07\"" data/published.jsonl'
ok 'the log grew at its end' cmp -n "$(stat -c %s "$dir/log")" $log "$dir/log"
save 'noted again'
site build
line=$(grep -n '"number":"h200 transpose/tile:rows=16384,cols=16384,dtype=f32,cache=cold bandwidth",.*00000002' $log | head -n 1 | cut -d: -f1)
ok 'on three pages, one change' bash -c 'sed "s,<[^>]*>,,g" build/site/changes/index.html | grep -c "transpose/tile bandwidth \[16384 × 16384" | grep -qx 1'
ok 'the page of changes has it at an address of its line' says "<li>c$line transpose/tile bandwidth [16384 × 16384" build/site/changes/index.html
ok 'so has the feed' says "<id>https://" build/site/changes.xml
ok 'an entry for the run' says 'with run 20260103T000000Z-synthetic-00000002</title>' build/site/changes.xml
ok 'the audit compares the old numbers with the log' "$gen" audit build/site
sed -i "s/\(data-n=\"noted $line\">\)[0-9.]*/\11.234/" build/site/changes/index.html
ok 'and finds one that was edited' fails 1 'says 1.234' "$gen" audit build/site
rm -r build/site

# --- counters of another file ---

profile=$(echo data/profiles/h200/*.jsonl) again=data/profiles/h200/20260104T000000Z-synthetic-00000003.jsonl
head -n -1 "$profile" | sed 's/20260101T010000Z-synthetic-00000002/20260104T000000Z-synthetic-00000003/; s/"start":"[^"]*"/"start":"2026-01-04T00:00:00Z"/' >"$again"
printf '{"type":"end","end":"2026-01-04T01:00:00Z","status":"complete","records":%d,"sha256":"%s"}\n' \
	"$(($(wc -l <"$again") + 1))" "$(sha256sum <"$again" | cut -d' ' -f1)" >>"$again"
ok 'note refuses counters that are not committed' fails 1 'commit 20260104T000000Z-synthetic-00000003 first' site note
rm "$again"

# --- digits that change for no reason ---

sed -i 's/"value": *4.8e12/"value":4.7e12/; s/"value": *4800000000000/"value":4700000000000/; s/4\.8/4.7/' data/specs/h200.json
ok 'a corrected datasheet is no new run' fails 1 "'4.7 TB/s' was published as '4.8 TB/s' ($log:" site build
ok 'which is said by the rule' says '[noted]' "$dir/err"
ok 'at the place of the placeholder' says 'site-gen: content/posts/numbers.md:12:' "$dir/err"
ok 'on the home page' says 'site-gen: content/pages/home.md:7:' "$dir/err"
ok 'in the text of a family' says 'site-gen: content/kernels/transpose.md:8:' "$dir/err"
ok 'in the reasons of a prediction' says 'site-gen: data/predictions/tile-fast.md:8:' "$dir/err"
ok 'nor can it be noted so' fails 1 'a change without a new run needs --reason WHY' site note
ok 'with a reason it is' site note --reason 'the data sheet was corrected'
ok 'which the log keeps' says '"was":"4.8 TB/s","reason":"the data sheet was corrected"' $log
site build
ok 'as does the box of the prediction' says 'class="changed">spec h200 hbm [] : <span class="num noted"' build/site/predictions/tile-fast/index.html
ok 'and the page of changes tells' says 'the data sheet was corrected' build/site/changes/index.html
save 'corrected'

# --- a log that only grows ---

sed -i '3s/"noted":"2026-01-06"/"noted":"2026-01-01"/' $log
ok 'a line is never edited' fails 1 'does not begin with what HEAD has' site build
save 'edited'
ok 'not by a commit either' fails 1 'changed or removed lines of it; the log of published numbers only ever grows [noted]' site build
git reset -q --hard HEAD~1
git rm -q $log && save 'removed'
ok 'nor removed' fails 1 'removed it; the log of published numbers only ever grows [noted]' site build
git reset -q --hard HEAD~1
printf '{"page":' >>$log
ok 'a torn line is an error' fails 1 "$log: the last line is cut off" site build
printf '"/x/"}\n' >>$log
ok 'so is one without its members' fails 1 "$log:$(wc -l <$log): " site build
git checkout -q $log
ok 'what was there builds again' site build

# two branches that both added notes: one side's lines first, then the other's
added() { sed -n '2s/"text":"[^"]*"/"text":"'"$1"'"/p' $log | sed 's/"was":null/"was":"0"/' >>$log; }
git checkout -q -b side && added 1 && save 'one side'
git checkout -q main && added 2 && save 'the other side'
merged() { # merged COMMAND...: a merge whose log the command makes from ours and theirs
	git merge -q --no-commit side >/dev/null 2>&1
	git show main:$log >ours && git show side:$log >theirs
	"$@" >$log && rm ours theirs
	day=8 save 'merged'
}
merged bash -c 'cat ours; tail -n 1 theirs'
ok 'a merge that has the lines of both builds' bash -c '"$1" build -q --cache cache 2>&1 | { ! grep "only ever grows"; }' - "$gen"
git reset -q --hard HEAD~1
merged cat ours
ok 'one that drops those of a side does not' fails 1 'only ever grows [noted]' site build
git reset -q --hard HEAD~1
merged bash -c 'head -n 2 ours; tail -n 1 theirs; tail -n +3 ours'
ok 'nor one that puts them in between' fails 1 'only ever grows [noted]' site build
git reset -q --hard HEAD~2

# --- a part that is closed ---

# in a copy, whose log gets large
cp -a . ../closing && cd ../closing || exit 1
part=data/published/0001.jsonl.gz
large_log && save 'a large log'
cp $log "$dir/log"
ok 'note closes the part that was committed' bash -c '"$1" note --cache cache | grep -q "$2: closed with the lines that were committed"' - "$gen" $part
inflated() { cat data/published/*.jsonl.gz | gzip -dc | cat - $log; }
ok 'which has all of these lines' bash -c 'gzip -dc "$1" | cmp - "$2"' - $part "$dir/log"
ok 'and the open part has the new ones' test "$(grep -c '"page":"/old/' $log)/$(wc -l <$log)" = 6000/6000
ok 'the site is built from both' site build
ok 'its copy of the log is whole' bash -c 'cmp <(gzip -dc "$1" | cat - "$2") build/site/changes.jsonl' - $part $log
ok 'and the audit finds so' "$gen" audit build/site
ok 'the new lines are told by their place' fails 1 "$log:1: 6000 lines are not committed yet [noted]" site build --strict
cp $log "$dir/open" && cp $part "$dir/part"
inflated >"$dir/whole"
cp "$dir/log" $log
ok 'a note that was killed halfway has lost nothing' site build
ok 'nor doubled anything' cmp "$dir/log" build/site/changes.jsonl
ok 'the next completes it' site note
ok 'with the same bytes' bash -c 'cmp "$1" "$2/open" && cmp "$3" "$2/part"' - $log "$dir" $part
git add $log && git -c user.name=Test -c user.email=test@example.org commit -q -m 'the open part alone'
ok 'a commit that forgets the closed part is refused' fails 1 "$log: commit $(git log --format=%h --abbrev=12 -1) changed or removed lines of it" site build
git reset -q HEAD~1
day=8 save 'noted, and closed'
ok 'both files are accepted' bash -c '! "$1" build -q --strict --cache cache 2>&1 | grep noted' - "$gen"
ok 'and nothing more to do' site note
ok 'not a byte' bash -c 'cmp "$1" "$2/open" && cmp "$3" "$2/part" && test "$(echo data/published/*)" = "$3"' - $log "$dir" $part
before_loss=$(git rev-parse HEAD)
printf x >>$part
ok 'a closed part never changes' fails 1 "$part: is not what HEAD has" site build
gzip -dc "$dir/part" | sed '9s/"noted":"2026/"noted":"2025/' | gzip -n >$part && save 'changed'
ok 'not by a commit either' fails 1 "$part: commit $(git log --format=%h --abbrev=12 -1) changed it; a closed part of the log of published numbers never changes [noted]" site build
git reset -q --hard "$before_loss"
cp "$dir/whole" $log && git rm -q $part && save 'opened'
ok 'nor is it opened again' fails 1 "$part: commit $(git log --format=%h --abbrev=12 -1) removed it; a closed part" site build
git reset -q --hard "$before_loss"
git clone -q . ../cloned
ok 'a clone has all of it' bash -c 'cd ../cloned && "$1" build -q && cmp "$2" build/site/changes.jsonl' - "$gen" "$dir/whole"

# --- a log that begins anew, as a fork's ---

cp -a . ../fork && cd ../fork || exit 1
git rm -q $log && save 'a fork has no log'
ok 'a fork cannot just remove the log' fails 1 'removed it; the log of published numbers only ever grows [noted]' site build
ok 'a reason does not go with a beginning' fails 1 '--begin compares with nothing' site note --begin --reason 'a fork'
ok 'its log begins anew' site note --begin
begun=$(git rev-parse HEAD)
ok 'at a commit that it names' test "$(head -n 1 $log)" = "{\"schema\":\"ridgepoint-published/1.0\",\"begins\":\"$begun\"}"
ok 'every number is new' bash -c '! grep -v "\"was\":null" "$1" | grep -v schema && test "$(wc -l <"$1")" -gt 5' - $log
ok 'no closed part is left' test ! -e $part
ok 'before its commit it builds' site build
ok 'and has nothing more to note' bash -c '"$1" note --cache cache | grep -q "nothing to note"' - "$gen"
git show HEAD~1:$part >$part
ok 'a part of the other log is told' fails 1 "$part: belongs to the log before $log, which begins anew: remove data/published [noted]" site build
rm $part
save 'a log of our own'
ok 'after its commit it builds' bash -c '! "$1" build -q --strict --cache cache 2>&1 | grep noted' - "$gen"
ok 'the copy for readers is that log' cmp $log build/site/changes.jsonl
sed -i '3s/"noted":"2026-01-0./"noted":"2025-01-01/' $log && save 'edited'
ok 'and from there on it only grows' fails 1 'changed or removed lines of it; the log of published numbers only ever grows [noted]' site build
git reset -q --hard HEAD~1
git checkout -q -b upstream HEAD~2 && tail -n 1 $log | sed 's,"page":"[^"]*","page":"/other/",' >>$log && save 'upstream'
git checkout -q main && git merge -q --no-commit -s ours upstream >/dev/null 2>&1
day=8 save 'merged upstream'
ok 'a merge of the other log keeps ours' bash -c '! "$1" build -q --cache cache 2>&1 | grep "only ever grows"' - "$gen"
sed -i '1s/[0-9a-f]\{40\}/'"$(git rev-parse HEAD~1)"'/' $log && save 'begun elsewhere'
ok 'a first line that names another commit is refused' fails 1 'only ever grows [noted]' site build
cd ../site || exit 1

# --- diff, why, query ---

ok 'nothing differs from HEAD' bash -c '"$1" diff --cache cache HEAD >"$2"; test $? = 0' - "$gen" "$dir/out"
# the commit before the other run
before=$(git log --format=%h --grep='^noted$')
ok 'diff ends with 1 if something does' bash -c '"$1" diff --cache cache "$3" >"$2"; test $? = 1' - "$gen" "$dir/out" "$before"
ok 'and says what, where, from which run to which' bash -c 'grep -A2 "^changes   /posts/numbers/ h200 transpose/tile:rows=16384,cols=16384,dtype=f32,cache=cold bandwidth$" "$1" | tr "\n" " " | grep -q "content/posts/numbers.md:.* <<bench:.*00000001. -> .*00000002., faster"' - "$dir/out"
ok 'of the text of a family, too' bash -c 'grep -A1 "^changes   /kernels/transpose/ " "$1" | grep -q "content/kernels/transpose.md:13:.* <<bench:value transpose/tile"' - "$dir/out"
"$gen" diff --json --cache cache "$before" >"$dir/json"
ok 'as JSON, too' node -e 'for (const l of require("fs").readFileSync(process.argv[1], "utf8").trim().split("\n")) if (!["changes", "appears", "vanishes"].includes(JSON.parse(l).change)) process.exit(1)' "$dir/json"
ok 'what names no commit is an error' fails 2 "'nowhere' names no commit here" "$gen" diff nowhere
ok 'diff leaves nothing behind' test -z "$(ls -A "$TMPDIR")"

"$gen" why --cache cache content/posts/numbers.md:11 >"$dir/out"
ok 'why: every number of a line' test "$(grep -c '^  number ' "$dir/out")" = 2
ok 'with its run and why that one' says 'why this run     newest of 2 that publish it: 20260103T000000Z-synthetic-00000002, 20260101T000000Z' "$dir/out"
sed '0,/^title:/s//draft: true\n&/' content/posts/numbers.md >content/posts/a-draft.md
"$gen" why --cache cache content/posts/a-draft.md:12 >"$dir/out"
ok 'of a draft, too' test "$(grep -c '^  number ' "$dir/out")" = 2
rm content/posts/a-draft.md
"$gen" why --cache cache content/kernels/transpose.md:13 >"$dir/out"
ok 'of the text of a family' test "$(grep -c '^  number ' "$dir/out")" = 1
"$gen" why --cache cache data/predictions/tile-fast.md:8 >"$dir/out"
ok 'of a prediction' says 'spec h200 hbm' "$dir/out"
html=$(grep -n 'class="num ratio"' build/site/posts/numbers/index.html | head -n 1 | cut -d: -f1)
"$gen" why --cache cache "build/site/posts/numbers/index.html:$html" >"$dir/out"
ok 'of a page, too, with pairing and verdict' says 'paired by process' "$dir/out"
ok 'a line without a number is told' fails 1 'nothing on this line comes from a measurement' "$gen" why --cache cache content/posts/numbers.md:1
ok 'so is one that is not there' fails 1 'so no line 9999' "$gen" why --cache cache content/posts/numbers.md:9999
ok 'and what is no place' fails 1 'expected FILE:LINE' "$gen" why content/posts/numbers.md

"$gen" query --cache cache >"$dir/out"
ok 'query: kinds, families, datasheet numbers' bash -c 'grep -q "<<bench:value " "$1" && grep -q "^  transpose " "$1" && grep -q "^  spec hbm " "$1"' - "$dir/out"
"$gen" query --cache cache transpose >"$dir/out"
ok 'keys of a family and their values' bash -c 'grep -qE "^  rows +4096 16384$" "$1"' - "$dir/out"
ok 'an unknown family names the nearest' fails 1 "transpose" "$gen" query --cache cache transpsoe
"$gen" query --cache cache --post numbers --cases >"$dir/out"
ok 'the cases of a post: run, commit, case' bash -c 'grep -qP "^20260103T000000Z-synthetic-00000002\t[0-9a-f]{40}\ttranspose/tile:rows=16384,cols=16384,dtype=f32,cache=cold$" "$1"' - "$dir/out"
ok 'each once' test -z "$(sort "$dir/out" | uniq -d)"
ok 'an unknown post is an error' fails 1 "no post or page is called 'nowhere'" "$gen" query --cache cache --post nowhere --cases
# query commands do not read the texts, so they know nothing about the use of a waiver
sed '0,/^title: .*/s//title: Twice as fast\nwaive: [{rule: traced, in: title, why: "a name"}]/' content/posts/numbers.md >content/posts/waived.md
ok 'a title that is waived stands in nobody'"'"'s way' "$gen" query --cache cache --post waived
sed -i 's/Twice as fast/A name/' content/posts/waived.md
ok 'the build does know' fails 1 'the waiver waives nothing' site build
