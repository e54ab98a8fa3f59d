/*
 * pool.js - several things at a time, and waiting for what will come. Nothing here or in the checks measures how long
 * something takes: LONG_MS ends what never comes, on any machine that is alive.
 */
import { availableParallelism } from "node:os";

export const LONG_MS = 60000;

/* Calls of the list, begun in its order: one more than there are processors, since each waits now and then. */
export async function atOnce(calls) {
	const left = [...calls];
	const worker = async () => {
		while (left.length) await left.shift()();
	};
	await Promise.all(Array.from({ length: availableParallelism() + 1 }, worker));
}

/* Whether `holds(arg)`, which runs in the page, comes true. */
export const until = (page, holds, arg) =>
	page.waitForFunction(holds, arg, { timeout: LONG_MS }).then(() => true, () => false);

/* A call of the page's timer: those that the page set before, for less, were called. */
export const later = (page, ms) => page.evaluate((wait) => new Promise((done) => setTimeout(done, wait)), ms);
