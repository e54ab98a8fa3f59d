/* live.js - the preview in a browser: goes to the post that was saved, and keeps the place. */
import { spawn } from "node:child_process";
import { appendFile, cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { LONG_MS, later, until } from "./pool.js";

async function startPreview(folder) {
	const golden = "tests/golden";
	await cp(`${golden}/whole-site/site`, folder, { recursive: true });
	for (const look of ["templates", "static"]) await cp(`${golden}/look/${look}`, join(folder, look), { recursive: true });
	const preview = spawn(resolve(process.env.BUILD ?? "build", "site-gen"), ["serve", "--port", "0"], { cwd: folder });
	let said = "";
	preview.stdout.on("data", (d) => { said += d; });
	for (let i = 0; i < LONG_MS / 50 && !said.includes("built in"); i++) await new Promise((done) => setTimeout(done, 50));
	return { preview, url: /http:\S+(?=\/ )/.exec(said)?.[0] ?? "" };
}

/* True once the saved text is there, in a page that has loaded. */
const shows = (page, text) => until(page, (wanted) => document.readyState === "complete" && document.body.innerText.includes(wanted), text);

async function checkFollows(page, url, file, wrong) {
	const save = (text) => appendFile(file, text);
	await page.goto(url + "/about/");
	await save(`\n${"Text.\n\n".repeat(60)}\n## Far down {#far}\n\nText.\n`);
	await page.waitForURL(url + "/posts/first/#far", { timeout: LONG_MS }).catch(() => wrong.push(`after a save: at ${page.url()}`));

	await page.evaluate(() => scrollTo(0, 300));
	await save(`\n${"More here.\n\n".repeat(60)}\n`);
	if (!(await shows(page, "More here."))) wrong.push("the page does not reload");
	if (!(await until(page, () => document.getElementById("far").getBoundingClientRect().top < innerHeight)))
		wrong.push("the section that was edited is out of sight");
	await later(page, 300); /* where the page itself goes after its load */
	const top = await page.evaluate(() => { scrollBy(0, 200); return scrollY; });
	await save("Once more.\n");
	if (!(await shows(page, "Once more."))) wrong.push("it does not reload again");
	await later(page, 300);
	if (!(await until(page, (before) => Math.abs(scrollY - before) <= 5, top))) wrong.push(`the place is lost: ${top} before, ${await page.evaluate(() => scrollY)} after`);

	await page.goto(url + "/about/?stay");
	const stayed = page.waitForEvent("load", { timeout: LONG_MS });
	await save("And more.\n");
	await stayed.catch(() => wrong.push("?stay does not reload"));
	if (!page.url().endsWith("/about/?stay")) wrong.push(`?stay went to ${page.url()}`);
}

export async function checkLive(t) {
	const folder = await mkdtemp(join(tmpdir(), "live-"));
	const { preview, url } = await startPreview(folder);
	const page = await t.browser.newPage({ viewport: { width: 900, height: 600 } });
	const wrong = [];
	page.on("pageerror", (e) => wrong.push(e.message));
	try {
		if (url) await checkFollows(page, url, join(folder, "content/posts/first.md"), wrong);
		else wrong.push("the preview does not start");
	} finally {
		await page.close();
		preview.kill();
		await rm(folder, { recursive: true, force: true });
	}
	t.report("the preview goes where the author works", wrong);
}
