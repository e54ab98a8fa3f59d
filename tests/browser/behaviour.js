/* behaviour.js - readers' actions: they switch the theme, use the keyboard, print. */
import { readFileSync } from "node:fs";
import { LONG_MS, later, until } from "./pool.js";

const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

async function checkTheme(t) {
	const context = await t.browser.newContext({ colorScheme: "light" });
	const page = await context.newPage();
	const wrong = [];
	await page.goto(t.base + "/");
	const light = await ground(page);
	const toggle = page.locator(".theme-toggle");
	await toggle.click();
	const dark = await ground(page);
	if (dark === light) wrong.push(`the ground stays ${light}`);
	if ((await toggle.getAttribute("aria-pressed")) !== "true") wrong.push("the button does not say that it is pressed");

	/* The next page has the theme before its body exists, so nothing flashes. */
	await page.addInitScript(() => new MutationObserver((_, o) => {
		if (!document.body) return;
		window.themeAtBody = document.documentElement.dataset.theme;
		o.disconnect();
	}).observe(document, { childList: true, subtree: true }));
	await page.goto(t.base + "/posts/");
	if ((await page.evaluate(() => window.themeAtBody)) !== "dark") wrong.push("the next page starts without the theme");
	if ((await ground(page)) !== dark) wrong.push("the next page is not dark");

	await page.locator(".theme-toggle").click();
	if ((await ground(page)) !== light) wrong.push("the way back does not work");
	if (await page.evaluate(() => localStorage.length)) wrong.push("the system's own theme is stored as a choice");
	await context.close();
	t.report("the theme can be switched, and stays", wrong);
}

/* More contrast, if the system asks for it or the reader chooses it; the next page keeps a choice. */
async function checkContrast(t) {
	const wrong = [];
	const ink = (page) => page.evaluate(() => getComputedStyle(document.body).color);
	const usual = await t.browser.newContext({ colorScheme: "light" });
	const page = await usual.newPage();
	await page.goto(t.base + "/");
	const soft = await ink(page);
	await page.locator(".contrast-toggle").click();
	const strong = await ink(page);
	if (strong !== "rgb(0, 0, 0)" || soft === strong) wrong.push(`the ink is ${soft}, then ${strong}`);
	await page.goto(t.base + "/posts/");
	if ((await ink(page)) !== strong) wrong.push("the next page forgets it");
	if ((await page.locator(".contrast-toggle").getAttribute("aria-pressed")) !== "true") wrong.push("the button does not say that it is pressed");
	await page.locator(".contrast-toggle").click();
	if ((await ink(page)) !== soft || (await page.evaluate(() => localStorage.length))) wrong.push("the way back does not work");
	await usual.close();
	const asked = await t.browser.newContext({ colorScheme: "light", contrast: "more" });
	const other = await asked.newPage();
	await other.goto(t.base + "/");
	if ((await ink(other)) !== strong) wrong.push("the system's wish is not heard");
	await asked.close();
	t.report("more contrast can be asked for", wrong);
}

/* A former address leads to the new one: with scripts to the same part, without to its beginning. */
async function checkRedirects(t) {
	const wrong = [];
	const pages = new Set([...t.urls, ...t.shallow]);
	const old = t.files.find((f) => f.endsWith("/index.html") && !pages.has(`/${f.slice(0, -10)}`));
	const html = old ? readFileSync(`${t.site}/${old}`, "utf8") : "";
	for (const javaScriptEnabled of old ? [true, false] : []) {
		const context = await t.browser.newContext({ javaScriptEnabled });
		const page = await context.newPage();
		const to = new URL(/url=([^"]*)"/.exec(html)[1], t.base).href;
		const want = to + (javaScriptEnabled ? "#a-part" : "");
		await page.goto(`${t.base}/${old.slice(0, -10)}#a-part`);
		await page.waitForURL((u) => u.href === want, { timeout: 5000 }).catch(() => wrong.push(`${old}#a-part leads to ${page.url()}, not to ${want}`));
		await context.close();
	}
	t.report("a former address leads on, to the same part", wrong);
}

/* A reader who asks for less motion gets no transition, no animation, no smooth scrolling. */
async function checkMotion(t) {
	const wrong = [];
	const page = await t.browser.newPage({ reducedMotion: "reduce" });
	for (const url of ["/", t.urls.find((u) => /^\/posts\/[^/]+\/$/.test(u)), t.urls.find((u) => u.startsWith("/numbers/"))]) {
		await page.goto(t.base + url);
		wrong.push(...await page.evaluate((at) => [...document.querySelectorAll("*")].flatMap((e) => {
			const s = getComputedStyle(e);
			const moves = [...s.transitionDuration.split(","), ...s.animationDuration.split(",")].some((d) => parseFloat(d) > 0);
			return moves || s.scrollBehavior === "smooth" ? [`${at}: ${e.tagName}.${e.className} moves`] : [];
		}), url));
	}
	await page.close();
	t.report("who asks for less motion gets none", wrong);
}

async function checkKeyboard(t) {
	const page = await t.browser.newPage();
	const wrong = [];
	await page.goto(t.base + "/");
	await page.keyboard.press("Tab");
	const first = await page.evaluate(() => ({ c: document.activeElement.className, top: document.activeElement.getBoundingClientRect().top }));
	if (first.c !== "skip") wrong.push(`the first stop is .${first.c}`);
	if (first.top < 0) wrong.push("the skip link cannot be seen");
	await page.keyboard.press("Enter");
	if ((await page.evaluate(() => document.activeElement.id)) !== "site-content") wrong.push("it does not lead to the content");
	await page.keyboard.press("Tab");
	const seen = await page.evaluate(() => {
		const s = getComputedStyle(document.activeElement);
		return s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2;
	});
	if (!seen) wrong.push("the focus cannot be seen");
	await page.close();
	t.report("the keyboard skips to the content and shows where it is", wrong);
}

async function checkPrint(t) {
	const post = t.urls.find((u) => /^\/posts\/[^/]+\/$/.test(u));
	if (!post) return t.report("a post can be printed", ["there is no post"]);
	const page = await t.browser.newPage({ colorScheme: "dark" });
	await page.goto(t.base + post);
	await page.emulateMedia({ media: "print" });
	const wrong = [];
	if (await page.locator(".site-nav").isVisible()) wrong.push("the navigation is printed");
	if ((await ground(page)) !== "rgb(255, 255, 255)") wrong.push("the ground is not white");
	await page.close();
	t.report("a post can be printed", wrong);
}

/* The link to another language keeps the place: the paragraph that is read is at the top there, too. */
async function checkKeepsPlace(t) {
	const page = await t.browser.newPage({ viewport: { width: 1280, height: 800 } });
	for (const url of t.urls.filter((u) => /^\/\w+\/posts\/[^/]+\/$/.test(u) && !u.startsWith("/posts/"))) {
		let wrong = await placeIsLost(page, t, url);
		if (wrong.length) wrong = await placeIsLost(page, t, url); /* a busy machine may scroll late */
		t.report(`${url} the other language, at the same place`, wrong);
	}
	await page.close();
}

/* What is wrong with the link of this page; [] if it keeps the place. */
async function placeIsLost(page, t, url) {
	const wrong = [];
	await page.goto(t.base + url);
	await page.evaluate(() => document.fonts.ready);
	const to = await page.evaluate(() => document.querySelector(".site-lang a")?.getAttribute("href"));
	const id = await page.evaluate(() => new Promise((done) => {
		document.documentElement.style.scrollBehavior = "auto";
		const all = [...document.querySelectorAll(".prose > p[id]")];
		const e = all[Math.floor(all.length / 2)];
		addEventListener("scrollend", () => done(e.id), { once: true });
		setTimeout(done, 10000, e.id); /* it stood there already */
		e.scrollIntoView();
	}));
	await later(page, 800); /* reads, then scrolls up to the link */
	await page.evaluate(() => {
		scrollTo(0, 0);
		document.querySelector(".site-lang a").click();
	});
	await page.waitForURL((u) => u.pathname === to, { timeout: LONG_MS }).catch(() => wrong.push("it does not lead on"));
	const at = new URL(page.url());
	if (at.pathname !== to) wrong.push(`leads to ${at.pathname}, not ${to}`);
	if (at.hash !== `#${id}`) wrong.push(`at ${at.hash || "the top"}, not #${id}`);
	if (!(await page.locator(at.hash || "#none").count())) wrong.push(`${at.hash} is not there`);
	return wrong;
}

const card = (page) => page.evaluate(() => {
	const c = document.getElementById("number-card");
	return c.hidden ? "" : c.innerText;
});
const cardSays = (page, text) => until(page, (wanted) => {
	const c = document.getElementById("number-card");
	return !c.hidden && c.innerText.includes(wanted);
}, text);

/* Checks the card of one number against its JSON: words, a dot for each process, and no selector. */
async function cardOf(page, link, wrong) {
	const at = await link.evaluate((e) => [e.pathname + "number.json", e.dataset.run, e.dataset.n ?? e.hash.slice(1), document.documentElement.lang, e.firstChild.textContent]);
	const [json, run, name, lang, digits] = at;
	await link.hover();
	await cardSays(page, digits);
	const text = await card(page);
	const data = await page.evaluate((url) => fetch(url).then((r) => r.json()), json);
	const n = data.numbers.find((x) => x.name === name);
	const parts = data.run === run ? [data.said[lang].case, data.said[lang].when, n.interval ?? digits, n.said[lang].what.replace("{1}", n.text)] : [data.hardware];
	for (const part of [digits, ...parts]) if (!text.includes(part)) wrong.push(`the card of ${digits} lacks '${part}': ${text}`);
	if (/\w=\w/.test(text)) wrong.push(`the card has a selector: ${text}`);
	const dots = await page.locator("#number-card circle").count();
	if (n?.kind === "value" && n.metric === "bandwidth" && dots !== data.launches.filter((l) => l.median_s).length) wrong.push(`${dots} dots, not one for each process`);
	await page.keyboard.press("Escape");
	if (await card(page)) wrong.push("Escape does not hide it");
	await page.mouse.move(2, 2);
}

async function checkCard(t) {
	const page = await t.browser.newPage({ reducedMotion: "reduce" });
	const wrong = [], refused = [];
	page.on("console", (m) => { if (/Content Security Policy/.test(m.text())) refused.push(m.text()); });
	for (const post of [t.urls.find((u) => /^\/posts\/[^/]+\/$/.test(u)), t.urls.find((u) => /^\/zh\/posts\/[^/]+\/$/.test(u))].filter(Boolean)) {
		await page.goto(t.base + post);
		const told = await page.$('p a.num[title][href*="/numbers/"]');
		const title = await told.getAttribute("title");
		await cardOf(page, told, wrong);
		if ((await told.getAttribute("title")) !== title) wrong.push("the title is not given back");
		for (const kind of ["a.num.ratio", "a.num.percent", ".numbers a.num"]) {
			const link = await page.$(`${kind}[href*="/numbers/"]:not(details *)`);
			if (link) await cardOf(page, link, wrong);
		}
	}

	await page.goto(t.base + t.urls.find((u) => /^\/posts\/[^/]+\/$/.test(u)));
	await page.keyboard.press("Tab"); /* so that the focus is the keyboard's */
	const silent = await page.$('a.num:not([title])[href*="/numbers/"]');
	await silent.evaluate((e) => { for (let d = e.closest("details"); d; d = d.parentElement.closest("details")) d.open = true; });
	await silent.focus();
	const digits = await silent.evaluate((e) => e.firstChild.textContent);
	if (!(await cardSays(page, digits))) wrong.push("the focus does not open it");
	if ((await silent.getAttribute("aria-describedby")) !== "number-card") wrong.push("the link is not described by the card");
	await page.keyboard.press("Tab");
	const gone = await until(page, () => document.activeElement.matches('a.num[href*="/numbers/"]') || document.getElementById("number-card").hidden);
	if (!gone) wrong.push("it stays when the focus goes");
	await page.close();

	const phone = await t.browser.newPage({ hasTouch: true, viewport: { width: 390, height: 844 } });
	await phone.goto(t.base + t.urls.find((u) => /^\/posts\/[^/]+\/$/.test(u)));
	await phone.locator('p a.num[href*="/numbers/"]').first().tap();
	if (!(await phone.waitForURL(/\/numbers\//, { timeout: LONG_MS }).then(() => true, () => false))) wrong.push("a touch does not follow the link");
	await phone.close();
	t.report("a number tells the essentials to pointer and keyboard", [...wrong, ...refused]);
}

/* A prediction is one row until it is opened, and complete without scripts. */
async function checkPrediction(t) {
	for (const [width, most, script] of [[1440, 52, true], [390, 150, true], [1440, 52, false]]) {
		const page = await t.browser.newPage({ viewport: { width, height: 900 }, javaScriptEnabled: script });
		const wrong = [];
		let seen = 0;
		for (const url of t.urls.filter((u) => /^\/(zh\/)?posts\/[^/]+\/$/.test(u))) {
			await page.goto(t.base + url);
			await page.evaluate(() => { for (const e of document.querySelectorAll("details:has(figure.prediction)")) e.open = true; }); // an author's box
			const rows = page.locator("figure.prediction");
			for (let i = 0; i < await rows.count(); i++, seen++) {
				const row = rows.nth(i), said = await row.locator("summary").innerText();
				const height = (await row.boundingBox()).height;
				if (height > most) wrong.push(`${url}: ${height} px high, '${said}'`);
				const measured = await row.locator(".pred-measured").all();
				const both = measured[0] && [await row.locator(".pred-both").boundingBox(), await measured[0].boundingBox()];
				if (both && Math.abs(both[0].y - both[1].y) > 24) wrong.push(`${url}: the measurement is not in the row, '${said}'`);
				if (await row.locator("summary a").count()) wrong.push(`${url}: a link within the summary, '${said}'`);
				if (!(await row.locator(".verdict").isVisible())) wrong.push(`${url}: no verdict, '${said}'`);
				if (/\w=\w|CSV/.test(said)) wrong.push(`${url}: a selector or a file, '${said}'`);
				const ends = await row.locator(".pred .tick").allTextContents();
				if (await row.locator(".pred").count() && (ends.length !== 2 || ends[0] === ends[1])) wrong.push(`${url}: the scale's ends are '${ends}'`);
				if (i) continue;
				await row.locator(".pred-claim").click();
				if (!(await row.locator(".proof").isVisible())) wrong.push(`${url}: it does not open`);
			}
		}
		await page.close();
		t.report(`predictions are rows that open, ${width} px${script ? "" : ", no scripts"} (${seen})`, seen ? wrong : ["there is none"]);
	}
}

/* The switch shows intervals and states of all numbers; the next page keeps it, and the way back works. */
async function checkEvidence(t) {
	const context = await t.browser.newContext();
	const page = await context.newPage();
	const wrong = [], post = t.urls.find((u) => /^\/posts\/[^/]+\/$/.test(u));
	const interval = () => page.evaluate(() => {
		const e = document.querySelector("p a.num[data-ci]");
		return [getComputedStyle(e, "::after").content, e.dataset.ci];
	});
	const on = () => page.evaluate(() => document.documentElement.dataset.evidence === "on");
	await page.goto(t.base + post);
	if ((await interval())[0] !== "none") wrong.push(`an interval is shown before: ${(await interval())[0]}`);
	await page.locator(".evidence-toggle").click();
	const [shown, ci] = await interval();
	if (!(await on()) || !shown.includes(ci)) wrong.push(`the interval ${ci} is not shown: ${shown}`);
	if ((await page.locator(".evidence-toggle").getAttribute("aria-pressed")) !== "true") wrong.push("the button does not say that it is pressed");
	await page.reload();
	if (!(await on()) || !(await interval())[0].includes(ci)) wrong.push("the next page forgets it");
	await page.locator(".evidence-toggle").click();
	if ((await on()) || (await interval())[0] !== "none") wrong.push("the way back does not work");
	await context.close();
	t.report("the evidence of a page can be switched on, and stays", wrong);
}

/* The button copies the code, and nothing that the page adds to it. */
async function checkCopy(t) {
	const context = await t.browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
	const page = await context.newPage();
	const wrong = [];
	for (const url of t.urls.filter((u) => /^\/(zh\/)?posts\/[^/]+\/$/.test(u))) {
		await page.goto(t.base + url);
		const block = await page.$(".prose .code");
		if (!block) continue;
		await block.evaluate((e) => { for (let d = e.closest("details"); d; d = d.parentElement.closest("details")) d.open = true; });
		const button = await block.$("button.copy");
		const before = await button.getAttribute("aria-label");
		const says = until(page, ([e, was]) => e.getAttribute("aria-label") !== was, [button, before]); /* for a while */
		await button.click();
		if (!(await says)) wrong.push(`${url}: the button does not say that it has copied`);
		const copied = await page.evaluate(() => navigator.clipboard.readText());
		const code = await block.evaluate((e) => [...e.querySelectorAll("code")].map((code) => {
			const plain = code.cloneNode(true);
			for (const note of plain.querySelectorAll("a.note")) note.remove();
			return plain.textContent;
		}).join("\n"));
		if (copied.replace(/\s+/g, "") !== code.replace(/\s+/g, "")) wrong.push(`${url}: copied '${copied.slice(0, 60)}…'`);
	}
	await context.close();
	t.report("code can be copied", wrong);
}

export async function checkBehaviour(t) {
	await checkTheme(t);
	await checkContrast(t);
	await checkMotion(t);
	await checkRedirects(t);
	await checkKeyboard(t);
	await checkPrint(t);
	await checkKeepsPlace(t);
	await checkCard(t);
	await checkPrediction(t);
	await checkEvidence(t);
	await checkCopy(t);
}
