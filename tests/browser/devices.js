/* devices.js - the switch of a page over several devices, with a script and without. */
const POST = "/posts/coalescing/", FAMILY = "/kernels/sectors/";

/* The slugs of the devices whose parts are shown. */
const shown = (page) => page.evaluate(() => [...new Set([...document.querySelectorAll(".article .dev")]
	.filter((e) => e.checkVisibility()).map((e) => e.dataset.device))].sort().join(" "));
/* Names of devices that readers see beside numbers. */
const names = (page) => page.evaluate(() => [...document.querySelectorAll(".article .dev > .dev-name")].filter((e) => e.checkVisibility()).length);

async function checkWithoutScript(t) {
	const context = await t.browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 780 } });
	const page = await context.newPage();
	const wrong = [];
	for (const url of [POST, FAMILY]) {
		await page.goto(t.base + url);
		if ((await shown(page)) !== "h200") wrong.push(`${url} begins with '${await shown(page)}'`);
		if (await names(page)) wrong.push(`${url} says which device beside its numbers, though one is chosen`);
		await page.locator(".device-switch input").first().focus();
		await page.keyboard.press("ArrowRight");
		if ((await shown(page)) !== "h100-80gb-hbm3") wrong.push(`${url}: the arrow key shows '${await shown(page)}'`);
		const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
		if (wide > 0) wrong.push(`${url} is ${wide} px too wide`);
		const ids = await page.evaluate(() => [...document.querySelectorAll("[id]")].map((e) => e.id));
		const twice = ids.filter((id, i) => ids.indexOf(id) !== i);
		if (twice.length) wrong.push(`${url} has twice the id ${twice[0]}`);
	}
	await page.emulateMedia({ media: "print" });
	if ((await shown(page)) !== "h100-80gb-hbm3 h200") wrong.push(`paper shows '${await shown(page)}'`);
	if (!(await names(page))) wrong.push("paper does not name the devices");
	if (await page.locator(".device-switch").isVisible()) wrong.push("paper shows the switch");
	await context.close();
	t.report("a switch shows one device, without a script; paper shows all", wrong);
}

async function checkWithScript(t) {
	const context = await t.browser.newContext();
	const page = await context.newPage();
	const wrong = [];
	await page.goto(t.base + POST);
	const figure = await page.evaluate(() => document.querySelector(".dev-2 figure[id]").id);
	await page.goto(`${t.base}${POST}?device=h100`);
	if ((await shown(page)) !== "h100-80gb-hbm3") wrong.push(`?device=h100 shows '${await shown(page)}'`);
	await page.goto(t.base + FAMILY);
	if ((await shown(page)) !== "h200") wrong.push("an address is kept as if it were a choice");
	await page.locator(".pick-2").check();
	await page.goto(t.base + POST);
	if ((await shown(page)) !== "h100-80gb-hbm3") wrong.push("the next page forgets the choice");
	const alone = await page.evaluate(() => [...document.querySelectorAll(".dev-only.only-1 > .dev-name")].every((e) => e.checkVisibility()));
	if (!alone) wrong.push("a number of the H200 alone does not say so");
	await page.locator(".pick-1").check();
	await page.goto(`${t.base}${POST}#${figure}`);
	await page.waitForFunction(() => document.querySelector(".pick-2").checked, null, { timeout: 5000 })
		.catch(() => wrong.push(`a link to #${figure} does not show the device that it is of`));
	await context.close();
	t.report("an address and a choice select the device", wrong);
}

/* A family's page opens with a result, and the scoreboard names the device of each row that is not its own. */
async function checkFirst(t) {
	const wrong = [], page = await t.browser.newPage();
	let elsewhere = 0;
	for (const url of [...t.urls, ...t.shallow].filter((u) => /^\/kernels\/[^/]+\/$/.test(u))) {
		await page.goto(t.base + url);
		const empty = await page.evaluate(() => document.querySelector(".dev") && !document.querySelector(".dev-1 .lead .num") && document.querySelector(".lead .num"));
		if (empty) wrong.push(`${url} opens on a device without a result`);
	}
	await page.goto(`${t.base}/kernels/`);
	for (const [name, missing, rows] of await page.$$eval(".dev[data-device]", (all) => all.map((d) => [d.dataset.device,
		[...d.querySelectorAll("tr:has(.missing) th a")].map((a) => a.textContent),
		[...d.querySelectorAll("tr.elsewhere")].map((r) => [r.querySelector("th a").textContent, r.dataset.device, r.querySelector("th .badge")?.textContent ?? "", r.querySelector("td.best a")?.pathname ?? ""])]))) {
		for (const m of missing) if (await page.$(`xpath=//tr[not(.//td[contains(@class,"missing")])]/th/a[text()="${m}"]`)) wrong.push(`${name}: '${m}' is missing, and another device has it`);
		for (const [family, device, badge, path] of rows) {
			elsewhere++;
			if (device === name || !badge || !path.startsWith(`/numbers/${device}/`)) wrong.push(`${name}: '${family}' is of ${device}, says '${badge}', links to ${path}`);
		}
	}
	if (!elsewhere) wrong.push("no row of the scoreboard is of another device: nothing was tried");
	await page.close();
	t.report("pages of families open with a result, and rows name their device", wrong);
}

export async function checkDevices(t) {
	await checkFirst(t);
	await checkWithoutScript(t);
	await checkWithScript(t);
}
