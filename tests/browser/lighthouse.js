/*
 * lighthouse.js - Lighthouse, on one page of each kind that readers look at,
 * as a phone on a slow network: at least 99 of 100 in each category. It models
 * the network, but takes the processor as it is: a machine that is busy
 * with something else gets a second and a third try, and the best counts.
 */
import { pathToFileURL } from "node:url";

const LEAST = 99, TRIES = 3, PORT = 9373;
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];

/* One page of each of these, if the site has one. To add a kind: its address. */
export const KINDS = {
	home: /^\/$/, post: /^\/posts\/.+/, family: /^\/kernels\/.+/,
	run: /^\/runs\/.+/, number: /^\/numbers\/.+/, ledger: /^\/predictions\/$/,
};

/* [kind, address] of the first page of each. */
export function pagesOfKinds(t) {
	const all = [...t.urls, ...t.shallow];
	return Object.entries(KINDS).map(([kind, is]) => [kind, all.find((u) => is.test(u))]).filter(([, u]) => u);
}

/* What keeps the page from the score that is asked for; [] if nothing does. */
function faults(lhr) {
	const low = CATEGORIES.filter((c) => Math.round(lhr.categories[c].score * 100) < LEAST);
	return low.map((c) => {
		const why = lhr.categories[c].auditRefs.map((r) => ({ ...lhr.audits[r.id], weight: r.weight }))
			.filter((a) => a.weight > 0 && a.score !== null && a.score < 1)
			.map((a) => `${a.id} ${a.displayValue ?? a.score}`);
		return `${c} ${Math.round(lhr.categories[c].score * 100)}, expected ${LEAST}: ${why.join("; ")}`;
	});
}

export async function checkLighthouse(t) {
	const { default: lighthouse } = await import(pathToFileURL(t.require.resolve("lighthouse")).href);
	const browser = await t.launch([`--remote-debugging-port=${PORT}`]);
	try {
		for (const [kind, url] of pagesOfKinds(t)) {
			let wrong = ["it did not run"];
			for (let i = 0; i < TRIES && wrong.length; i++) {
				const result = await lighthouse(t.base + url, { port: PORT, logLevel: "silent", onlyCategories: CATEGORIES });
				const now = faults(result.lhr);
				if (i === 0 || now.length <= wrong.length) wrong = now;
			}
			t.report(`${url} Lighthouse, ${kind}`, wrong);
		}
	} finally {
		await browser.close();
	}
}
