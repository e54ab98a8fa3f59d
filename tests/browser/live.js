/* live.js - the preview in a browser: it goes to the post that is saved, and keeps the place. */
import { spawn } from "node:child_process";
import { appendFile, cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

async function startPreview(folder) {
	const golden = "tests/golden";
	await cp(`${golden}/whole-site/site`, folder, { recursive: true });
	for (const look of ["templates", "static"]) await cp(`${golden}/look/${look}`, join(folder, look), { recursive: true });
	const preview = spawn(resolve(process.env.BUILD ?? "build", "site-gen"), ["serve", "--port", "0"], { cwd: folder });
	let said = "";
	preview.stdout.on("data", (d) => { said += d; });
	for (let i = 0; i < 200 && !said.includes("built in"); i++) await new Promise((done) => setTimeout(done, 50));
	return { preview, url: /http:\S+(?=\/ )/.exec(said)?.[0] ?? "" };
}

async function checkFollows(page, url, file, wrong) {
	const save = (text) => appendFile(file, text);
	const lands = (what, where) => page.waitForURL(url + where, { timeout: 5000 }).catch(() => wrong.push(`${what}: at ${page.url()}, not ${where}`));
	await page.goto(url + "/about/");
	await save(`\n${"Text.\n\n".repeat(60)}\n## Far down {#far}\n\nText.\n`);
	await lands("after a save", "/posts/first/#far");

	await page.evaluate(() => scrollTo(0, 300));
	const again = page.waitForEvent("load", { timeout: 5000 });
	await save(`\n${"More.\n\n".repeat(60)}\n`);
	await again.catch(() => wrong.push("the page does not reload"));
	await page.waitForFunction(() => document.getElementById("far").getBoundingClientRect().top < innerHeight, null, { timeout: 3000 })
		.catch(() => wrong.push("the section that was edited is out of sight"));
	const top = await page.evaluate(() => { scrollBy(0, 200); return scrollY; });
	const third = page.waitForEvent("load", { timeout: 5000 });
	await save("Once more.\n");
	await third;
	await page.waitForTimeout(300);
	const now = await page.evaluate(() => scrollY);
	if (Math.abs(now - top) > 5) wrong.push(`the place is lost: ${top} before, ${now} after`);

	await page.goto(url + "/about/?stay");
	const stayed = page.waitForEvent("load", { timeout: 5000 });
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
