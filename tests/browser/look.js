/*
 * look.js - compares the look of pages of each kind with the accepted one: positions and
 * widths of blocks on a phone and on a desktop, their fonts and colours in light and dark.
 * Screenshots would differ between machines by their fonts, and from day to day by their
 * numbers; this does not. BLESS=1 accepts the present look (look.json); read the difference
 * before you commit it. To add an element, add it to `BLOCKS`, if every page of the kind
 * has it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { pagesOfKinds } from "./lighthouse.js";

const REFERENCE = new URL("look.json", import.meta.url);
const NEAR_PX = 2;
const WIDTHS = { phone: 390, desk: 1440 };
const FRAME = [".site-head", "main", "main h1", ".site-foot", ".site-nav a", ".brand"];
const TEXT = [".prose", ".page-head"];
const BLOCKS = {
	home: [".hero", ".cards", ".card h3", ".block-head"],
	post: [...TEXT, ".page-head .dek", ".page-head .meta", ".prose > p", ".post-foot"],
	family: [...TEXT, ".page-head .dek", ".prose figure"],
	run: TEXT,
	number: [...TEXT, ".page-head .dek", ".case-id", ".prose > section"],
	ledger: TEXT,
};

/* In the page: of the first element of each selector its place and its type; words of flowing text have no width of their own. */
function measure(selectors) {
	const flowing = new Set(["a", "span"]);
	return Object.fromEntries(selectors.map((s) => {
		const e = document.querySelector(s);
		if (!e) return [s, null];
		const box = e.getBoundingClientRect(), style = getComputedStyle(e);
		const place = flowing.has(e.localName) ? "" : `${Math.round(box.left + scrollX)} ${Math.round(box.width)} `;
		return [s, `${place}${style.fontFamily.split(",")[0].replaceAll('"', "")} ${style.fontWeight} ${style.fontSize}/${style.lineHeight}`];
	}));
}

function paint(selectors) {
	return Object.fromEntries(selectors.map((s) => {
		const e = document.querySelector(s);
		return [s, e && `${getComputedStyle(e).color} on ${getComputedStyle(document.body).backgroundColor}`];
	}));
}

/* Blocks that stand side by side and may not overlap. */
function meeting() {
	const boxes = [".toc-side", ".prose > p", ".site-nav", ".brand", ".site-search", ".site-lang", ".aside"]
		.flatMap((s) => [...document.querySelectorAll(s)].slice(0, 1).map((e) => [s, e.getBoundingClientRect()]))
		.filter(([, b]) => b.width && b.height);
	return boxes.flatMap(([s, a], i) => boxes.slice(i + 1).filter(([, b]) =>
		a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1).map(([r]) => `${s} and ${r} meet`));
}

/* "16 358 Ridgepoint Sans …": the numbers may be a pixel or two off, the rest may not. */
function alike(a, b) {
	const x = a.split(" "), y = b.split(" ");
	return x.length === y.length && x.every((v, i) => v === y[i] || (/^\d+$/.test(v) && i < 2 && Math.abs(v - y[i]) <= NEAR_PX));
}

function differences(want, got) {
	return Object.keys({ ...want, ...got }).flatMap((s) => {
		const a = want?.[s] ?? "nothing", b = got?.[s] ?? "nothing";
		return alike(a, b) ? [] : [`${s}: ${b}; accepted is ${a}`];
	});
}

export async function checkLook(t) {
	const accepted = process.env.BLESS ? {} : JSON.parse(readFileSync(REFERENCE, "utf8"));
	const found = {};
	for (const [kind, url] of pagesOfKinds(t)) {
		const selectors = [...FRAME, ...BLOCKS[kind]];
		found[kind] = {};
		for (const [name, width] of Object.entries(WIDTHS)) {
			const page = await t.browser.newPage({ viewport: { width, height: 900 }, colorScheme: "light" });
			await page.goto(t.settled + url);
			await page.evaluate(() => document.fonts.ready);
			found[kind][name] = await page.evaluate(measure, selectors);
			const met = await page.evaluate(meeting);
			for (const scheme of ["light", "dark"]) {
				await page.emulateMedia({ colorScheme: scheme });
				found[kind][scheme] = await page.evaluate(paint, selectors);
			}
			await page.close();
			if (!process.env.BLESS)
				t.report(`${url} stands as accepted, ${kind}, ${name}`, [...differences(accepted[kind]?.[name], found[kind][name]), ...met]);
		}
		for (const scheme of ["light", "dark"])
			if (!process.env.BLESS)
				t.report(`${url} is painted as accepted, ${kind}, ${scheme}`, differences(accepted[kind]?.[scheme], found[kind][scheme]));
	}
	if (process.env.BLESS) writeFileSync(REFERENCE, JSON.stringify(found, null, "\t") + "\n");
}
