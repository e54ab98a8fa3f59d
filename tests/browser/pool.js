/*
 * pool.js - running several calls at a time, and waiting for conditions. Neither this file nor the checks measure
 * times; LONG_MS only ends a wait for something that never comes.
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

/* Waits for `holds(arg)`, which runs in the page, to become true; false if it never does. */
export const until = (page, holds, arg) =>
	page.waitForFunction(holds, arg, { timeout: LONG_MS }).then(() => true, () => false);

/* A call of the page's timer: those that the page set before, for less, were called. */
export const later = (page, ms) => page.evaluate((wait) => new Promise((done) => setTimeout(done, wait)), ms);
