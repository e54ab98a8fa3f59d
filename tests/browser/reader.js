/*
 * reader.js - a reader's experience: the slash leads to the search, the search finds the best page first, the first
 * visit has our fonts, paper shows the text first, the smallest phone breaks no words, dates or verdicts.
 */
import { LONG_MS, until } from "./pool.js";

const pages = (t) => [...t.urls, ...t.shallow];
const firstOf = (t, kind) => pages(t).find((u) => kind.test(u));

async function checkSlash(t) {
	const wrong = [];
	const kinds = [/^\/$/, /^\/posts\/$/, /^\/posts\/[^/]+\/$/, /^\/kernels\/.+/, /^\/numbers\/.+/, /^\/runs\/.+/, /^\/zh\/posts\/[^/]+\/$/];
	for (const url of kinds.map((k) => firstOf(t, k)).filter(Boolean)) {
		const page = await t.browser.newPage();
		await page.goto(t.base + url);
		await page.keyboard.press("/");
		const to = url.startsWith("/zh/") ? "/zh/search/" : "/search/";
		const led = page.waitForURL((u) => u.pathname === to, { timeout: LONG_MS, waitUntil: "commit" });
		await led.catch(() => wrong.push(`${url}: leads to ${new URL(page.url()).pathname}`));
		await page.close();
	}
	const page = await t.browser.newPage();
	await page.goto(t.base + "/search/");
	await until(page, () => document.activeElement.matches("#search input"));
	await page.keyboard.type("a/b");
	if ((await page.inputValue("#search input")) !== "a/b") wrong.push("in a field it is no letter");
	await page.evaluate(() => document.activeElement.blur());
	await page.keyboard.press("/");
	if (!(await page.evaluate(() => document.activeElement.matches("#search input")))) wrong.push("on its own page it does not lead to the field");
	await page.close();
	t.report("a slash leads to the search", wrong);
}

/* A search for one of these words should find the text that explains it, a post, first. */
const ASKED = {
	"/search/": { softmax: "softmax/", fp8: "norms/", "bank conflict": /the-transpose-staircase|histogram/, cuBLAS: "", decode: "why-decode", "power limit": "zeros" },
	"/zh/search/": { softmax: "softmax/", fp8: "norms/", "存储体冲突": "", cuBLAS: "", "解码": "why-decode", "占用率": "bytes-in-flight" },
};

async function checkRanks(t) {
	const wrong = [];
	const page = await t.browser.newPage();
	for (const [url, words] of Object.entries(ASKED)) {
		if (!t.urls.includes(url)) continue;
		for (const [word, post] of Object.entries(words)) {
			await page.goto(`${t.base}${url}?q=${encodeURIComponent(word)}`);
			await page.waitForFunction(() => document.querySelector(".search-results li")?.querySelector("mark"), null, { timeout: LONG_MS }).catch(() => {});
			const first = await page.evaluate(() => {
				const li = document.querySelector(".search-results li");
				return { to: li?.querySelector("a").getAttribute("href") ?? "", badge: li?.querySelector(".badge")?.textContent ?? "", marks: li?.querySelectorAll("mark").length };
			});
			const right = typeof post === "string" ? first.to.includes(`/posts/${post}`) : post.test(first.to);
			if (!right) wrong.push(`'${word}' finds ${first.to} first`);
			if (!first.badge || !first.marks) wrong.push(`'${word}': no kind or nothing marked`);
		}
	}
	await page.close();
	t.report("the search finds posts first", wrong);
}

/*
 * A first visit with slow style sheets: a font that is asked for in the head is there when the text is set; one that
 * only the style sheet names comes too late, and is left out.
 */
async function checkColdFonts(t) {
	const wrong = [];
	const SLOW = { ".woff2": 200, ".css": 800 }; /* ms */
	const kinds = [/^\/$/, /^\/about/, /^\/kernels\/.+/, /^\/runs\/$/, /^\/zh\/posts\/[^/]+\/$/, /^\/posts\/[^/]+\/$/];
	const urls = [...kinds.map((k) => firstOf(t, k)), "/posts/scan/", "/posts/fusion/"].filter((u) => pages(t).includes(u));
	const coldFonts = async (url) => {
		const wrong = [];
		const context = await t.browser.newContext();
		await context.route(/\.(woff2|css)(\?|$)/, async (route) => {
			const path = new URL(route.request().url()).pathname;
			await new Promise((done) => setTimeout(done, SLOW[path.slice(path.lastIndexOf("."))]));
			await route.continue().catch(() => {});
		});
		const page = await context.newPage();
		page.setDefaultTimeout(LONG_MS);
		if (!(await page.goto(t.base + url).catch(() => null))) {
			await context.close();
			return [`${url}: does not load`];
		}
		await page.evaluate(() => document.fonts.ready);
		const cdp = await context.newCDPSession(page);
		await cdp.send("DOM.enable");
		await cdp.send("CSS.enable");
		const { root } = await cdp.send("DOM.getDocument", { depth: 0 });
		for (const of of url.startsWith("/zh/") ? ["main code"] : ["main em", "main code", "main h1", "main p"]) { /* Chinese is the system's */
			const { nodeId } = await cdp.send("DOM.querySelector", { nodeId: root.nodeId, selector: of });
			if (!nodeId) continue;
			const { fonts } = await cdp.send("CSS.getPlatformFontsForNode", { nodeId });
			if (fonts.length && !fonts.some((f) => f.isCustomFont)) wrong.push(`${url}: ${of} is set in ${fonts.map((f) => f.familyName)}`);
		}
		await context.close();
		return wrong;
	};
	for (const url of urls) {
		const once = await coldFonts(url);
		wrong.push(...(once.length ? await coldFonts(url) : [])); /* a busy machine is slower than the fonts */
	}
	t.report("a first visit has our fonts", wrong);
}

async function checkPaper(t) {
	const wrong = [];
	const SHEET = { width: 660, height: 985 }; /* A4 without its margins, in px */
	const page = await t.browser.newPage({ viewport: SHEET });
	for (const url of t.urls.filter((u) => /^\/posts\/[^/]+\/$/.test(u))) {
		await page.goto(t.base + url);
		await page.emulateMedia({ media: "print" });
		wrong.push(...await page.evaluate(([at, height]) => {
			const top = (s) => document.querySelector(s)?.getBoundingClientRect().top;
			const seen = (s) => [...document.querySelectorAll(s)].some((e) => e.getClientRects().length);
			const marker = (e) => getComputedStyle(e).display === "list-item" && getComputedStyle(e).listStyleType !== "none";
			const margin = [...document.styleSheets].flatMap((s) => [...s.cssRules]).find((r) => r instanceof CSSPageRule)?.style.margin;
			return [
				top(".prose > p") > height / 2 && `the text begins at ${Math.round(top(".prose > p"))} px`,
				top(".conditions") < top(".post-foot") - 4000 && "the conditions are not at the end",
				top(".conditions") < top(".prose") && "the conditions come before the text",
				seen(".banner") && "a banner is printed",
				seen("details.exact") && "exact values are printed",
				[...document.querySelectorAll("summary")].some(marker) && "triangles are printed",
				margin !== "18mm" && `the margin is ${margin}`,
			].filter(Boolean).map((w) => `${at}: ${w}`);
		}, [url, SHEET.height]));
		await page.emulateMedia({ media: "screen" });
	}
	await page.close();
	t.report("on paper the text comes first", wrong);
}

/* In the page: words and dates that are broken or cut off. */
function broken() {
	const pieces = (node) => {
		const range = document.createRange();
		return [...node.textContent.matchAll(/[\p{L}\p{N}.\/-]+/gu)].filter((m) => {
			range.setStart(node, m.index);
			range.setEnd(node, m.index + m[0].length);
			return new Set([...range.getClientRects()].map((r) => Math.round(r.top))).size > 1;
		}).map((m) => m[0]);
	};
	const texts = (e) => {
		const all = [], walk = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
		while (walk.nextNode()) all.push(walk.currentNode);
		return all;
	};
	const parted = (n) => [...n.textContent.matchAll(/\d (%|[TGM]B\/s|[KMG]iB|[mµn]s)(?![\p{L}\d])/gu)].map((m) => m[0]);
	const goesOn = (e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1;
	const twice = (all) => all.filter((text, i) => all.indexOf(text) !== i);
	const han = /\p{Script=Han}/u;
	const whole = [...document.querySelectorAll("table.ladder thead th, .conditions-title a, .runs code, .whole, .prose > p time, .meta time")];
	const cut = [...document.querySelectorAll("table.ladder thead th")].filter((e) => e.getClientRects().length && e.scrollWidth > e.clientWidth + 1);
	return [
		...whole.flatMap(texts).flatMap(pieces).filter((w) => !han.test(w)).map((w) => `'${w}' is broken`),
		...cut.map((e) => `'${e.innerText}' is cut`),
		...[...document.querySelectorAll("span.verdict")].filter((e) => e.getClientRects().length > 1).map((e) => `the verdict '${e.innerText}' is in two pieces`),
		...[...document.querySelectorAll(".prose > p, .prose > :is(ul, ol) > li, .pred-claim")].flatMap(texts).filter((n) => !n.parentElement.closest("code, math")).flatMap(parted).map((w) => `a line may end in '${w}'`),
		...[...document.querySelectorAll(".code > pre, pre.diff")].filter((e) => goesOn(e) && !(parseFloat(getComputedStyle(e).getPropertyValue("--fade")) >= 16)).map((e) => `nothing says that code goes on: '${e.innerText.slice(0, 40)}'`),
		...twice([...document.querySelectorAll(".toc-side a")].map((a) => a.textContent)).map((w) => `'${w}' is twice in the contents`),
		...[...document.querySelectorAll(".series ul")].filter((e) => parseFloat(getComputedStyle(e).paddingLeft) < 12).map(() => "bullets hang off the edge"),
		...(/\d{4}\) [,，;；]/.test(document.querySelector(".since")?.textContent ?? "") ? ["a space before a comma"] : []),
	];
}

async function checkPieces(t) {
	const wrong = [];
	const urls = [...t.urls.filter((u) => /^\/(kernels|posts|zh\/kernels)\/.+/.test(u)), "/runs/", firstOf(t, /^\/compared\/.+/)].filter((u) => pages(t).includes(u));
	for (const width of [320, 390]) {
		const page = await t.browser.newPage({ viewport: { width, height: 800 } });
		for (const url of urls) {
			await page.goto(t.base + url);
			await page.evaluate(() => document.fonts.ready);
			wrong.push(...(await page.evaluate(broken)).map((w) => `${url} at ${width} px: ${w}`));
		}
		await page.close();
	}
	t.report("words, dates and ids stay in one piece on a phone", wrong);
}

async function checkHome(t) {
	const wrong = [];
	const page = await t.browser.newPage();
	for (const url of ["/", "/zh/"].filter((u) => t.urls.includes(u))) {
		await page.goto(t.base + url);
		const { title, shared, brand } = await page.evaluate(() => ({
			title: document.title,
			shared: document.querySelector('meta[property="og:title"]').content,
			brand: document.querySelector(".brand").innerText.trim(),
		}));
		if (title.length < brand.length + 5 || shared !== title) wrong.push(`${url} is called '${title}', shared as '${shared}'`);
	}
	await page.close();
	t.report("the home page's title says what the site is about", wrong);
}

export async function checkReader(t) {
	await checkSlash(t);
	await checkRanks(t);
	await checkColdFonts(t);
	await checkPaper(t);
	await checkPieces(t);
	await checkHome(t);
}
