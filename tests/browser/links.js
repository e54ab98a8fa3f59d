/*
 * links.js - internal links, anchors and resources lead somewhere; feeds and sitemap are
 * complete. The generator checks its links, too; this test checks the output, through the
 * browser's own parser.
 */
import { readFileSync } from "node:fs";

/* Checks an address as written on page `from`: null if it is fine, else the fault. */
function problem(t, seen, files, from, href) {
	let to;
	try {
		to = new URL(href, t.base + from);
	} catch {
		return `${href}: not an address`;
	}
	if (to.origin !== t.base) return /^(https|mailto):$/.test(to.protocol) ? null : `${href}: expected https`;
	const path = decodeURIComponent(to.pathname);
	const file = (path.endsWith("/") ? path + "index.html" : path).slice(1);
	if (!files.has(file)) return `${href}: no such page`;
	const anchor = decodeURIComponent(to.hash.slice(1));
	const target = seen.get(path);
	return anchor && target && !target.ids.has(anchor) ? `${href}: no such anchor` : null;
}

/*
 * The versions of a page name each other and themselves, in their own language;
 * exactly one of them is for all other readers (hreflang, as search engines ask for it).
 */
function checkVersions(t, pages, own) {
	for (const [url, p] of pages) {
		const here = p.alternates.map((a) => ({ ...a, url: a.href.startsWith(own) ? a.href.slice(own.length) : a.href }));
		if (!here.length) continue;
		const wrong = [];
		const named = here.filter((a) => a.lang !== "x-default");
		if (here.length - named.length !== 1) wrong.push("not one x-default");
		if (!named.some((a) => a.url === url && a.lang === p.lang)) wrong.push("does not name itself");
		for (const a of named) {
			const other = pages.get(decodeURI(a.url)) ?? pages.get(a.url);
			if (!other) wrong.push(`${a.url}: no such page`);
			else if (other.lang !== a.lang) wrong.push(`${a.url} is in '${other.lang}', not '${a.lang}'`);
			else if (!other.alternates.some((b) => b.href === p.canonical)) wrong.push(`${a.url} does not name this page`);
		}
		t.report(`${url} its other languages`, wrong);
	}
}

export function checkLinks(t, pages) {
	const files = new Set(t.files);
	const seen = new Map([...pages].map(([url, p]) => [url, { ...p, ids: new Set(p.ids) }]));
	const config = /<link rel="canonical" href="([^"]*)"/.exec(readFileSync(`${t.site}/index.html`, "utf8"));
	const own = config ? config[1].replace(/\/$/, "") : "\0";
	checkVersions(t, pages, own);
	checkCards(t, own);
	for (const [url, p] of pages) {
		const hrefs = [...new Set([...p.links, ...p.resources])].map((h) => (h.startsWith(own) ? t.base + h.slice(own.length) : h));
		t.report(`${url} links and anchors`, hrefs.map((h) => problem(t, seen, files, url, h)).filter(Boolean));
		t.report(`${url} every id once`, p.ids.filter((id, i) => p.ids.indexOf(id) !== i));
	}
}

/* A page's picture for social cards exists, and has the stated size. */
export function checkCards(t, own) {
	const wrong = new Set();
	let named = 0;
	for (const url of [...t.urls, ...t.shallow]) {
		const html = readFileSync(`${t.site}${url.endsWith("/") ? url + "index.html" : url}`, "utf8");
		const image = /<meta property="og:image" content="([^"]*)">/.exec(html)?.[1];
		if (!image) continue;
		named++;
		if (!image.startsWith(own + "/")) wrong.add(`${url}: ${image} is not on this site`);
		const file = image.slice(own.length + 1);
		if (!t.files.includes(file)) {
			wrong.add(`${url}: there is no ${file}`);
			continue;
		}
		const png = readFileSync(`${t.site}/${file}`);
		const size = `${png.readUInt32BE(16)} ${png.readUInt32BE(20)}`;
		if (png.toString("latin1", 1, 4) !== "PNG" || size !== "1200 630") wrong.add(`${file}: ${size}`);
		const post = /^(.*\/posts\/[^/]+\/)fig\/[^/]+\/$/.exec(url)?.[1];
		if (post && ![url, post].some((u) => file === `${u.slice(1)}card.png`)) wrong.add(`${url} has neither its own card nor that of its post`);
		if (post && !html.includes(`<link rel="canonical" href="${own}${post}">`)) wrong.add(`${url} does not say that ${post} is the original`);
		if (/\/posts\/[^/]+\/$/.test(url) && file !== `${url.slice(1)}card.png`) wrong.add(`${url} has not its own card`);
	}
	t.report("social cards are there", [...wrong, ...(named ? [] : ["no page names one"])]);
}

/* Runs in the browser: what is wrong with an Atom feed (RFC 4287), and its entries' links. */
function readFeed(text) {
	const doc = new DOMParser().parseFromString(text, "application/xml");
	const wrong = [];
	if (doc.querySelector("parsererror")) return { wrong: ["not well-formed"], links: [] };
	const kids = (e, n) => [...e.children].filter((c) => c.localName === n);
	const need = (e, where, names) => names.forEach((n) => { if (!kids(e, n)[0]?.textContent.trim() && n !== "link") wrong.push(`${where}: no ${n}`); });
	const feed = doc.documentElement;
	if (feed.namespaceURI !== "http://www.w3.org/2005/Atom") wrong.push("not Atom");
	need(feed, "feed", ["id", "title", "updated"]);
	if (!kids(feed, "link").some((l) => l.getAttribute("rel") === "self")) wrong.push("feed: no link to itself");
	const entries = kids(feed, "entry"), ids = new Set();
	const feedAuthor = kids(feed, "author").length > 0;
	for (const e of entries) {
		const name = kids(e, "title")[0]?.textContent ?? "entry";
		need(e, name, ["id", "title", "updated", "content"]);
		if (!feedAuthor && kids(e, "author").length === 0) wrong.push(`${name}: no author`);
		if (!/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(kids(e, "updated")[0]?.textContent ?? "")) wrong.push(`${name}: updated is not a date`);
		const id = kids(e, "id")[0]?.textContent;
		if (ids.has(id)) wrong.push(`${name}: id twice`);
		ids.add(id);
		const html = new DOMParser().parseFromString(kids(e, "content")[0]?.textContent ?? "", "text/html");
		for (const a of html.querySelectorAll("[href], [src]")) {
			const u = a.getAttribute("href") ?? a.getAttribute("src");
			if (!/^(https?:|mailto:|#)/.test(u)) wrong.push(`${name}: ${u} is not absolute`);
		}
	}
	if (entries.length === 0) wrong.push("no entry");
	return { wrong, links: entries.map((e) => kids(e, "link").find((l) => (l.getAttribute("rel") ?? "alternate") === "alternate")?.getAttribute("href") ?? "") };
}

async function checkOneFeed(t, page, feed) {
	const { wrong, links } = await page.evaluate(readFeed, readFileSync(`${t.site}/${feed}`, "utf8"));
	const files = new Set(t.files);
	for (const l of links) {
		const path = l.replace(/^https?:\/\/[^/]*/, "").slice(1);
		if (!files.has(path + "index.html") && ![...files].some((f) => l.endsWith("/" + f.replace(/index\.html$/, "")) && f)) wrong.push(`${l}: no such page`);
	}
	t.report(`/${feed} is whole`, wrong);
}

/* RSS 2.0: what rssboard.org/rss-specification requires, addresses absolute, dates of RFC 822 that are true. */
async function checkRss(t, page, file) {
	t.report(`${file} is RSS`, await page.evaluate((text) => {
		const doc = new DOMParser().parseFromString(text, "application/xml");
		if (doc.querySelector("parsererror")) return ["not well-formed"];
		const wrong = [];
		const own = (e, name) => [...e.children].find((c) => c.nodeName === name)?.textContent;
		const channel = doc.querySelector("rss[version='2.0'] > channel");
		for (const name of ["title", "link", "description"])
			if (!own(channel, name)) wrong.push(`the channel has no ${name}`);
		for (const item of channel.querySelectorAll("item")) {
			const date = own(item, "pubDate"), html = own(item, "content:encoded");
			for (const name of ["title", "link", "guid"])
				if (!own(item, name)) wrong.push(`an item has no ${name}`);
			if (new Date(date).toUTCString() !== date) wrong.push(`${date} is no date`);
			const inside = [...(html ?? "").matchAll(/(?:href|src)="([^"]*)"/g)].map((m) => m[1]);
			for (const url of [own(item, "link"), ...inside])
				if (!/^(https?|mailto):/.test(url)) wrong.push(`${url} is not absolute`);
			if (!html) wrong.push(`${own(item, "link")} has no content`);
		}
		return wrong;
	}, readFileSync(`${t.site}/${file}`, "utf8")));
}

/* JSON Feed 1.1: the members that jsonfeed.org/version/1.1 requires, and those it has types for. */
function checkJsonFeed(t, file) {
	const wrong = [], feed = JSON.parse(readFileSync(`${t.site}/${file}`, "utf8"));
	const absolute = (url) => { if (!/^(https?|mailto):/.test(url)) wrong.push(`${url} is not absolute`); };
	if (feed.version !== "https://jsonfeed.org/version/1.1") wrong.push(`version ${feed.version}`);
	if (!feed.title || !Array.isArray(feed.items)) wrong.push("no title or no items");
	[feed.home_page_url, feed.feed_url].forEach(absolute);
	if (new URL(feed.feed_url).pathname.endsWith("/" + file) === false) wrong.push(`feed_url is ${feed.feed_url}`);
	for (const item of feed.items) {
		if (!item.id || !item.content_html) wrong.push("an item has no id or no content_html");
		absolute(item.url);
		for (const [, url] of item.content_html.matchAll(/(?:href|src)="([^"]*)"/g)) absolute(url);
		for (const date of [item.date_published, item.date_modified])
			if (Number.isNaN(Date.parse(date))) wrong.push(`${date} is no date`);
		if (!item.tags.every((tag) => typeof tag === "string")) wrong.push("a tag is no text");
	}
	t.report(`${file} is a JSON feed`, wrong);
}

export async function checkFeed(t) {
	const page = await t.browser.newPage();
	const feeds = t.files.filter((f) => /(^|\/)feed\.xml$/.test(f));
	t.report("there is a feed", feeds.length ? [] : ["no feed.xml"]);
	for (const feed of feeds) await checkOneFeed(t, page, feed);
	for (const file of t.files.filter((f) => /(^|\/)rss\.xml$/.test(f))) await checkRss(t, page, file);
	for (const file of t.files.filter((f) => /(^|\/)feed\.json$/.test(f))) checkJsonFeed(t, file);

	const locs = await page.evaluate((text) => {
		const doc = new DOMParser().parseFromString(text, "application/xml");
		return doc.querySelector("parsererror") ? null : [...doc.getElementsByTagName("loc")].map((e) => e.textContent);
	}, readFileSync(`${t.site}/sitemap.xml`, "utf8"));
	await page.close();
	const listed = (locs ?? []).map((l) => new URL(l).pathname);
	t.report("the sitemap is whole", locs === null ? ["not well-formed"] : [
		...(locs.length ? [] : ["empty"]),
		...t.urls.filter((u) => /^(\/\w+)?\/posts\/([^/]+\/)?$/.test(u) && !listed.some((l) => l.endsWith(u))).map((u) => `${u} is not in it`)]);
}
