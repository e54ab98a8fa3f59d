#!/bin/bash
# The whole path on a CPU: measures and builds the site. The numbers on the page must equal the
# record. After a commit of the record, the preview mark must be gone.
set -u
cd "$(dirname "$0")/../.." || exit 1
root=$PWD bin=$PWD/${BUILD:-build}
case $bin in *//*) bin=${BUILD} ;; esac
[ -x "$bin/runner" ] || bin=$BUILD
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
say() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; [ -f "$dir/log" ] && tail -n 20 "$dir/log"; fi; }

mkdir -p "$dir/site/content/posts" "$dir/site/content/pages" "$dir/site/data/runs"
cp -r "$root/templates" "$root/static" "$dir/site/"
cp -r "$root/data/specs" "$dir/site/data/"
cd "$dir/site" || exit 1
"$bin/runner" run --device cpu --launches 3 --out data/runs 'reduce/c_*' >"$dir/log" 2>&1
say $? 'the runner measures on the CPU'
record=$(find data/runs -name '*.jsonl.gz')
[ "$(echo "$record" | wc -l)" = 1 ] && [ -n "$record" ]
say $? 'it leaves one record'
"$bin/runner" verify $record >"$dir/log" 2>&1
say $? 'the record verifies'

device=$(basename "$(dirname "$record")")
cat >content/site.lua <<END
return {
	title = "Measured here",
	description = "A site of one record.",
	base_url = "https://measured.example/",
	author = "A test",
	default_device = "$device",
	nav = { { title = "Posts", url = "/posts/" } },
}
END
cases=$(node -e '
	const fs = require("fs");
	for (const l of fs.readFileSync(process.argv[1], "utf8").trim().split("\n")) {
		const c = JSON.parse(l);
		if (c.type !== "case" || c.unavailable || c.role === "null") continue;
		const p = Object.entries(c.params).map(([k, v]) => `${k}=${v}`).join(" ");
		const sel = `${c.family}/${c.variant} ${p} dtype=${c.dtype} cache=${c.cache}`;
		console.log(`* <<bench:value ${sel} metric=time>> and <<bench:value ${sel} metric=bandwidth>>`);
	}' <(zcat "$record"))
{
	printf -- '---\ntitle: Measured here\ndescription: A test.\ndate: 2026-01-01\ntags: [test]\n---\n\n'
	echo "$cases"
} >content/posts/measured.md
git init -q . && git add -A content templates static data/specs &&
	git -c user.name=test -c user.email=test@example.org commit -qm site
"$bin/site-gen" build >"$dir/log" 2>&1
say $? 'the site builds'
page=build/site/posts/measured/index.html
node "$root/tests/e2e/recompute.mjs" "$page" $record
zgrep -q '"role":"null"' $record && ! grep -rq --include='*.html' 'null=1' build/site
say $? 'no page shows a null control of the record'
grep -q 'data-state="preview"' "$page"
say $? 'an uncommitted record is marked as a preview'
! "$bin/site-gen" build --strict >"$dir/log" 2>&1 && grep -q preview "$dir/log"
say $? '--strict refuses a preview'
git add data/runs && git -c user.name=test -c user.email=test@example.org commit -qm record
"$bin/site-gen" build >"$dir/log" 2>&1
say $? 'the site builds again'
[ -s "$page" ] && ! grep -q 'data-state="preview"' "$page"
say $? 'a committed record is no preview'
node "$root/tests/e2e/recompute.mjs" "$page" $record
