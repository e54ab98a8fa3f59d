/*
 * pages.js - checks of every page: nothing on the console, no CSP violation, no request to
 * other hosts, no violation that axe-core finds in light or dark, no sideways scrolling at
 * 320, 390 and 1440 pixels (with the site's fonts and the machine's), the same text without
 * scripts, and few enough bytes.
 */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const WIDTHS = [320, 390, 1440];
/* A post's HTML and CSS, compressed: its words, tables and links; the same with its plots and diagrams. */
const MAX_WORDS_BYTES = 56 * 1024, MAX_POST_BYTES = 92 * 1024;
const MAX_CSS_BYTES = 36 * 1024;

/* A page that logs everything that goes wrong in it in `log`, a new list for each address. */
async function openPage(t, context) {
	const tab = { page: await context.newPage(), log: [] };
	const tell = (what) => tab.log.push(what);
	tab.page.on("console", (m) => { if (m.type() === "error" || m.type() === "warning") tell(`console: ${m.text()}`); });
	tab.page.on("pageerror", (e) => tell(`exception: ${e.message}`));
	tab.page.on("request", (r) => { if (!r.url().startsWith(t.settled)) tell(`request to ${r.url()}`); });
	tab.page.on("response", (r) => { if (r.status() >= 400) tell(`status ${r.status()} of ${r.url()}`); });
	return tab;
}

/* Asks for violations only; otherwise axe lists every element that passes. */
async function axe(page, axeSource, options) {
	await page.evaluate(axeSource);
	return page.evaluate(async (o) => (await window.axe.run(document, o)).violations.flatMap((v) => v.nodes.slice(0, 5).map((n) =>
		`${v.id}: ${n.target.join(" ")}: ${n.failureSummary.split("\n").slice(1).join(" ").trim()}`)), { ...options, resultTypes: ["violations"] });
}

/* Elements that make the page itself scroll sideways. */
function overflow() {
	const wide = document.documentElement.scrollWidth - window.innerWidth;
	if (wide <= 0) return [];
	const guilty = [...document.querySelectorAll("body *")].filter((e) =>
		e.getBoundingClientRect().right > window.innerWidth + 1 && !e.closest(".scroll, div.table, pre") && getComputedStyle(e).position !== "absolute");
	return [`${wide} px too wide: ${guilty.slice(-3).map((e) => e.tagName + "." + e.className).join(", ")}`];
}

/* Data about a page for links.js, from the loaded page or from its text. */
function collect(html) {
	const doc = html ? new DOMParser().parseFromString(html, "text/html") : document;
	const attrs = (sel, a) => [...doc.querySelectorAll(sel)].map((e) => e.getAttribute(a));
	return {
		ids: attrs("[id]", "id"),
		links: [...attrs("a[href]", "href"), ...attrs("link[href]", "href")],
		resources: [...attrs("[src]", "src"), ...attrs("image[href], use[href]", "href")],
		style: doc.querySelectorAll('[style], style, script:not([src]):not([type="application/ld+json"])').length,
		title: doc.title,
		lang: doc.documentElement.lang,
		canonical: doc.querySelector("link[rel=canonical]")?.href ?? "",
		alternates: [...doc.querySelectorAll("link[rel=alternate][hreflang]")].map((e) => ({ lang: e.hreflang, href: e.href })),
		h1: doc.querySelectorAll("h1").length,
		upright: [...doc.querySelectorAll("svg.plot path.line")].filter((e) => !e.closest(".selftest") && new Set(e.getAttribute("d").match(/[\d.]+(?=,)/g)).size < 2).length, /* says nothing of x */
		nameless: doc.querySelectorAll("table.labelled td:not([data-label], [colspan])").length, /* on a phone nobody knows what it is */
	};
}

async function sideways(page) {
	const wrong = [];
	for (const width of WIDTHS) {
		await page.setViewportSize({ width, height: 800 });
		wrong.push(...(await page.evaluate(overflow)).map((w) => `at ${width} px: ${w}`));
	}
	return wrong;
}

/*
 * The page's words, without text that stands in for a script, controls that only scripts
 * make, and a stepper, which shows one step at a time.
 */
const words = (page) => page.evaluate(() => {
	for (const e of document.querySelectorAll("main noscript, main .board-filters, main .staircase, main #search")) e.remove();
	return document.querySelector("main").innerText.replace(/\s+/g, " ").trim();
});

function weigh(t, url) {
	const file = `${t.site}${url.endsWith("/") ? url + "index.html" : url}`;
	const html = readFileSync(file, "utf8");
	const styles = [...html.matchAll(/<link rel="stylesheet"[^>]* href="[^"?]*(\/static\/[^"?]*)/g)].map((m) => readFileSync(t.site + m[1]));
	const size = (text) => [text, ...styles].reduce((sum, b) => sum + gzipSync(b).length, 0);
	const words = size(html.replace(/<svg[\s\S]*?<\/svg>/g, "")), all = size(html);
	return [
		...(words <= MAX_WORDS_BYTES ? [] : [`${words} bytes of HTML and CSS without pictures, compressed; at most ${MAX_WORDS_BYTES}`]),
		...(all <= MAX_POST_BYTES ? [] : [`${all} bytes of HTML and CSS, compressed; at most ${MAX_POST_BYTES}`])];
}

const shape = (found) => [
	...(found.h1 === 1 ? [] : [`${found.h1} h1`]), ...(found.title ? [] : ["no title"]),
	...(found.style ? [`${found.style} inline scripts or styles`] : []),
	...(found.upright ? [`${found.upright} lines of plots have one x`] : []),
	...(found.nameless ? [`${found.nameless} cells of a labelled table have no label`] : [])];

/* Beside axe's own rules: what is touched is large enough, or far enough from the next (WCAG 2.2, 2.5.8). */
const TARGETS = { rules: { "target-size": { enabled: true } } };

const PHONE = { width: 390, height: 800 }, DESK = { width: 1440, height: 900 };

/* What is checked of every page that is opened at all: it is left on a desk's screen. */
async function checkOpened(t, tab, url, seen) {
	const { page } = tab;
	const log = tab.log = [];
	await page.setViewportSize(DESK);
	await page.goto(t.settled + url);
	await page.evaluate(() => document.fonts.ready);
	const found = await page.evaluate(collect);
	seen.set(url, found);
	t.report(`${url} clean console, policy and requests`, log);
	t.report(`${url} one h1, a title, no inline script or style, cells with labels`, shape(found));
	t.report(`${url} no sideways scrolling`, await sideways(page));
	if (/^(\/\w+)?\/posts\//.test(url)) t.report(`${url} light enough`, weigh(t, url));
}

/* In light mode with everything on; the page's text is as a phone shows it. */
async function checkByDay(t, tab, axeSource, url, seen) {
	const { page } = tab;
	await checkOpened(t, tab, url, seen);
	await page.setViewportSize(DESK);
	t.report(`${url} axe, light`, await axe(page, axeSource, TARGETS));
	await page.setViewportSize(PHONE);
	t.report(`${url} axe, phone`, await axe(page, axeSource, TARGETS));
	return words(page);
}

async function checkByNight(t, page, axeSource, url) {
	await page.goto(t.settled + url);
	await page.evaluate(() => document.fonts.ready);
	t.report(`${url} axe, dark`, await axe(page, axeSource, { runOnly: ["color-contrast", "link-in-text-block"] }));
}

/* Without scripts, and without the fonts of the look. */
async function checkBare(t, page, url, text) {
	await page.goto(t.fontless + url);
	t.report(`${url} no sideways scrolling in other fonts`, await sideways(page));
	await page.setViewportSize(PHONE);
	t.report(`${url} the same text without scripts`, (await words(page)) === text ? [] : ["the texts differ"]);
}

/* Tabs to check pages in, by day, by night and without scripts; those that are free are used again. */
async function openTabs(t) {
	const open = (options) => t.browser.newContext({ viewport: DESK, ...options });
	const light = await open({ colorScheme: "light", bypassCSP: false });
	const dark = await open({ colorScheme: "dark" });
	const bare = await open({ javaScriptEnabled: false });
	const free = [];
	return {
		light,
		take: async () => free.pop() ?? { day: await openPage(t, light), night: await dark.newPage(), bare: await bare.newPage() },
		put: (tabs) => free.push(tabs),
	};
}

/* Of every page a call that checks it, once for each setting, and leaves what was collected of it in `seen`, by address. */
export async function pageChecks(t, seen) {
	const axeSource = readFileSync(t.require.resolve("axe-core/axe.min.js"), "utf8");
	const tabs = await openTabs(t);
	return t.urls.map((url) => async () => {
		const mine = await tabs.take();
		if (t.quick.has(url)) {
			await checkOpened(t, mine.day, url, seen);
			return tabs.put(mine);
		}
		const text = await checkByDay(t, mine.day, axeSource, url, seen);
		await checkByNight(t, mine.night, axeSource, url);
		await checkBare(t, mine.bare, url, text);
		tabs.put(mine);
	});
}

/* The same for pages of which only the text is checked. */
export async function readShallow(t, seen) {
	const reader = await t.browser.newPage();
	for (const url of t.shallow) {
		const found = await reader.evaluate(collect, readFileSync(`${t.site}${url}index.html`, "utf8"));
		seen.set(url, found);
		t.report(`${url} one h1, a title, no inline script or style, cells with labels`, shape(found));
	}
	await reader.close();
	const css = readFileSync(`${t.site}/static/site.css`).length;
	t.report("the style sheet is small", css <= MAX_CSS_BYTES ? [] : [`${css} bytes; at most ${MAX_CSS_BYTES}`]);
}
