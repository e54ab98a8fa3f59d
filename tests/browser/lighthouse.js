/*
 * lighthouse.js - runs Lighthouse on one page of each kind, as a phone on a slow network.
 * Each category must reach 99 of 100. Lighthouse models the network and slows the
 * processor down. A page below 99 is tested again, and its best result counts. If this
 * machine was busy and so slower than at its best, its processor is slowed down less.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const LEAST = 99, TRIES = 6, SLOWER = 4; /* a phone's processor than a desk's */
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];

/* One page of each of these kinds, if the site has one. To add a kind, add its address. */
export const KINDS = {
	home: /^\/$/, post: /^\/posts\/[^/]+\/$/, family: /^\/kernels\/.+/,
	run: /^\/runs\/.+/, number: /^\/numbers\/.+/, ledger: /^\/predictions\/$/,
};

/* [kind, address] of the first page of each. */
export function pagesOfKinds(t) {
	const all = [...t.urls, ...t.shallow];
	return Object.entries(KINDS).map(([kind, is]) => [kind, all.find((u) => is.test(u))]).filter(([, u]) => u);
}

/* Reasons why the page misses the required score; [] if it does not. */
function faults(lhr) {
	const low = CATEGORIES.filter((c) => Math.round(lhr.categories[c].score * 100) < LEAST);
	return low.map((c) => {
		const why = lhr.categories[c].auditRefs.map((r) => ({ ...lhr.audits[r.id], weight: r.weight }))
			.filter((a) => a.weight > 0 && a.score !== null && a.score < 1)
			.map((a) => `${a.id} ${a.displayValue ?? a.score}`);
		return `${c} ${Math.round(lhr.categories[c].score * 100)}, expected ${LEAST}: ${why.join("; ")}`;
	});
}

/* Lighthouse's results from the browser at `port`, and this machine's best speed so far. */
async function asker(t, port) {
	const { default: lighthouse } = await import(pathToFileURL(t.require.resolve("lighthouse")).href);
	let best = 0, now = 0;
	return async (url, again) => {
		const throttling = { cpuSlowdownMultiplier: again ? Math.max(1, SLOWER * now / best) : SLOWER };
		const { lhr } = await lighthouse(t.base + url, { port, logLevel: "silent", onlyCategories: CATEGORIES },
			{ extends: "lighthouse:default", settings: { throttling } });
		now = lhr.environment.benchmarkIndex;
		best = Math.max(best, now);
		return lhr;
	};
}

export async function checkLighthouse(t) {
	const profile = mkdtempSync(join(tmpdir(), "lighthouse-"));
	const browser = await t.launch(["--remote-debugging-port=0"], profile);
	try {
		const ask = await asker(t, Number(readFileSync(join(profile, "DevToolsActivePort"), "utf8").split("\n")[0]));
		for (const [kind, url] of pagesOfKinds(t)) {
			let wrong = ["it did not run"];
			for (let i = 0; i < TRIES && wrong.length; i++) {
				const now = faults(await ask(url, i > 0));
				if (i === 0 || now.length <= wrong.length) wrong = now;
			}
			t.report(`${url} Lighthouse, ${kind}`, wrong);
		}
	} finally {
		await browser.close();
		rmSync(profile, { recursive: true, force: true });
	}
}
