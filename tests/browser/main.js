/*
 * main.js SITE WORK - runs all browser tests on the site in folder SITE, with the packages
 * in WORK/node_modules. To add a check of every page, add a function to pages.js; for one
 * of the whole site, to links.js, behaviour.js or layout.js. look.js compares the layout
 * with the accepted one. lighthouse.js runs Lighthouse after everything else has ended.
 * Several checks run at a time, and none may depend on speed (pool.js).
 */
import { createRequire } from "node:module";
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { checkBehaviour } from "./behaviour.js";
import { checkDevices } from "./devices.js";
import { checkLayout, checkShifts } from "./layout.js";
import { checkFeed, checkLinks } from "./links.js";
import { checkKeys } from "./keys.js";
import { checkLighthouse } from "./lighthouse.js";
import { checkLive } from "./live.js";
import { checkLook } from "./look.js";
import { checkMarkup } from "./markup.js";
import { pageChecks, readShallow } from "./pages.js";
import { checkPlots } from "./plots.js";
import { checkSort } from "./sort.js";
import { checkStaircase } from "./staircase.js";
import { atOnce } from "./pool.js";
import { checkReader } from "./reader.js";
import { fontless, serve, settled, siteFiles } from "./server.js";

const [site, work] = process.argv.slice(2).map((p) => resolve(p));
const require = createRequire(`${work}/package.json`);

let passed = 0, failed = 0;
/* Prints one result; `wrong` is a list of faults. */
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
/* A former address leads to the page's own, and is no page. */
const leadsOn = (f) => /<meta http-equiv="refresh"/.test(readFileSync(`${site}/${f}`, "utf8"));
const urls = files.filter((f) => f.endsWith(".html") && f.includes(only) && !leadsOn(f))
	.map((f) => "/" + f.replace(/(^|\/)index\.html$/, "$1")).sort();
const servers = await Promise.all([serve(site), serve(site, settled), serve(site, fontless)]);
const [base, settledBase, fontlessBase] = servers.map((s) => s.base);
/* A browser; with `profile`, a folder, one that keeps there what it has to tell, as its port. */
function launch(args = [], profile = "") {
	const { chromium } = require("playwright-core");
	const options = {
		executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
		args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", ...args],
	};
	return profile ? chromium.launchPersistentContext(profile, options) : chromium.launch(options);
}
const browser = await launch();
/*
 * Pages of these kinds are many and alike. The longest and a few more of each kind are fully
 * checked; of the rest only the links, and of posts also their width, weight and console.
 * A Chinese page that the machine writes is as wide and as coloured as its English twin, so
 * that one is checked. ALL=1 checks all.
 */
const POST = /^\/posts\/[^/]+\/$/;
const alike = [/^\/numbers\//, /^\/code\/./, /^\/predictions\/./, /^(\/zh)?\/tags\/./, /^\/runs\/./, /^(\/zh)?\/compared\/./,
	/^(\/zh)?\/kernels\/./, /^(\/zh)?\/handbook\/./, POST, /^\/zh\/posts\/[^/]+\/$/, /^(\/zh)?\/posts\/[^/]+\/fig\//];
const TWIN = /^\/zh\/(changes|compared|devices|freshness|glossary|paths|predictions|rules|runs|series|tags|waivers)\//;
const length = (url) => statSync(`${site}${url.endsWith("/") ? url + "index.html" : url}`).size;
function passedOver(list) {
	const longest = list.reduce((a, b) => (length(b) > length(a) ? b : a), list[0]);
	return list.filter((u, i) => u !== longest && i % Math.ceil(list.length / 4) !== 0);
}
const all = only || process.env.ALL;
const skipped = new Set(all ? [] : [...alike.flatMap((kind) => passedOver(urls.filter((u) => kind.test(u)))), ...urls.filter((u) => TWIN.test(u))]);
const quick = new Set(urls.filter((u) => skipped.has(u) && POST.test(u)));
const opened = urls.filter((u) => !skipped.has(u) || quick.has(u));
const t = { site, files, urls: opened, quick, shallow: urls.filter((u) => !opened.includes(u)), browser, launch, report, require,
	base, settled: settledBase, fontless: fontlessBase };
/* What is asked of the site as a whole, beside its pages. The clipboard is one for all: who uses it waits for the others. */
const whole = only ? [] : [
	async () => { await checkBehaviour(t); await checkLayout(t); },
	() => checkShifts(t), () => checkKeys(t), () => checkLook(t), () => checkLive(t), () => checkPlots(t), () => checkStaircase(t), () => checkSort(t), () => checkFeed(t), () => checkReader(t), () => checkDevices(t),
];
try {
	report("the site has pages", urls.length ? [] : ["no .html file in " + site]);
	const seen = new Map();
	await atOnce([...whole, () => checkMarkup(t), () => readShallow(t, seen), ...await pageChecks(t, seen)]);
	if (!only) {
		checkLinks(t, seen);
		await checkLighthouse(t);
	}
} finally {
	await browser.close();
	servers.forEach((s) => s.close());
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
