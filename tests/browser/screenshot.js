/*
 * screenshot.js SITE WORK PAGE OUT.png [WIDTH HEIGHT [dark]] - a picture of a
 * page, for the README: after tests/browser/run.sh,
 * node tests/browser/screenshot.js build/site build/browser /posts/x/ docs/screenshot.png
 */
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { serve } from "./server.js";

const [site, work, page, out, width = "1280", height = "900", scheme = "light"] = process.argv.slice(2);
const { chromium } = createRequire(`${resolve(work)}/package.json`)("playwright-core");
const server = await serve(resolve(site));
const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
	args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
try {
	const tab = await browser.newPage({ viewport: { width: +width, height: +height }, colorScheme: scheme });
	await tab.goto(server.base + page);
	await tab.evaluate(() => document.fonts.ready);
	await tab.screenshot({ path: out });
} finally {
	await browser.close();
	server.close();
}
