/*
 * pages.js - what holds for every page: nothing on the console, no CSP
 * violation, no request to elsewhere, axe-core without violations in light
 * and dark, no sideways scrolling at 320, 390 and 1440 pixels, the same text
 * with scripts off, light enough.
 */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const WIDTHS = [320, 390, 1440];
const MAX_POST_BYTES = 60 * 1024; /* HTML and CSS, compressed, without plots */
const MAX_CSS_BYTES = 32 * 1024;

/* A page that tells `log` everything that goes wrong in it. */
async function openPage(t, context, log) {
	const page = await context.newPage();
	page.on("console", (m) => { if (m.type() === "error" || m.type() === "warning") log.push(`console: ${m.text()}`); });
	page.on("pageerror", (e) => log.push(`exception: ${e.message}`));
	page.on("request", (r) => { if (!r.url().startsWith(t.base)) log.push(`request to ${r.url()}`); });
	page.on("response", (r) => { if (r.status() >= 400) log.push(`status ${r.status()} of ${r.url()}`); });
	return page;
}

async function axe(page, axeSource, options) {
	await page.evaluate(axeSource);
	const result = await page.evaluate((o) => window.axe.run(document, o), options);
	return result.violations.flatMap((v) => v.nodes.slice(0, 5).map((n) =>
		`${v.id}: ${n.target.join(" ")}: ${n.failureSummary.split("\n").slice(1).join(" ").trim()}`));
}

/* Elements that make the page itself scroll sideways. */
function overflow() {
	const wide = document.documentElement.scrollWidth - window.innerWidth;
	if (wide <= 0) return [];
	const guilty = [...document.querySelectorAll("body *")].filter((e) =>
		e.getBoundingClientRect().right > window.innerWidth + 1 && !e.closest(".scroll, div.table, pre") && getComputedStyle(e).position !== "absolute");
	return [`${wide} px too wide: ${guilty.slice(-3).map((e) => e.tagName + "." + e.className).join(", ")}`];
}

/* What links.js wants to know of a page: the one at hand, or one as text. */
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
	};
}

const words = (page) => page.evaluate(() => document.querySelector("main").innerText.replace(/\s+/g, " ").trim());

function weigh(t, url) {
	const file = `${t.site}${url.endsWith("/") ? url + "index.html" : url}`;
	const html = readFileSync(file, "utf8").replace(/<svg class="plot[\s\S]*?<\/svg>/g, "");
	const styles = [...html.matchAll(/<link rel="stylesheet"[^>]* href="[^"?]*(\/static\/[^"?]*)/g)].map((m) => readFileSync(t.site + m[1]));
	const bytes = [html, ...styles].reduce((sum, b) => sum + gzipSync(b).length, 0);
	return bytes <= MAX_POST_BYTES ? [] : [`${bytes} bytes of HTML and CSS, compressed; at most ${MAX_POST_BYTES}`];
}

/* Every page, once for each setting; what was collected of them, by address. */
export async function checkPages(t) {
	const axeSource = readFileSync(t.require.resolve("axe-core/axe.min.js"), "utf8");
	const open = (options) => t.browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
	const light = await open({ colorScheme: "light", bypassCSP: false });
	const dark = await open({ colorScheme: "dark" });
	const bare = await open({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
	const seen = new Map();

	const check = async (url) => {
		const log = [];
		const page = await openPage(t, light, log);
		await page.goto(t.base + url);
		await page.evaluate(() => document.fonts.ready);
		const found = await page.evaluate(collect);
		seen.set(url, found);
		t.report(`${url} clean console, policy and requests`, log);
		t.report(`${url} one h1, a title, no inline script or style`, [
			...(found.h1 === 1 ? [] : [`${found.h1} h1`]), ...(found.title ? [] : ["no title"]),
			...(found.style ? [`${found.style} inline scripts or styles`] : [])]);
		t.report(`${url} axe, light`, await axe(page, axeSource, {}));

		const sideways = [];
		for (const width of WIDTHS) {
			await page.setViewportSize({ width, height: 800 });
			sideways.push(...(await page.evaluate(overflow)).map((w) => `at ${width} px: ${w}`));
		}
		t.report(`${url} no sideways scrolling`, sideways);
		await page.setViewportSize({ width: 390, height: 800 });
		t.report(`${url} axe, phone`, await axe(page, axeSource, {}));
		const scripted = await words(page);
		await page.close();

		const night = await openPage(t, dark, []);
		await night.goto(t.base + url);
		t.report(`${url} axe, dark`, await axe(night, axeSource, { runOnly: ["color-contrast", "link-in-text-block"] }));
		await night.close();

		const plain = await openPage(t, bare, []);
		await plain.goto(t.base + url);
		t.report(`${url} the same text without scripts`, (await words(plain)) === scripted ? [] : ["the texts differ"]);
		await plain.close();

		if (/^(\/\w+)?\/posts\//.test(url)) t.report(`${url} light enough`, weigh(t, url));
	};
	/* Two at a time: a page keeps one processor busy. */
	const left = [...t.urls];
	const worker = async () => {
		while (left.length) await check(left.shift());
	};
	await Promise.all([worker(), worker()]);
	const reader = await light.newPage();
	for (const url of t.shallow) {
		const found = await reader.evaluate(collect, readFileSync(`${t.site}${url}index.html`, "utf8"));
		seen.set(url, found);
		t.report(`${url} one h1, a title, no inline script or style`, [
			...(found.h1 === 1 ? [] : [`${found.h1} h1`]), ...(found.title ? [] : ["no title"]),
			...(found.style ? [`${found.style} inline scripts or styles`] : [])]);
	}
	await reader.close();
	const css = readFileSync(`${t.site}/static/site.css`).length;
	t.report("the style sheet is small", css <= MAX_CSS_BYTES ? [] : [`${css} bytes; at most ${MAX_CSS_BYTES}`]);
	return seen;
}
