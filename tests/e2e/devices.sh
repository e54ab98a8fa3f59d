#!/bin/bash
# Records of several devices: the blog on a machine without a GPU, measured
# there, committed, noted and audited; and a site with synthetic records of
# two GPUs, deployed and audited as readers get it. Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD gen=$(realpath "${BUILD:-build}/site-gen") runner=$(realpath "${BUILD:-build}/runner")
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
ok() { if "${@:2}" >"$dir/said" 2>&1; then echo "ok - $1"; else echo "not ok - $1"; sed 's/^/# /' "$dir/said" | head -20; fi; }
says() { sed 's/\xc2\xa0/ /g' "$2" >"$dir/plain"; grep -qF -- "$1" "$dir/plain" || { echo "no '$1' in:"; cat "$dir/plain"; return 1; }; }
fails() { # fails WHAT COMMAND...: ends with 1 and says it on stderr
	"${@:2}" >"$dir/out" 2>"$dir/err"
	[ $? -eq 1 ] && says "$1" "$dir/err"
}
save() { # save DAY MESSAGE: commits everything
	git add -A && GIT_AUTHOR_DATE=2026-01-0${1}T00:00:00Z GIT_COMMITTER_DATE=2026-01-0${1}T00:00:00Z \
		git -c user.name=Test -c user.email=test@example.org commit -q -m "$2"
}

# --- two GPUs ---

mkdir "$dir/site" && cd "$dir/site" || exit 1
"$root"/tests/golden/site.sh numbers .
cp -r "$root"/tests/golden/look/templates "$root"/tests/golden/look/static .
cp -r "$root"/templates/plots templates/
cp "$root"/data/specs/h100.json data/specs/
printf 'build\ncache\n' >.gitignore
git init -q -b main
# with the day and the author that the record names
git add -A kernels && GIT_AUTHOR_DATE=2025-12-31T03:04:05Z GIT_COMMITTER_DATE=2025-12-31T03:04:05Z \
	git -c user.name=Golden -c user.email=golden@example.org commit -q -m 'golden site'
h200=$(echo data/runs/h200/*.jsonl) h100=data/runs/h100-80gb-hbm3/20260103T000000Z-synthetic-00000002.jsonl
mkdir -p "${h100%/*}"
# the synthetic record, of a device half as fast, two days later
head -n -1 "$h200" | sed -e 's/20260101T000000Z-synthetic-00000001/20260103T000000Z-synthetic-00000002/' \
	-e 's/"start":"2026-01-01/"start":"2026-01-03/' -e 's/"device":"h200"/"device":"h100-80gb-hbm3"/' |
	awk '/"type":"launch"/ && match($0, /"base_ns":[0-9]+/) {
		$0 = substr($0, 1, RSTART + 9) 2 * substr($0, RSTART + 10, RLENGTH - 10) substr($0, RSTART + RLENGTH)
	} { print }' >"$h100"
printf '{"type":"end","end":"2026-01-03T00:00:00Z","status":"complete","records":%d,"sha256":"%s"}\n' \
	$(($(wc -l <"$h100") + 1)) "$(sha256sum <"$h100" | cut -d' ' -f1)" >>"$h100"
cat >content/posts/two.md <<'END'
---
title: Two devices
date: 2026-01-05
description: One case on two GPUs.
---
Here <<bench:value transpose/tile rows=16384>>, there <<bench:value transpose/tile rows=16384 device=h100-80gb-hbm3>>,
<<bench:percent transpose/tile rows=16384 device=h100-80gb-hbm3 of=spec:hbm>> of its own peak.
END
save 6 'a site'
ok 'a device is not guessed from the newest run' fails 'runs of several devices (h100-80gb-hbm3, h200); expected default_device = ' "$gen" build -q --cache cache
sed -i '1a default_device = "h200",' content/site.lua
save 6 'a site about the H200'
ok 'two GPUs: noted' "$gen" note -q --cache cache
save 6 'noted'
www=$dir/www
ok 'and deployed' "$gen" deploy -q --cache cache "$www"
ok 'a device finds the datasheet that names it' says 'theoretical HBM3 bandwidth of the H100: 44.3 %' "$www/posts/two/index.html"
ok 'what readers are served is audited' bash -c '"$1" audit "$2" >"$3"' - "$gen" "$www" "$dir/summary"
ok 'with the compressed forms' says 'of them compressed forms, ' "$dir/summary"

# --- a post over both ---

cp -r "$dir/site" "$dir/over" && cd "$dir/over" || exit 1
tile='transpose/tile rows=16384'
cat >content/posts/over.md <<END
---
title: "Over both: <<bench:value $tile>>"
date: 2026-01-05
description: One post, two GPUs.
key: "<<bench:value $tile>>, <<bench:value $tile device=h200>> on one"
devices: [h200, h100]
---
It reaches <<bench:value $tile>> of <<bench:spec hbm>>, and
<<bench:claim $tile > transpose/naive>>it wins<</bench:claim>>. There, <<bench:value $tile device=h100>>.

<<bench:ladder transpose/{naive,tile} rows=16384 id=tab-steps>>
END
save 7 'a post over both'
ok 'a post over both is built and audited' "$gen" build -q --no-sync --cache ../site/cache
page=build/site/posts/over/index.html
ok 'with a part for each' test "$(grep -o 'class="dev dev-[12]" data-device="h[^"]*"' "$page" | sort -u | wc -l)" = 2
ok 'Markdown names the devices' says '(H100)' build/site/posts/over/index.md
ok 'so does the feed' says '(H100)' build/site/feed.xml
ok 'and the title' says 'TB/s (Synthetic device), 1.485 TB/s (H100)' build/site/feed.xml
ok 'numbers.json has both' bash -c 'test "$(grep -o "\"device\":\"h[^\"]*\"" "$1" | sort -u | wc -l)" = 2' - build/site/posts/over/numbers.json
chmod -R u+w build
cp "$page" ../over.html
sed -i 's|\(href="/blog/numbers/h100-80gb-hbm3/[^"]*#bandwidth"[^>]*>\)[0-9.]*|\19.99|' "$page"
ok 'a wrong number in the part that is not shown is found' fails 'says 9.99' "$gen" audit --data-only --preview build/site
sed '0,/data-device="h100-80gb-hbm3"/s//data-device="h200"/' ../over.html >"$page"
ok 'and a number in the part of another device' fails 'is a number of h100-80gb-hbm3 in the part of the page for h200' "$gen" audit --data-only --preview build/site
n=$(grep -c over data/published.jsonl)
ok 'both are noted' "$gen" note -q --cache ../site/cache
ok 'under keys of their own' test "$(grep -c '/posts/over/' data/published.jsonl)" -gt "$n"
cat >>content/posts/over.md <<END

<<bench:claim $tile > 2 TB/s>>It is fast.<</bench:claim>> <<bench:counter $tile dram_read_bytes>>
END
ok 'a claim must hold on each' fails 'claim is false: “It is fast.”' "$gen" check --cache ../site/cache
ok 'the error names the device' says "this is about h100-80gb-hbm3, one of the page's 'devices'" "$dir/err"
sed -i 's/h200, h100/h200, h300/' content/posts/over.md
ok 'a device without runs is refused' fails "content/posts/over.md:6:1: device 'h300' has no run, expected one of h100-80gb-hbm3, h200" "$gen" check --cache ../site/cache
cd "$dir/site" || exit 1

# --- compressed forms: what readers get, compared by content ---

page=posts/two/index.html
restore() { rm -rf "$www"; cp -r "$dir/good" "$www"; }
cp -r "$www" "$dir/good"
sed 's/Two devices/Two lies/' "$www/$page" | gzip -9n >"$dir/poison" && cp "$dir/poison" "$www/$page.gz"
ok 'a gzip form with another text is found' fails "site-gen: $page.gz: is not the gzip form of $page" "$gen" audit --data-only "$www"
restore
truncate -s -9 "$www/$page.br"
ok 'a brotli form that was cut is found' fails "site-gen: $page.br: is not the brotli form of $page" "$gen" audit --data-only "$www"
restore
printf 'more' >>"$www/$page.gz"
ok 'so is one with more behind it' fails "site-gen: $page.gz: is not the gzip form of $page" "$gen" audit --data-only "$www"
restore
cp "$www/$page.gz" "$www/posts/stray.html.gz"
ok 'and one of no page' fails 'site-gen: posts/stray.html.gz: is not in the manifest' "$gen" audit --data-only "$www"
restore
kept=cache/compressed/$(sha256sum <"$www/$page" | cut -d' ' -f1)
cp "$dir/poison" "$kept.gz" && truncate -s -9 "$kept.br" && rm -r "$www"
ok 'a cache that was changed' "$gen" deploy -q --cache cache "$www"
ok 'reaches no reader' "$gen" audit --data-only "$www"
ok 'and is mended' diff -r "$dir/good" "$www"

# --- the blog, on a machine without a GPU ---

[ ! -d "$root/${BUILD:-build}/cache" ] || cp -r "$root/${BUILD:-build}/cache" "$dir/cache" # plots that are drawn already
git clone -q "$root" "$dir/blog" && cd "$dir/blog" || exit 1
ok 'a CPU is measured' "$runner" run --device cpu --launches 2 'reduce/c_simd:n=2^20'
git add -A && git -c user.name=Test -c user.email=test@example.org commit -q -m 'a CPU'
before=$(git rev-parse HEAD)
ok 'noted' "$gen" note -q --cache "$dir/cache"
ok 'built' "$gen" build -q --no-sync --cache "$dir/cache"
# a record of a program built with uncommitted changes is a preview, which needs --preview
preview=$(zgrep -q '"dirty":true' data/runs/cpu*/*.jsonl.gz && echo --preview)
ok 'and audited' "$gen" audit --data-only $preview build/site
ok 'its device has a page' test -e build/site/devices/$(basename data/runs/cpu*)/index.html
# a note may close a part of the log, so its lines are compared and not its files
lines() { zcat -f "$1"/data/published/*.gz "$1/data/published.jsonl"; }
mkdir "$dir/was" && git archive "$before" data/published data/published.jsonl | tar -xC "$dir/was"
ok 'and the predictions are still those of the H200' cmp <(lines "$dir/was") <(lines .)
