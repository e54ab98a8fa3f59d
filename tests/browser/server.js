/* server.js - a folder over HTTP, as a plain web server gives it. */
import { createServer } from "node:http";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const TYPES = {
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml", ".xml": "application/xml; charset=utf-8", ".woff2": "font/woff2", ".png": "image/png",
	".txt": "text/plain; charset=utf-8", ".jsonl": "application/x-ndjson", ".json": "application/json",
};

/* All files below `root`, as paths relative to it, with forward slashes. */
export async function siteFiles(root) {
	const entries = await readdir(root, { recursive: true, withFileTypes: true });
	return entries.filter((e) => e.isFile())
		.map((e) => join(e.parentPath ?? e.path, e.name).slice(root.length + 1));
}

export async function serve(root) {
	const server = createServer(async (req, res) => {
		let path = normalize(decodeURIComponent(new URL(req.url, "http://x").pathname));
		if (path.endsWith("/")) path += "index.html";
		try {
			const body = await readFile(join(root, path));
			res.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" });
			res.end(body);
		} catch {
			res.writeHead(404, { "content-type": "text/plain" });
			res.end("not found");
		}
	});
	await new Promise((done) => server.listen(0, "127.0.0.1", done));
	return { base: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
