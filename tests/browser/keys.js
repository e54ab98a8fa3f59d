/*
 * keys.js - using the site with the keyboard alone: every tab stop is visible and in reading order,
 * folded parts unfold, the theme switches, the search finds a page and leads to it.
 */
import { LONG_MS, until } from "./pool.js";

/* The focused element, and how it shows the focus. */
const stop = (page) => page.evaluate(() => {
	const e = document.activeElement;
	if (!e || e === document.body) return null;
	const label = e.labels?.[0], box = e.getBoundingClientRect();
	const name = e.getAttribute("aria-label") ?? (label ?? e).innerText?.trim() ?? "";
	const styles = [e, ...(label ? [label] : [])].map((x) => getComputedStyle(x)); /* a radio's label shows its focus */
	return {
		what: `${e.localName}${e.className && typeof e.className === "string" ? "." + e.className.split(" ").join(".") : ""} '${name.slice(0, 30)}'`,
		shown: styles.some((s) => s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2),
		size: box.width > 0 && box.height > 0,
		inWindow: box.bottom > 0 && box.top < innerHeight,
		part: e.closest("header.site-head") ? 0 : e.closest("main") ? 1 : e.closest("footer.site-foot") ? 2 : -1,
		named: name !== "" || e.querySelector("svg title") !== null,
	};
});

/* From the first stop to the last: the address bar comes after it, where the body has the focus. */
async function walk(t, url, width) {
	const wrong = [];
	const page = await t.browser.newPage({ viewport: { width, height: 800 }, reducedMotion: "reduce" });
	await page.goto(t.base + url);
	let part = -1, stops = 0;
	for (; stops < 4000; stops++) {
		await page.keyboard.press("Tab");
		const at = await stop(page);
		if (!at) break;
		if (!at.shown) wrong.push(`${at.what}: the focus cannot be seen`);
		if (!at.size || !at.inWindow) wrong.push(`${at.what}: has the focus, and is not in the window`);
		if (!at.named) wrong.push(`${at.what}: has no name`);
		if (at.part < part) wrong.push(`${at.what}: comes after what stands below it`);
		part = Math.max(part, at.part);
	}
	if (stops < 5) wrong.push(`only ${stops} stops`);
	if (part !== 2) wrong.push("the foot is never reached");
	await page.close();
	t.report(`${url} can be walked through by keyboard, ${width} px`, wrong);
}

async function checkFolds(t, url) {
	const wrong = [];
	const page = await t.browser.newPage({ viewport: { width: 390, height: 800 } });
	await page.goto(t.base + url);
	const fold = page.locator("main summary").first();
	const isOpen = () => fold.evaluate((e) => e.parentElement.open);
	const before = await isOpen();
	await fold.focus();
	await page.keyboard.press("Enter");
	if ((await isOpen()) === before) wrong.push("Enter does not unfold it");
	await page.keyboard.press("Space");
	if ((await isOpen()) !== before) wrong.push("Space does not fold it again");
	const theme = page.locator(".theme-toggle");
	await theme.focus();
	await page.keyboard.press("Space");
	if ((await theme.getAttribute("aria-pressed")) !== "true") wrong.push("Space does not switch the theme");
	await page.close();
	t.report(`${url} what folds and switches does so by keyboard`, wrong);
}

/* From any page: to the search, a word, the first result, its page. */
async function checkSearchKeys(t) {
	const wrong = [];
	for (const [from, word] of [["/posts/", "roofline"], ["/zh/posts/", "带宽"]]) {
		if (!t.urls.includes(from)) continue;
		const page = await t.browser.newPage();
		await page.goto(t.base + from);
		await page.locator("a.site-search").focus();
		await page.keyboard.press("Enter");
		await page.waitForURL(/\/search\//, { timeout: LONG_MS });
		if (!(await until(page, () => document.activeElement.matches("#search input")))) wrong.push(`${from}: the field has not the focus`);
		await page.keyboard.insertText(word);
		await page.waitForSelector(".search-results a", { timeout: LONG_MS }).catch(() => wrong.push(`${from}: nothing found for '${word}'`));
		await page.keyboard.press("Tab");
		const to = await page.evaluate(() => (document.activeElement.closest(".search-results") ? document.activeElement.getAttribute("href") : null));
		if (!to) {
			wrong.push(`${from}: the next stop is no result`);
		} else {
			await page.keyboard.press("Enter");
			await page.waitForURL((u) => u.pathname === to.split(/[#?]/)[0], { timeout: LONG_MS }).catch(() => wrong.push(`${from}: Enter does not lead to ${to}`));
		}
		await page.close();
	}
	t.report("the search works by keyboard", wrong);
}

export async function checkKeys(t) {
	const post = t.urls.find((u) => /^\/posts\/[^/]+\/$/.test(u));
	for (const url of ["/", post, "/handbook/", "/search/"].filter((u) => t.urls.includes(u)))
		for (const width of [390, 1440]) await walk(t, url, width);
	await checkFolds(t, post);
	await checkSearchKeys(t);
}
