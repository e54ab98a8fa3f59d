/*
 * main.js SITE WORK - all browser tests of the site in folder SITE, with the
 * packages in WORK/node_modules. How to add a check of every page: a function
 * in pages.js; of the site as a whole: in links.js, behaviour.js or layout.js.
 * look.js compares where things stand with what was accepted, lighthouse.js asks Lighthouse.
 */
import { createRequire } from "node:module";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { checkBehaviour } from "./behaviour.js";
import { checkLayout } from "./layout.js";
import { checkFeed, checkLinks } from "./links.js";
import { checkKeys } from "./keys.js";
import { checkLighthouse } from "./lighthouse.js";
import { checkLive } from "./live.js";
import { checkLook } from "./look.js";
import { checkMarkup } from "./markup.js";
import { checkPages } from "./pages.js";
import { checkPlots } from "./plots.js";
import { serve, siteFiles } from "./server.js";

const [site, work] = process.argv.slice(2).map((p) => resolve(p));
const require = createRequire(`${work}/package.json`);

let passed = 0, failed = 0;
/* One result; `wrong` is a list of what is not as it should be. */
function report(what, wrong) {
	if (wrong.length === 0) {
		passed++;
		console.log(`ok - ${what}`);
		return;
	}
	failed++;
	console.log(`not ok - ${what}`);
	for (const w of wrong.slice(0, 12)) console.log(`#   ${String(w).replace(/\n/g, "\n#   ")}`);
	if (wrong.length > 12) console.log(`#   and ${wrong.length - 12} more`);
}

const only = process.env.ONLY ?? "";
const files = await siteFiles(site);
const urls = files.filter((f) => f.endsWith(".html") && f.includes(only))
	.map((f) => "/" + f.replace(/(^|\/)index\.html$/, "$1")).sort();
const server = await serve(site);
const launch = (args = []) => require("playwright-core").chromium.launch({
	executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
	args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", ...args],
});
const browser = await launch();
/*
 * Pages of these kinds are many and alike: the longest and a few more of each
 * are read as every other page is, of the rest the links. ALL=1 reads all.
 */
const alike = [/^\/numbers\//, /^\/predictions\/./, /^(\/zh)?\/tags\/./, /^\/runs\/./, /^\/compared\/./,
	/^(\/zh)?\/kernels\/./, /^(\/zh)?\/handbook\/./, /^\/zh\/posts\/./];
const length = (url) => statSync(`${site}${url.endsWith("/") ? url + "index.html" : url}`).size;
function passedOver(list) {
	const longest = list.reduce((a, b) => (length(b) > length(a) ? b : a), list[0]);
	return list.filter((u, i) => u !== longest && i % Math.ceil(list.length / 4) !== 0);
}
const all = only || process.env.ALL;
const skipped = new Set(all ? [] : alike.flatMap((kind) => passedOver(urls.filter((u) => kind.test(u)))));
const deep = urls.filter((u) => !skipped.has(u));
const t = { site, files, urls: deep, shallow: urls.filter((u) => !deep.includes(u)), browser, launch, base: server.base, report, require };
try {
	report("the site has pages", urls.length ? [] : ["no .html file in " + site]);
	const seen = await checkPages(t);
	if (!only) {
		checkLinks(t, seen);
		await checkFeed(t);
		await checkBehaviour(t);
		await checkLayout(t);
		await checkPlots(t);
		await checkLive(t);
		await checkKeys(t);
		await checkLook(t);
		await checkLighthouse(t);
	}
	await checkMarkup(t);
} finally {
	await browser.close();
	server.close();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
