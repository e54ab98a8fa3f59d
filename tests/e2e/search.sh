#!/bin/bash
# Searching: the browser's script and the generator cut words alike, and a
# built index finds what the pages say. Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
gen=$(realpath "${BUILD:-build}/site-gen")
command -v node >/dev/null || { echo 'ok - searching # skip no node'; exit 0; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp -r tests/golden/whole-site/site "$dir/site"
cp -r tests/golden/look/templates tests/golden/look/static "$dir/site/"
printf -- '---\ntitle: 共享内存\ndate: 2025-01-01\n---\n## 存储体冲突 {#banks}\n\n一个 warp 按列读。Zebra.\n' >"$dir/site/content/posts/banks.md"
"$gen" build --quiet --root "$dir/site" || echo 'not ok - the site is built'
cp static/search.js "$dir/search.mjs"
cat >"$dir/test.mjs" <<'JS'
import { readFileSync } from "node:fs";
import { terms, search } from "./search.mjs";
const [, , fixture, file] = process.argv;
const index = JSON.parse(readFileSync(file, "utf8"));
const say = (ok, what) => console.log(`${ok ? "ok" : "not ok"} - ${what}`);
for (const line of readFileSync(fixture, "utf8").split("\n")) {
	if (!line || line[0] === "#") continue;
	const [text, wanted] = line.split("|");
	say(terms(text).join(" ") === wanted, `'${text}' is cut as the generator cuts it`);
}
const finds = (query) => search(index, query).map((h) => index.pages[h.page][0]);
say(finds("banks").length === 0, "an anchor is no word");
say(finds("zebra")[0] === "/blog/posts/banks/", "a word of a body");
say(finds("ZEB")[0] === "/blog/posts/banks/", "the beginning of a word, in capitals");
say(finds("共享内存")[0] === "/blog/posts/banks/", "a Chinese title");
say(finds("冲突")[0] === "/blog/posts/banks/", "a part of a Chinese heading");
say(finds("存")[0] === "/blog/posts/banks/", "a single character");
say(finds("zebra nowhere").length === 0, "all terms are wanted");
say(finds("first")[0] === "/blog/posts/first/", "a title counts more than a body");
say(finds("constructor").length === 0 && finds("__proto__").length === 0, "names of objects are no terms");
JS
node "$dir/test.mjs" tests/fixtures/search-terms.txt "$dir/site/build/site/search/index.json" ||
	echo 'not ok - the script runs'
