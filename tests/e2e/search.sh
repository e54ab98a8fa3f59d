#!/bin/bash
# Search: the browser's script and the generator split texts into the same terms, and a built
# index finds the pages' words. Prints TAP lines.
set -u
cd "$(dirname "$0")/../.." || exit 1
gen=$(realpath "${BUILD:-build}/site-gen")
command -v node >/dev/null || { echo 'ok - searching # skip no node'; exit 0; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp -r tests/golden/whole-site/site "$dir/site"
cp -r tests/golden/look/templates tests/golden/look/static "$dir/site/"
printf -- '---\ntitle: 共享内存\ndate: 2025-01-01\n---\n## 存储体冲突 {#banks}\n\n一个 warp 按列读。Zebra.\n' >"$dir/site/content/posts/banks.md"
printf -- '---\ntitle: Ostrich\n---\nOstrich, a page.\n' >"$dir/site/content/pages/ostrich.md"
printf -- '---\ntitle: A bird\ndate: 2025-01-02\n---\nOf the ostrich.\n\n## The ostrich, explained\n\nIt runs.\n' >"$dir/site/content/posts/bird.md"
mkdir -p "$dir/site/content/sections"
for s in planned written; do
	printf -- '---\ntitle: Casuar %s\nstatus: %s\n---\nCasuar.\n' $s $s >"$dir/site/content/sections/0${#s}-$s.md"
done
"$gen" build --quiet --root "$dir/site" || echo 'not ok - the site is built'
cp static/search.js "$dir/search.mjs"
cat >"$dir/test.mjs" <<'JS'
import { readFileSync } from "node:fs";
import { context, grouped, places, terms, search } from "./search.mjs";
const [, , fixture, file, text] = process.argv;
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
say(finds("ostrich")[0] === "/blog/posts/bird/" && finds("ostrich").includes("/blog/ostrich/"), "a post that explains comes before a page that is called so");
say(finds("casuar").join(" ") === "/blog/handbook/written/", "a section that is only planned is not found");
const texts = JSON.parse(readFileSync(text, "utf8")).text;
const strings = (list) => list.filter((x) => typeof x === "string");
const line = (query) => context(query, strings(texts[search(index, query)[0].page]));
say(texts.length === index.pages.length, "there is a text for each page");
say(line("ostrich") === "Of the ostrich.", "a line of the text that has the word");
say(line("warp") === "一个 warp 按列读。Zebra." && line("按列读") === line("warp"), "in Chinese, too");
const long = context("needle", ["no", `${"hay ".repeat(99)}needle${" hay".repeat(99)}`]);
say(long.startsWith("…hay ") && long.endsWith("…") && long.includes("needle") && long.length < 300, "a long one is cut around it");
say(context("zebra", ["nothing"]) === "" && context("?!", ["nothing"]) === "", "nothing where it is not");
const at = (query) => {
	const { page } = search(index, query)[0];
	return places(query, index.pages[page][4], texts[page]).map((s) => index.pages[page][4][s.heading]?.[0] ?? "").join(" ");
};
say(at("runs") === "the-ostrich-explained", "a section is found by its text");
say(at("ostrich") === "the-ostrich-explained ", "a heading counts more than the page's beginning");
say(at("zebra") === "banks" && at("按列读") === "banks" && at("冲突") === "banks", "in Chinese, too");
const kinds = (query) => grouped(index, search(index, query)).map((g) => index.pages[g.hits[0].page][3]);
say(kinds("ostrich").join(" ") === "post page", "pages stand in groups, the best first");
const made = { pages: [["a", "", "", "prediction"], ["b", "", "", "page"], ["c", "", "", "run"]] };
const scores = [{ page: 2, score: 9 }, { page: 0, score: 8 }, { page: 1, score: 1 }];
say(grouped(made, scores).map((g) => g.hits[0].page).join("") === "102", "predictions and runs come last, however good");
say(finds("constructor").length === 0 && finds("__proto__").length === 0, "names of objects are no terms");
JS
node "$dir/test.mjs" tests/fixtures/search-terms.txt "$dir/site/build/site/search/index.json" "$dir/site/build/site/search/text.json" ||
	echo 'not ok - the script runs'
