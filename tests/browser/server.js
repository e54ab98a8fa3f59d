/*
 * server.js - serves a folder over HTTP as a deployed site (site-gen config): compressed, with hashed files cached.
 * A browser leaves out a font that comes late until the next page, so a first visit shows one of two pages, by chance.
 * Checks of sizes therefore choose one: `settled` waits for the fonts, `fontless` has none.
 */
import { createServer } from "node:http";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

const TYPES = {
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml", ".xml": "application/xml; charset=utf-8", ".woff2": "font/woff2", ".png": "image/png",
	".txt": "text/plain; charset=utf-8", ".jsonl": "application/x-ndjson", ".json": "application/json",
	".webp": "image/webp", ".jpg": "image/jpeg", ".csv": "text/csv; charset=utf-8", ".md": "text/markdown; charset=utf-8",
};
const COMPRESSED = /^(text\/|application\/(xml|json)|image\/svg)/;

/* All files below `root`, as paths relative to it, with forward slashes. */
export async function siteFiles(root) {
	const entries = await readdir(root, { recursive: true, withFileTypes: true });
	return entries.filter((e) => e.isFile())
		.map((e) => join(e.parentPath ?? e.path, e.name).slice(root.length + 1));
}

/* The path of a request below the root; null if it is no valid path ("//", "%zz"). */
function pathOf(url) {
	try {
		const path = normalize(decodeURIComponent(new URL(url, "http://x").pathname));
		return path.endsWith("/") ? path + "index.html" : path;
	} catch {
		return null;
	}
}

function answer(req, res, path, body) {
	const type = TYPES[extname(path)] ?? "application/octet-stream";
	const packed = COMPRESSED.test(type) && /\bgzip\b/.test(req.headers["accept-encoding"] ?? "");
	res.writeHead(200, {
		"content-type": type,
		"cache-control": req.url.includes("?h=") || type === "font/woff2" ? "public, max-age=31536000, immutable" : "no-cache",
		...(packed && { "content-encoding": "gzip" }),
	});
	res.end(packed ? gzipSync(body) : body);
}

export const settled = (path, body) =>
	(path.endsWith(".css") ? Buffer.from(String(body).replaceAll("font-display: optional", "font-display: block")) : body);
export const fontless = (path, body) => (path.endsWith(".woff2") ? null : body);

/* `change` turns a file's bytes into those to send; null: send "not found". */
export async function serve(root, change = (path, body) => body) {
	const server = createServer(async (req, res) => {
		const path = pathOf(req.url);
		const file = path === null ? null : await readFile(join(root, path)).catch(() => null);
		const body = file && change(path, file);
		if (body !== null) return answer(req, res, path, body);
		res.writeHead(path === null ? 400 : 404, { "content-type": "text/plain" });
		res.end(path === null ? "no path" : "not found");
	});
	await new Promise((done) => server.listen(0, "127.0.0.1", done));
	return { base: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
