/* plots.js - exploring plots: series, points, the table, the address, the keyboard. */
import { readFileSync } from "node:fs";
import { LONG_MS } from "./pool.js";

const shown = (page, s) => page.locator(`#target svg.plot.wide .line.${s}`).first().isVisible();
const card = (page) => page.evaluate(() => {
	const c = document.getElementById("plot-card");
	return c.hidden ? "" : c.innerText;
});

/* The figure with a table of exact values and the most series on the page is the target. */
const choose = (page) => page.evaluate(() => {
	const figures = [...document.querySelectorAll("figure.bench:has(.plot-series):has(svg.plot .line):has(.exact)")];
	figures.sort((a, b) => b.querySelectorAll(".plot-series button").length - a.querySelectorAll(".plot-series button").length);
	const f = figures[0];
	if (!f) return null;
	const target = document.createElement("div");
	target.id = "target";
	f.before(target);
	target.append(f);
	for (const d of f.querySelectorAll("details")) d.open = true;
	return { id: f.id, s: f.querySelector(".plot-series button").dataset.s, name: f.querySelector(".plot-series button").dataset.name };
});

/* Whether the page of a figure has a plot with three lines, and the table of exact values. */
function ofFigure(t, url) {
	if (!/^\/posts\/[^/]+\/fig\//.test(url)) return false;
	const html = readFileSync(`${t.site}${url}index.html`, "utf8");
	return html.includes('<details class="exact"') && new Set(html.match(/class="line [^"]+/g)).size >= 3;
}

async function checkSeries(t, page, plot, wrong) {
	const button = page.locator("#target .plot-series button").first();
	if (!(await shown(page, plot.s))) wrong.push("a series is hidden at first");
	await button.click();
	if (await shown(page, plot.s)) wrong.push("its button does not hide it");
	if ((await button.getAttribute("aria-pressed")) !== "false") wrong.push("the button does not say so");
	const hash = new URL(page.url()).hash;
	if (hash !== `#${plot.id}:hide=${encodeURIComponent(plot.name)}`) wrong.push(`the address says '${hash}'`);
	const again = await t.browser.newPage({ viewport: { width: 1280, height: 900 } });
	await again.goto(page.url());
	const pressed = await again.locator(`#${plot.id} .plot-series button`).first().getAttribute("aria-pressed");
	if (pressed !== "false") wrong.push("the address does not bring it back");
	await again.close();
	await button.click();
	if (!(await shown(page, plot.s))) wrong.push("it does not come back");
	if (new URL(page.url()).hash) wrong.push("the address keeps what is not hidden");
}

// The first point of a series that no other point lies on.
async function openPoint(page, s) {
	const points = page.locator(`#target svg.plot.wide a:has(.pt.${s})`);
	for (const point of await points.all()) {
		await point.locator("circle").scrollIntoViewIfNeeded();
		const open = await point.evaluate((a) => {
			const r = a.querySelector("circle").getBoundingClientRect();
			return a.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2));
		});
		if (open) return point;
	}
	return points.first();
}

async function checkPoints(page, plot, wrong) {
	const point = await openPoint(page, plot.s);
	const title = await point.getAttribute("aria-label");
	await point.locator("circle").hover();
	const [, value, state = ""] = /^(.*?)(?: \((.*)\))?$/.exec(title.split("; ")[0].split(": ").pop().split(", ")[0]);
	const says = await card(page);
	if (!value || !says.startsWith(value) || !says.includes(state)) wrong.push(`a point says '${says}', not '${value}' and '${state}'`);
	if (!/\d[–-]\d|±/.test(says)) wrong.push(`no interval in '${says}'`);
	const row = await page.evaluate(() => document.querySelector("#target tr.is-pointed a.num")?.getAttribute("href"));
	if (row !== (await point.getAttribute("href"))) wrong.push("its row is not marked");
	await page.mouse.move(2, 2);
	if (await card(page)) wrong.push("the card stays");
	await page.locator("#target .exact a.num").first().focus();
	if (!(await page.locator("#target svg.plot a.is-pointed").count())) wrong.push("a row does not mark its point");
}

async function checkKeys(page, wrong) {
	await page.locator("#target .plot-series button").first().focus();
	await page.keyboard.press("ArrowRight");
	const first = await card(page);
	await page.keyboard.press("ArrowRight");
	const second = await card(page);
	await page.keyboard.press("ArrowLeft");
	if (!first || first === second) wrong.push("the arrow keys do not walk");
	if ((await card(page)) !== first) wrong.push("nor back");
	await page.keyboard.press("Escape");
	if (await card(page)) wrong.push("Escape does not hide the card");
	await page.locator("#target svg.plot.wide").focus();
	await page.keyboard.press("ArrowRight");
	const start = await card(page);
	await page.keyboard.press("ArrowRight");
	if (!start || (await card(page)) === start) wrong.push("the arrow keys do not walk in the plot");
	if (!(await page.locator("#target svg.plot.wide .is-faded").count())) wrong.push("no other series fades");
	await page.keyboard.press("Escape");
	const stops = await page.locator("#target svg.plot.wide a:not([tabindex='-1'])").count();
	if (stops) wrong.push(`${stops} points are tab stops`);
}

/* Some pixels beside a point, it is read all the same; the card lies outside of the plot. */
async function checkNearest(page, plot, wrong) {
	const box = await page.locator(`#target svg.plot.wide .pt.${plot.s}`).last().boundingBox();
	await page.mouse.move(box.x + box.width / 2 + 20, box.y + box.height / 2 + 24);
	if (!(await card(page))) wrong.push("a point nearby is not read");
	const over = await page.evaluate(() => {
		const c = document.getElementById("plot-card").getBoundingClientRect();
		const s = document.querySelector("#target svg.plot.wide").getBoundingClientRect();
		return c.left < s.right && c.top < s.bottom;
	});
	if (over) wrong.push("the card lies on the plot");
	const faded = page.locator("#target svg.plot.wide .is-faded").first();
	if (!((await faded.evaluate((e) => +getComputedStyle(e).opacity)) <= 0.25)) wrong.push("other series do not fade");
	await page.mouse.move(2, 2);
	if (await page.locator("#target .is-faded").count()) wrong.push("series stay faded");
}

async function checkPlain(t, url, wrong) {
	const context = await t.browser.newContext({ javaScriptEnabled: false });
	const page = await context.newPage();
	await page.goto(t.base + url);
	if (await page.locator(".plot-series").count()) wrong.push("without scripts there are buttons");
	if (!(await page.locator("svg.plot a > title").count())) wrong.push("without scripts points say nothing");
	await context.close();
}

/* In a post the table is on the figure's own page: a point tells its interval all the same. */
async function checkPosts(t) {
	const page = await t.browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
	const wrong = [];
	let at = "";
	for (const url of t.urls.filter((u) => /^\/posts\/[^/]+\/$/.test(u))) {
		await page.goto(t.base + url);
		const link = page.locator("figure.bench:has(svg.plot.wide .pt) .figure-exact a").first();
		const figure = page.locator("figure.bench:has(.figure-exact)");
		const point = figure.locator("svg.plot.wide a:has(.pt) circle").first();
		if (!(await link.isVisible().catch(() => false)) || !(await point.count())) continue;
		at = url;
		await point.hover();
		await page.waitForFunction(() => /\d[–-]\d|±/.test(document.getElementById("plot-card").innerText), null, { timeout: LONG_MS })
			.catch(() => wrong.push("a point tells no interval"));
		await link.click();
		await page.waitForFunction(() => document.querySelector("details.exact")?.open, null, { timeout: LONG_MS })
			.catch(() => wrong.push("the link does not unfold the exact values"));
		break;
	}
	await page.close();
	t.report(`${at} exact values are a link away`, at ? wrong : ["no post has such a link"]);
}

export async function checkPlots(t) {
	await checkPosts(t);
	const page = await t.browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
	let plot = null, at = "";
	for (const url of [...t.urls, ...t.shallow].filter((u) => ofFigure(t, u))) {
		await page.goto(t.base + url);
		plot = await choose(page);
		at = url;
		if (plot) break;
	}
	if (!plot) return t.report("plots can be explored", ["no page has a plot with three lines"]);
	const wrong = [];
	await checkSeries(t, page, plot, wrong);
	await checkPoints(page, plot, wrong);
	await checkNearest(page, plot, wrong);
	await checkKeys(page, wrong);
	await checkPlain(t, at, wrong);
	await page.close();
	t.report(`${at} plots can be explored`, wrong);
}
