#!/bin/bash
# Data published for programs equals the measurements: records byte for byte, each number's
# JSON with the SHA-256 of its record, a CSV for each figure that links one. All JSON and
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

: >"$dir/log"
n=0
for record in "$dir"/site/data/runs/*/*.jsonl; do
	id=$(basename "$record" .jsonl)
	cmp "$record" "$site/runs/$id/$id.jsonl" >>"$dir/log" 2>&1 && n=$((n + 1))
done
[ "$n" -gt 0 ] && [ ! -s "$dir/log" ]
say $? 'records are published byte for byte'

node - "$site" >"$dir/log" 2>&1 <<'JS'
const fs = require("fs"), path = require("path"), crypto = require("crypto");
const site = process.argv[2], wrong = [], seen = { number: 0, page: 0, ld: 0, csv: 0 };
const files = fs.readdirSync(site, { recursive: true, withFileTypes: true }).filter((f) => f.isFile()).map((f) => path.join(f.parentPath ?? f.path, f.name));
const sha = (file) => crypto.createHash("sha256").update(fs.readFileSync(file)).digest("hex");
for (const f of files.filter((f) => f.endsWith("number.json"))) {
	const j = JSON.parse(fs.readFileSync(f, "utf8"));
	const record = path.join(site, "runs", j.run, `${j.run}.jsonl`);
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
