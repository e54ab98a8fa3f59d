/* layout.js - pages do not shift while they load, and a post's contents follow the reader. */
import { statSync } from "node:fs";
import { until } from "./pool.js";

/*
 * The sum of all layout shifts that no reader caused (Layout Instability API),
 * until well after the fonts and the scripts, which come late; and what moved in the largest.
 */
const LATE_MS = 250; /* after this a font that may be left out is left out */
const shifts = (page) => page.evaluate((wait) => new Promise((done) => {
	let sum = 0, largest = null;
	const place = (r) => [r.x, r.y, r.width, r.height].map(Math.round).join(" ");
	const said = ({ node, previousRect, currentRect }) => {
		const e = node?.nodeType === 1 ? node : node?.parentElement;
		const text = (node?.textContent ?? "").trim().slice(0, 30);
		const name = e ? [e.localName, ...e.classList].join(".") : "what has gone";
		return `${name} '${text}' from ${place(previousRect)} to ${place(currentRect)}`;
	};
	new PerformanceObserver((list) => {
		for (const e of list.getEntries()) {
			if (e.hadRecentInput) continue;
			sum += e.value;
			if (e.value > (largest?.value ?? 0)) largest = { value: e.value, moved: e.sources.map(said) };
		}
	}).observe({ type: "layout-shift", buffered: true });
	setTimeout(() => done({ sum, moved: largest?.moved ?? [] }), wait);
}), LATE_MS + 100);

/* One page of each kind, in any language, since pages of one folder are alike. */
const kindOf = (url) => {
	const parts = url.replace(/^\/zh\//, "/").split("/");
	return `${parts[1]} ${parts.length}`;
};
const TRIES = 3;
const SEEN = 0.001; /* of the window, times how far: less is not seen */

/* Nothing moves while a page loads, even if fonts and scripts are slow, as on a first visit. */
export async function checkShifts(t) {
	const wrong = [];
	const some = [...new Map(t.urls.map((u) => [kindOf(u), u])).values()];
	for (const width of [390, 1280]) {
		const context = await t.browser.newContext({ viewport: { width, height: 800 } });
		await context.route(/\.(woff2|js)(\?|$)/, async (route) => {
			await new Promise((done) => setTimeout(done, LATE_MS));
			await route.continue().catch(() => {}); /* the page may have gone */
		});
		const page = await context.newPage();
		for (const url of some) {
			let least = { sum: Infinity };
			/* a busy machine brings fonts later still */
			for (let i = 0; i < TRIES && least.sum > SEEN; i++) {
				await page.goto(t.base + url);
				const now = await shifts(page);
				if (now.sum < least.sum) least = now;
			}
			if (least.sum <= SEEN) continue;
			wrong.push([`${url} at ${width} px moves: ${least.sum}`, ...least.moved].join("\n  "));
		}
		await context.close();
	}
	t.report("nothing moves while a page loads", wrong);
}

/* The contents beside a post mark the current section, one at a time. */
async function checkContents(t) {
	const wrong = [];
	const context = await t.browser.newContext({ viewport: { width: 1280, height: 800 } });
	const page = await context.newPage();
	for (const url of t.urls.filter((u) => /^\/posts\/[^/]+\/$/.test(u))) {
		await page.goto(t.base + url);
		const last = await page.$$eval(".toc-side a", (all) => all.at(-1)?.hash);
		if (!last) continue;
		const marked = () => page.$$eval(".toc-side [aria-current]", (all) => all.map((a) => a.hash));
		if ((await marked()).length) wrong.push(`${url}: a section is marked before any is read`);
		await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: "instant" }));
		const follows = await until(page, (hash) => {
			const all = document.querySelectorAll(".toc-side [aria-current]");
			return all.length === 1 && all[0].hash === hash;
		}, last);
		if (!follows) wrong.push(`${url}: at its end '${await marked()}' is marked, not '${last}'`);
	}
	await context.close();
	t.report("the contents follow the reader", wrong);
}

async function checkShare(t) {
	const wrong = [];
	const context = await t.browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
	const page = await context.newPage();
	for (const url of t.urls.filter((u) => /^\/(zh\/)?posts\/[^/]+\/$/.test(u))) {
		await page.goto(t.base + url);
		const before = await page.locator(".post-share button").getAttribute("aria-label");
		await page.locator(".post-share button").click();
		if (!(await until(page, (label) => document.querySelector(".post-share button").ariaLabel !== label, before))) wrong.push(`${url}: the button does not say that it has copied`);
		const copied = await page.evaluate(() => navigator.clipboard.readText());
		const link = await page.$eval("link[rel=canonical]", (e) => e.href);
		if (copied !== link) wrong.push(`${url}: copied '${copied}'`);
		if (!(await page.$(".post-share a[href^='mailto:']"))) wrong.push(`${url}: no letter`);
	}
	await context.close();
	t.report("the link of a post can be copied", wrong);
}

/*
 * A post's text begins on the first screen, below its title, its answer, one line of provenance and its key
 * result; three take-aways stand beside that on a wide window, and after the first paragraph on a phone.
 */
const FIRST = [{ width: 1440, height: 900, most: 430 }, { width: 390, height: 844, most: 560 }];
async function checkHeads(t) {
	const wrong = [];
	for (const { width, height, most } of FIRST) {
		const context = await t.browser.newContext({ viewport: { width, height } });
		const page = await context.newPage();
		for (const url of [...t.urls, ...t.shallow].filter((u) => /^\/(zh\/)?posts\/[^/]+\/$/.test(u))) {
			await page.goto(t.base + url);
			const at = await page.evaluate(() => {
				const box = (s) => document.querySelector(s)?.getBoundingClientRect();
				const text = box(".prose p"), takes = box(".takeaways");
				return {
					top: Math.round(text.top), beside: takes?.left >= text.right && takes.top < text.top, after: takes?.top >= text.bottom,
					takes: document.querySelectorAll(".takeaways li").length, provenance: Boolean(document.querySelector(".meta a[href='#provenance']")),
					measured: Boolean(document.querySelector("#provenance ~ details .conditions")),
				};
			});
			if (at.top > most) wrong.push(`${url} at ${width} px: the text begins at ${at.top} px, not by ${most}`);
			if (at.takes !== 3 || !(width < 992 ? at.after : at.beside)) wrong.push(`${url} at ${width} px: ${at.takes} take-aways, or not where they belong`);
			if (at.provenance !== at.measured) wrong.push(`${url}: the line of provenance and the section do not go together`);
		}
		await context.close();
	}
	t.report("posts begin with their ideas", wrong);
}

/*
 * No page is longer than 25 screens of a phone: long listings, ladders and lists of cases fold. Every page of a
 * text is measured; of pages that are made from records, the largest files of each kind stand for the others.
 */
const SCREENS = 25, PHONE = { width: 390, height: 844 }, LARGEST = 3;
const written = (u) => /^\/(zh\/)?((posts|kernels|handbook)\/[^/]+\/|[^/]*\/?)$/.test(u);
async function checkLengths(t) {
	const wrong = [];
	const kinds = new Map();
	for (const u of [...t.urls, ...t.shallow]) kinds.set(kindOf(u), [...(kinds.get(kindOf(u)) ?? []), u]);
	const bytes = (u) => statSync(`${t.site}${u}${u.endsWith("/") ? "index.html" : ""}`).size;
	const page = await t.browser.newPage({ viewport: PHONE });
	for (const all of kinds.values())
		for (const [i, url] of all.sort((a, b) => bytes(b) - bytes(a)).entries()) {
			if (i >= LARGEST && !written(url)) continue;
			await page.goto(t.base + url);
			const screens = await page.evaluate((height) => document.documentElement.scrollHeight / height, PHONE.height);
			if (screens > SCREENS) wrong.push(`${url} has ${screens.toFixed(1)} screens`);
		}
	await page.close();
	t.report(`no page is longer than ${SCREENS} screens of a phone`, wrong);
}

/* What a phone folds opens without a script, by one tap or by a link into it, and paper has all of it. */
async function checkFolds(t) {
	const wrong = [], context = await t.browser.newContext({ viewport: PHONE, javaScriptEnabled: false });
	const page = await context.newPage();
	let listings = 0, ladders = 0, folds = 0;
	for (const url of [...t.urls, ...t.shallow].filter((u) => /^\/(zh\/)?posts\/[^/]+\/$/.test(u))) {
		await page.goto(t.base + url);
		const of = async (shown) => {
			for (const label of await page.locator(".unfold").all())
				if (await label.isVisible() && await label.evaluate((e, s) => Boolean(e.parentElement.querySelector(s)), shown)) return label;
			return null;
		};
		const listing = await of(".rest"), ladder = await of(".ladder .idea");
		for (const [label, inner, count] of [[listing, ".rest", () => listings++], [ladder, ".ladder .idea", () => ladders++]]) {
			if (!label) continue;
			count();
			const seen = () => label.evaluate((e, s) => [...e.parentElement.querySelectorAll(s)].filter((x) => x.innerText.trim() && x.getClientRects().length && getComputedStyle(x).fontSize !== "0px").length, inner);
			const all = await label.evaluate((e, s) => e.parentElement.querySelectorAll(s).length, inner);
			if (await seen()) wrong.push(`${url}: ${inner} is not folded`);
			await page.emulateMedia({ media: "print" });
			if ((await seen()) * 2 < all) wrong.push(`${url}: paper lacks ${inner}`);
			await page.emulateMedia({ media: null });
			await label.click();
			if ((await seen()) * 2 < all) wrong.push(`${url}: a tap does not show ${inner}`);
		}
		const inside = await page.$$eval("details.more", (all) => all.map((d) => d.querySelector("[id]")?.id).find((id) => id));
		if (inside) {
			folds++;
			await page.goto(`${t.base}${url}#${inside}`);
			if (!(await page.$eval(`details.more:has([id="${inside}"])`, (d) => d.open))) wrong.push(`${url}#${inside} does not open its fold`);
		}
	}
	if (!listings || !ladders || !folds) wrong.push(`only ${listings} listings, ${ladders} ladders and ${folds} folds were tried`);
	await context.close();
	t.report("folds of a phone open without scripts", wrong);
}

export async function checkLayout(t) {
	await checkLengths(t);
	await checkFolds(t);
	await checkHeads(t);
	await checkContents(t);
	await checkShare(t);
}
