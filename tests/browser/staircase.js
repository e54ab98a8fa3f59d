/* staircase.js - a staircase shows one step at a time, and without scripts all of them. */

async function shown(page) {
	return page.locator(".staircase .step").evaluateAll((l) => l.filter((e) => e.checkVisibility()).map((e) => e.id));
}

async function checkMoves(page, ids, wrong) {
	const now = async (want, how) => {
		const have = await shown(page);
		if (have.join() !== want) wrong.push(`${how} shows ${have.join() || "nothing"}, expected ${want}`);
		if (new URL(page.url()).hash !== `#${want}`) wrong.push(`${how} leaves the address at ${page.url()}`);
		const said = await page.locator(".staircase [aria-current=step]").count();
		if (said !== 1) wrong.push(`${how} leaves ${said} current steps`);
	};
	await page.locator(".staircase .next").first().click();
	await now(ids[1], "the button Next");
	await page.keyboard.press("ArrowLeft");
	await now(ids[0], "the left arrow");
	await page.keyboard.press("ArrowLeft");
	await now(ids[0], "the left arrow at the first step");
	await page.keyboard.press(String(ids.length));
	await now(ids.at(-1), "the digit of the last step");
	await page.locator(".staircase .step-tabs button").nth(1).click();
	await now(ids[1], "a tab");
}

export async function checkStaircase(t) {
	const wrong = [], plain = await t.browser.newContext({ javaScriptEnabled: false });
	const still = await plain.newPage(), page = await t.browser.newPage({ reducedMotion: "reduce" });
	let url = null;
	for (const u of t.urls.filter((a) => /\/posts\/[^/]+\/$/.test(a))) {
		await still.goto(t.base + u);
		if (!(await still.locator(".staircase").count())) continue;
		url = u;
		break;
	}
	if (!url) {
		await plain.close();
		await page.close();
		return t.report("a staircase can be climbed", ["no post has one"]);
	}
	const ids = await shown(still);
	if (ids.length < 2) wrong.push(`without scripts it shows ${ids.length} steps`);
	if (await still.locator(".staircase button").count()) wrong.push("without scripts there are buttons");
	await page.goto(t.base + url);
	if ((await shown(page)).join() !== ids[0]) wrong.push(`it begins with ${await shown(page)}`);
	await checkMoves(page, ids, wrong);
	await page.goto("about:blank");
	await page.goto(`${t.base}${url}#${ids.at(-1)}`);
	if ((await shown(page)).join() !== ids.at(-1)) wrong.push("a link to a step does not open it");
	await plain.close();
	await page.close();
	t.report(`${url} a staircase can be climbed`, wrong);
}
