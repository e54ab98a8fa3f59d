/*
 * sort.js - a table that its author marked sorts by the value of its cells, with the keyboard alone; so does the
 * scoreboard, which keeps its order in the address. Without scripts both are whole.
 */
import { readFileSync } from "node:fs";

const TABLE = "table.sorts";

/* The first table: its rows as texts, the values of a column, and what its heads say of the order. */
const seen = (page, table, column) => page.locator(table).first().evaluate((e, i) => ({
	rows: [...e.tBodies[0].rows].map((r) => r.textContent),
	values: [...e.tBodies[0].rows].map((r) => r.cells[i].dataset.sort),
	said: [...e.tHead.rows[0].cells].map((h) => h.getAttribute("aria-sort") ?? ""),
	boxes: [...e.rows, ...e.tHead.rows[0].cells, ...[...e.querySelectorAll(".sort")].map((s) => {
		const text = document.createRange();
		text.selectNodeContents(s);
		return text;
	})].map((x) => x.getBoundingClientRect().toJSON()),
}), column);

const isSorted = (values, up) => {
	const numbers = values.filter((v) => v !== undefined).map(Number);
	const inOrder = numbers.every((v, i) => !i || (up ? numbers[i - 1] <= v : numbers[i - 1] >= v));
	return inOrder && values.findLastIndex((v) => v !== undefined) === numbers.length - 1;
};

/* Enter and Space on the last head: down, up, and as the author has it. */
async function checkKeys(page, wrong) {
	const buttons = page.locator(`${TABLE} >> nth=0`).locator("thead button.sort");
	const last = (await buttons.count()) - 1;
	const column = await buttons.nth(last).evaluate((b) => b.closest("th").cellIndex);
	const own = await seen(page, TABLE, column);
	const press = async (key, want, up) => {
		await page.keyboard.press(key);
		const now = await seen(page, TABLE, column);
		if (now.said.filter(Boolean).join() !== want || now.said[column] !== want) wrong.push(`${key}: the heads say '${now.said.join()}', expected '${want}' of column ${column}`);
		if (want && !isSorted(now.values, up)) wrong.push(`${key}: ${want} has ${now.values.join()}`);
		if (!(await buttons.nth(last).evaluate((b) => b === document.activeElement))) wrong.push(`${key} loses the focus`);
		return now;
	};
	if (own.said.some(Boolean)) wrong.push("it says that it is sorted, and nobody has sorted it");
	await buttons.nth(last).focus();
	await press("Enter", "descending", false);
	await press("Space", "ascending", true);
	const back = await press("Enter", "", false);
	if (back.rows.join() !== own.rows.join()) wrong.push("the third time does not give the author's order back");
	await press("Enter", "descending", false);
	await buttons.first().click();
	const other = await seen(page, TABLE, column);
	if (other.said.filter(Boolean).length !== 1 || other.said[column]) wrong.push(`after another head they say '${other.said.join()}'`);
	if ([...other.rows].sort().join() !== [...own.rows].sort().join()) wrong.push("rows are lost");
}

/* The script moves nothing: the same page with its buttons, and with what stands there before. No font comes late. */
async function checkStill(t, url, width, wrong) {
	const boxes = [];
	for (const has of [true, false]) {
		const page = await t.browser.newPage({ viewport: { width, height: 844 } });
		if (!has) await page.route(/sort\.js/, (r) => r.abort());
		await page.goto(t.fontless + url);
		if (((await page.locator("thead button.sort").count()) > 0) !== has) wrong.push(`${has ? "no" : "a"} head is a button`);
		boxes.push(JSON.stringify((await seen(page, TABLE, 0)).boxes));
		await page.close();
	}
	if (boxes[0] !== boxes[1]) wrong.push(`its boxes move at ${width} px`);
}

async function checkPlain(t, url, wrong) {
	const plain = await t.browser.newContext({ javaScriptEnabled: false });
	const page = await plain.newPage();
	await page.goto(t.base + url);
	if (await page.locator("thead button").count()) wrong.push("without scripts there are buttons");
	const arrow = await page.locator(`${TABLE} .sort`).first().evaluate((e) => getComputedStyle(e, "::after").content);
	if (arrow !== "none") wrong.push(`without scripts there is an arrow, ${arrow}`);
	await plain.close();
}

async function checkPost(t, url) {
	const wrong = [];
	await checkPlain(t, url, wrong);
	for (const width of [1280, 390]) {
		const page = await t.browser.newPage({ viewport: { width, height: 844 } });
		await page.goto(t.base + url);
		await checkStill(t, url, width, wrong);
		await checkKeys(page, wrong);
		await page.close();
	}
	t.report(`${url} a table can be sorted`, wrong);
}

async function checkBoard(t) {
	const wrong = [], board = "table.board", url = "/kernels/", page = await t.browser.newPage();
	await page.goto(t.base + url);
	const share = page.locator(`${board} >> nth=0`).locator(".by-share button");
	const column = await share.evaluate((b) => b.closest("th").cellIndex);
	const is = async (up, how) => {
		const now = await seen(page, board, column);
		if (now.said[column] !== (up ? "ascending" : "descending") || !isSorted(now.values, up)) wrong.push(`${how}: the head says ${now.said[column]}, the column ${now.values.join()}`);
	};
	await is(false, "at first");
	await share.click();
	await is(true, "turned around");
	await page.reload();
	await is(true, "after a reload");
	if (!new URL(page.url()).searchParams.has("up")) wrong.push(`the address does not keep the order: ${page.url()}`);
	await page.close();
	t.report(`${url} the scoreboard can be sorted`, wrong);
}

export async function checkSort(t) {
	const html = (u) => readFileSync(`${t.site}${u}index.html`, "utf8");
	const posts = t.urls.filter((u) => /\/posts\/[^/]+\/$/.test(u) && /<table class="([^"]* )?sorts"/.test(html(u)));
	if (!posts.length) t.report("a table can be sorted", ["no post has one"]);
	for (const url of posts) await checkPost(t, url);
	await checkBoard(t);
}
