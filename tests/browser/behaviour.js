/* behaviour.js - readers' actions: they switch the theme, use the keyboard, print. */
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

/* A reader who asks for less motion gets no transition, no animation, no smooth scrolling. */
async function checkMotion(t) {
	const wrong = [];
	const page = await t.browser.newPage({ reducedMotion: "reduce" });
	for (const url of ["/", t.urls.find((u) => /^\/posts\/.+/.test(u)), t.urls.find((u) => u.startsWith("/numbers/"))]) {
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
	const post = t.urls.find((u) => /^\/posts\/.+/.test(u));
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
	for (const url of t.urls.filter((u) => /^\/\w+\/posts\/.+/.test(u) && !u.startsWith("/posts/"))) {
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
		t.report(`${url} the other language, at the same place`, wrong);
	}
	await page.close();
}

const card = (page) => page.evaluate(() => {
	const c = document.getElementById("number-card");
	return c.hidden ? "" : c.innerText;
});
const cardSays = (page, text) => until(page, (wanted) => {
	const c = document.getElementById("number-card");
	return !c.hidden && c.innerText.includes(wanted);
}, text);

async function checkCard(t) {
	const post = t.urls.find((u) => /^\/posts\/.+/.test(u));
	const page = await t.browser.newPage({ reducedMotion: "reduce" });
	const wrong = [];
	await page.goto(t.base + post);
	const told = await page.$('p a.num[title][href*="/numbers/"]');
	const title = await told.getAttribute("title");
	await told.hover();
	await cardSays(page, "");
	const shown = await card(page);
	for (const part of title.split("; ")) if (!shown.includes(part)) wrong.push(`the card lacks '${part}': ${shown}`);
	if ((await told.getAttribute("aria-describedby")) !== "number-card") wrong.push("the link is not described by the card");
	await page.keyboard.press("Escape");
	if (await card(page)) wrong.push("Escape does not hide it");
	if ((await told.getAttribute("title")) !== title) wrong.push("the title is not given back");
	await page.mouse.move(2, 2);

	await page.keyboard.press("Tab"); /* so that the focus is the keyboard's */
	const silent = await page.$('a.num:not([title])[href*="/numbers/"]');
	await silent.evaluate((e) => { for (let d = e.closest("details"); d; d = d.parentElement.closest("details")) d.open = true; });
	const answered = page.waitForResponse((r) => r.url().endsWith("/number.json"), { timeout: LONG_MS });
	await silent.focus();
	await answered;
	const digits = await silent.evaluate((e) => e.firstChild.textContent);
	await cardSays(page, digits);
	const fetched = await card(page);
	if (!fetched.includes(digits) || !/processes/.test(fetched)) wrong.push(`in a table, the card says '${fetched}'`);
	await page.keyboard.press("Tab");
	const gone = await until(page, () => document.activeElement.matches('a.num[href*="/numbers/"]') || document.getElementById("number-card").hidden);
	if (!gone) wrong.push("it stays when the focus goes");
	await page.close();
	t.report("a number tells the essentials to pointer and keyboard", wrong);
}

/* The button copies the code, and nothing that the page adds to it. */
async function checkCopy(t) {
	const context = await t.browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
	const page = await context.newPage();
	const wrong = [];
	for (const url of t.urls.filter((u) => /^\/(zh\/)?posts\/.+/.test(u))) {
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
		const code = await block.evaluate((e) => [...e.querySelectorAll("code")].map((c) => c.innerText).join(""));
		if (copied.replace(/\s+/g, "") !== code.replace(/\s+/g, "")) wrong.push(`${url}: copied '${copied.slice(0, 60)}…'`);
	}
	await context.close();
	t.report("code can be copied", wrong);
}

export async function checkBehaviour(t) {
	await checkTheme(t);
	await checkContrast(t);
	await checkMotion(t);
	await checkKeyboard(t);
	await checkPrint(t);
	await checkKeepsPlace(t);
	await checkCard(t);
	await checkCopy(t);
}
