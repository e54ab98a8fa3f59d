#!/bin/bash
# Data published for programs equals the measurements: records byte for byte, compressed or plain,
# each number's JSON with the SHA-256 of its record's lines, a CSV for each figure that links one. All JSON and
# JSON-LD is well-formed.
set -u
cd "$(dirname "$0")/../.." || exit 1
gen=$(realpath "${BUILD:-build}/site-gen")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
say() { if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; tail -n 20 "$dir/log"; fi; }

tests/golden/site.sh numbers "$dir/site"
cp -r tests/golden/look/templates tests/golden/look/static "$dir/site/"
cp -r templates/plots "$dir/site/templates/"
site=$dir/site/build/site
"$gen" build -C "$dir/site" >"$dir/log" 2>&1
say $? 'the site builds'

records_are_published() { # SITE
	local record file n=0
	for record in "$1"/data/runs/*/*.jsonl*; do
		file=$(basename "$record")
		cmp "$record" "$1/build/site/runs/${file%%.*}/$file" && n=$((n + 1))
	done
	[ "$n" -gt 0 ] && [ "$(find "$1/build/site/runs" -name '*.jsonl*' | wc -l)" = "$n" ]
}
records_are_published "$dir/site" >"$dir/log" 2>&1
say $? 'records are published byte for byte'
cp -r "$dir/site" "$dir/packed"
gzip -n "$dir"/packed/data/runs/*/*.jsonl
"$gen" build -C "$dir/packed" >"$dir/log" 2>&1 && records_are_published "$dir/packed" >>"$dir/log" 2>&1
say $? 'so are compressed ones'

node - "$site" >"$dir/log" 2>&1 <<'JS'
const fs = require("fs"), path = require("path"), crypto = require("crypto"), { gunzipSync } = require("zlib");
const site = process.argv[2], wrong = [], seen = { number: 0, page: 0, ld: 0, csv: 0 };
const files = fs.readdirSync(site, { recursive: true, withFileTypes: true }).filter((f) => f.isFile()).map((f) => path.join(f.parentPath ?? f.path, f.name));
const lines = (file) => (file.endsWith(".gz") ? gunzipSync(fs.readFileSync(file)) : fs.readFileSync(file));
const sha = (file) => crypto.createHash("sha256").update(lines(file)).digest("hex");
for (const f of files.filter((f) => f.endsWith("number.json"))) {
	const j = JSON.parse(fs.readFileSync(f, "utf8"));
	const record = path.join(site, "runs", j.run, path.basename(j.record));
	if (sha(record) !== j.provenance.entity["rp:record"]["rp:sha256"]) wrong.push(`${f}: not the SHA-256 of ${record}`);
	if (j.launches.some((l) => l.status === "ok" && l.sample_ns.length === 0)) wrong.push(`${f}: a launch without samples`);
	seen.number++;
}
for (const f of files.filter((f) => f.endsWith("numbers.json"))) {
	for (const n of JSON.parse(fs.readFileSync(f, "utf8")).numbers) {
		const at = new URL(n.url).pathname.replace(/^\/blog/, "");
		const html = fs.readFileSync(path.join(site, at, "index.html"), "utf8");
		if (!html.includes(`id="${decodeURIComponent(new URL(n.url).hash.slice(1))}"`)) wrong.push(`${f}: ${n.url} leads nowhere`);
		if (!(n.low <= n.value && n.value <= n.high)) wrong.push(`${f}: ${n.key} is outside of its interval`);
	}
	seen.page++;
}
for (const f of files.filter((f) => f.endsWith(".html"))) {
	const html = fs.readFileSync(f, "utf8");
	for (const [, ld] of html.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)) {
		if (JSON.parse(ld)["@context"] !== "https://schema.org") wrong.push(`${f}: no schema.org`);
		seen.ld++;
	}
	for (const [, csv] of html.matchAll(/href="([\w-]+\.csv)"/g)) {
		const lines = fs.readFileSync(path.join(path.dirname(f), csv), "utf8").split("\r\n");
		if (lines.length < 3 || lines.at(-1) !== "") wrong.push(`${f}: ${csv} has no rows`);
		seen.csv++;
	}
}
for (const [what, count] of Object.entries(seen)) if (!count) wrong.push(`nothing of kind '${what}' was seen`);
console.log(wrong.join("\n"));
process.exit(wrong.length ? 1 : 0);
JS
say $? 'JSON, JSON-LD and CSV agree with records and pages'

# The examples of docs/published-data.md, as they stand there.
root=$PWD
example() { # LANGUAGE N
	awk -v fence='```'"$1" -v n="$2" '
		/^## / { on = /^## Reading it/ }
		!on { next }
		$0 == fence { k++; inside = 1; next }
		/^```/ { inside = 0 }
		inside && k == n' "$root/docs/published-data.md"
}
cd "$dir" || exit 1
TABLE=$(find "$site/posts" -name 'ladder*.columns.json' | head -n 1)
NUMBER=$(find "$site/numbers" -name number.json | sort | head -n 1)
csv=${TABLE%.columns.json}.csv
export TABLE NUMBER
want=$(node -e '
	const c = JSON.parse(require("fs").readFileSync(process.env.TABLE)).columns, b = c["bandwidth (B/s)"], i = b.indexOf(Math.max(...b));
	console.log(c.case[i] + " " + b[i]);')
node - "$csv" >log 2>&1 <<'JS'
const fs = require("fs"), { columns } = JSON.parse(fs.readFileSync(process.env.TABLE, "utf8"));
const cells = fs.readFileSync(process.argv[2], "utf8").trimEnd().split("\r\n").map((l) => [...l.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((m) => m[1]?.replaceAll('""', '"') ?? m[2]));
const names = Object.keys(columns), wrong = [];
if (names.join() !== cells[0].join()) wrong.push("other columns");
names.forEach((n, c) => cells.slice(1).forEach((row, r) => {
	const v = columns[n][r];
	if (v === null ? row[c] !== "" : typeof v === "number" ? Number(row[c]) !== v : row[c] !== v) wrong.push(`${n} ${r}: ${v}, in the CSV ${row[c]}`);
}));
if (!Object.values(columns).some((l) => l.some((v) => typeof v === "number"))) wrong.push("no number");
console.log(wrong.join("\n"));
process.exit(wrong.length ? 1 : 0);
JS
say $? 'the table by columns is that of the CSV'
if command -v jq >/dev/null; then
	bash -c "$(example sh 1)" >out 2>log && [ "$(wc -l <out)" = "$(($(wc -l <"$csv") - 1))" ] && [ "$(head -n 1 out | jq -r .case)" = "$(jq -r .columns.case[0] "$TABLE")" ]
	say $? 'jq: rows of a table'
	bash -c "$(example sh 2)" >out 2>log && [ "$(wc -l <out)" = 2 ] && [ "$(tail -n 1 out | jq length)" = "$(jq '.launches[0].sample_ns | length' "$NUMBER")" ]
	say $? 'jq: a number and samples'
else
	echo 'ok - the examples for jq # skip no jq'
fi
same() { node -e 'const [a, b] = process.argv.slice(1).map((t) => t.trim().split(" ")); process.exit(a[0] === b[0] && Math.abs(a[1] / b[1] - 1) < 1e-12 ? 0 : 1);' "$1" "$want"; }
python=
for p in python3 /usr/bin/python3; do
	[ -z "$python" ] && "$p" -c 'import pandas' 2>/dev/null && python=$p
done
if command -v python3 >/dev/null; then
	example python 1 >one.py && same "$(python3 one.py 2>log)"
	say $? 'Python alone: the fastest case'
else
	echo 'ok - the example for Python # skip no python3'
fi
if [ -n "$python" ]; then
	example python 2 >two.py && same "$("$python" two.py 2>log)"
	say $? 'pandas: the fastest case'
else
	echo 'ok - the example for pandas # skip no pandas'
fi

# A digit that is changed, or a value that is missing, is found by the audit.
# (This site's records are not committed, which it finds, too.)
"$gen" audit -q -C site "$site" >log 2>&1
! grep -qF "$(basename "$TABLE")" log
say $? 'the audit has nothing against the table'
cp "$TABLE" kept
broken() { # WHAT TEXT: the audit fails with TEXT
	! "$gen" audit -q -C site "$site" >log 2>&1 && grep -qF -- "$2" log
	say $? "$1"
	cp kept "$TABLE"
}
node -e 'const fs = require("fs"), f = process.env.TABLE, t = JSON.parse(fs.readFileSync(f)); t.columns["bandwidth (B/s)"][0] *= 1.01; fs.writeFileSync(f, JSON.stringify(t));'
broken 'a changed number is found' "$(basename "$TABLE")"
node -e 'const fs = require("fs"), f = process.env.TABLE, t = JSON.parse(fs.readFileSync(f)); t.columns.variant.pop(); fs.writeFileSync(f, JSON.stringify(t));'
broken 'so is a column that is too short' "column 'variant' has"
