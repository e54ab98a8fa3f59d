/*
 * Searching the site in the reader's browser: reads /search/index.json once,
 * when the field is first used, and shows what matches as one types; then
 * /search/text.json, for a line of each text around what was found. Terms are
 * cut as site-gen/files/search.c cuts them. Without scripts the page offers its
 * lists instead.
 */
const HAN = "[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}]",
	LATIN = `(?:(?!${HAN})[\\p{L}\\p{M}\\p{Nd}_])`;
const cjk = new RegExp(HAN, "u"), letter = new RegExp(LATIN, "u");
const isCjk = (ch) => ch >= "\u2e80" && cjk.test(ch);
const isWord = (ch) => ch !== "\xb5" && letter.test(ch);
/* Letter by letter, as the generator does it: the small letter of "İ" is "i". */
const lower = (word) =>
	Array.from(word, (ch) => (ch === "\u0130" ? "i" : ch.toLowerCase())).join("");
const bytes = new TextEncoder();

/* The terms of a text, in its order; `partial`: the last word may go on. */
export function terms(text, partial = false) {
	const out = [];
	let word = "", before = "";
	const put = (last) => {
		const low = lower(word);
		const n = bytes.encode(low).length;
		if (low && n <= 32 && ((n >= 2 && !/^[0-9]+$/.test(low)) || (last && partial))) out.push(low);
		word = "";
	};
	for (const ch of text) {
		if (isWord(ch)) word += ch;
		else if (word) put(false);
		if (isCjk(ch) && before) out.push(before + ch);
		before = isCjk(ch) ? ch : "";
	}
	if (partial && before && ![...text].slice(0, -1).some((ch) => isCjk(ch))) out.push(before);
	put(true);
	return out;
}

/*
 * page number -> worth, for all terms that begin with `term` (itself and its plural count
 * double).
 */
function matches(index, names, term) {
	const found = new Map();
	let lo = 0, hi = names.length;
	while (lo < hi) {
		const mid = (lo + hi) >> 1;
		if (names[mid] < term) lo = mid + 1;
		else hi = mid;
	}
	for (let i = lo; i < names.length && names[i].startsWith(term); i++) {
		const list = index.terms[names[i]];
		for (let k = 0, page = 0; k < list.length; k += 2) {
			page += list[k];
			const worth = list[k + 1] * (names[i] === term || names[i] === `${term}s` ? 2 : 1);
			found.set(page, Math.max(found.get(page) ?? 0, worth));
		}
	}
	return found;
}

/*
 * page number -> worth, for the term at i; or for what it is together with the one beside it, as
 * "flash attention" is also written "FlashAttention".
 */
function matchesAt(index, names, asked, i) {
	const found = matches(index, names, asked[i]);
	for (const at of [i - 1, i])
		if (at >= 0 && at + 1 < asked.length && ![...asked[at], ...asked[at + 1]].some(isCjk))
			for (const [page, worth] of matches(index, names, asked[at] + asked[at + 1]))
				found.set(page, Math.max(found.get(page) ?? 0, worth));
	return found;
}

/* The pages that have every term, best first: [{page, score}]. */
export function search(index, query) {
	const byName = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
	const names = (index.names ??= Object.keys(index.terms).sort(byName));
	const asked = terms(query, true);
	let all;
	for (let i = 0; i < asked.length; i++) {
		const found = matchesAt(index, names, asked, i);
		if (!all) all = found;
		else for (const [page, score] of all)
			found.has(page) ? all.set(page, score + found.get(page)) : all.delete(page);
	}
	return [...(all ?? [])].map(([page, score]) => ({ page, score }))
		.sort((a, b) => b.score - a.score || a.page - b.page);
}

/* What of a text a query is about: words by their beginnings, Chinese whole or by its pairs. */
function needles(query) {
	const pairs = (w) => Array.from({ length: w.length - 1 }, (_, i) => w.slice(i, i + 2));
	return [...query.matchAll(new RegExp(`${LATIN}+|${HAN}+`, "gu"))].flatMap(([w]) =>
		(letter.test(w) ? `(?<!${LATIN})${w}${LATIN}*` : [w, ...pairs(w)]));
}

/* All of them as one expression; null if the query has no words. */
function needle(query) {
	const all = needles(query);
	return all.length ? new RegExp(all.join("|"), "giu") : null;
}

/* A function that counts how many of them a text has. */
function counter(query) {
	const all = needles(query).map((n) => new RegExp(n, "iu"));
	return (text) => all.filter((re) => re.test(text)).length;
}

/* The paragraph that has most of it, cut to about a line around the first place. */
export function context(query, paragraphs) {
	const AROUND = 60, has = counter(query);
	let best = "", most = 0;
	for (const text of paragraphs) {
		const different = has(text);
		if (different > most) [best, most] = [text, different];
	}
	const at = most ? best.search(needle(query)) : 0;
	const from = at > AROUND ? best.indexOf(" ", at - AROUND) + 1 || at - AROUND : 0;
	const start = Math.min(from, at), end = Math.min(best.length, at + 2 * AROUND);
	return (start > 0 ? "…" : "") + best.slice(start, end) + (end < best.length ? "…" : "");
}

/*
 * The sections of a page that a query is about, best first: [{heading, texts}]; heading -1 is the
 * page's beginning.
 */
export function places(query, headings, text = []) {
	const different = counter(query), all = [{ heading: -1, texts: [], worth: 0 }];
	for (let i = 0; i < headings.length; i++)
		all.push({ heading: i, texts: [], worth: 3 * different(headings[i][1]) });
	let now = all[0];
	for (const part of text) {
		if (typeof part === "number") now = all[part + 1];
		else now.texts.push(part);
	}
	for (const s of all)
		s.worth += s.texts.reduce((most, t) => Math.max(most, 2 * different(t)), 0)
			+ Math.min(1, s.texts.filter(different).length / 10);
	return all.filter((s) => s.worth > 0).sort((a, b) => b.worth - a.worth || a.heading - b.heading);
}

/* The kinds of pages, in groups, in the order in which they stand: texts, kernels, records. */
const GROUPS = [["post"], ["section", "path", "series"], ["family", "device"], ["glossary"],
	["page"], ["prediction"], ["comparison", "run"]];
const SHOWN = 5; /* pages that a group shows at first */

export function grouped(index, hits) {
	const groups = GROUPS.map((kinds, of) =>
		({ of, hits: hits.filter((h) => kinds.includes(index.pages[h.page][3])) }));
	return groups.filter((g) => g.hits.length);
}

/* The text with what was found marked. */
function marked(text, query) {
	const re = needle(query), out = [];
	let from = 0;
	for (const m of re ? text.matchAll(re) : []) {
		const mark = document.createElement("mark");
		mark.textContent = m[0];
		out.push(text.slice(from, m.index), mark);
		from = m.index + m[0].length;
	}
	return [...out, text.slice(from)];
}

const word = (words, name, kind) => words[name + kind[0].toUpperCase() + kind.slice(1)] ?? kind;

function made(tag, className, ...content) {
	const e = document.createElement(tag);
	if (className) e.className = className;
	e.append(...content);
	return e;
}

function link(url, className, ...content) {
	const a = made("a", className, ...content);
	a.href = url;
	return a;
}

function item(index, hit, query, words) {
	const LINKS = 3;
	const [url, title, description, kind, headings] = index.pages[hit.page];
	const found = places(query, headings, index.text?.[hit.page]);
	const line = context(query, found[0]?.texts ?? []) || description;
	const sections = found.filter((s) => s.heading >= 0).slice(0, LINKS).map((s) => {
		const [id, text] = headings[s.heading];
		return link(`${url}#${encodeURIComponent(id)}`, "search-heading", "§ ", ...marked(text, query));
	});
	return made("li", "", link(url, "", ...marked(title, query)), " ",
		made("span", "badge", word(words, "kind", kind)),
		made("p", "", ...marked(line, query)), ...sections.flatMap((a) => [a, " "]));
}

function section(index, group, query, words) {
	const items = group.hits.map((h) => item(index, h, query, words));
	const list = made("ol", "", ...items.slice(0, SHOWN));
	const head = made("h2", "", word(words, "group", GROUPS[group.of][0]), " ",
		made("span", "", String(items.length)));
	const whole = made("section", "", head, list);
	if (items.length > SHOWN) {
		const more = made("button", "search-more",
			words.more.replace("{1}", String(items.length - SHOWN)));
		more.type = "button";
		more.addEventListener("click", () => {
			list.append(...items.slice(SHOWN));
			more.remove();
			items[SHOWN].querySelector("a").focus();
		});
		whole.append(more);
	}
	return whole;
}

function start(form) {
	const field = form.querySelector("input"), list = document.getElementById("search-results");
	const status = document.getElementById("search-status");
	let index, asked = 0;
	const fetched = (url) => fetch(url).then((r) =>
		(r.ok ? r.json() : Promise.reject(new Error(String(r.status)))));
	const load = () => (index ??= fetched(form.dataset.index));
	const loadText = (data) => (data.texts ??=
		fetched(form.dataset.text).then((t) => { data.text = t.text; }, () => {}));
	const show = async () => {
		const query = field.value.trim(), mine = ++asked;
		history.replaceState(null, "", query ? `?q=${encodeURIComponent(query)}` : location.pathname);
		if (!query) {
			list.replaceChildren();
			status.textContent = "";
			return;
		}
		const data = await load().catch(() => null);
		if (mine !== asked) return;
		const hits = data ? search(data, query) : [];
		const shown = () => grouped(data, hits).map((g) => section(data, g, query, form.dataset));
		const put = () => list.replaceChildren(...shown());
		if (data) put();
		const idle = () => mine === asked && !list.contains(document.activeElement);
		if (data && !data.text) loadText(data).then(() => { if (idle()) put(); });
		status.textContent = data
			? form.dataset.found.replace("{1}", String(hits.length)) : form.dataset.failed;
	};
	form.addEventListener("submit", (e) => { e.preventDefault(); show(); });
	field.addEventListener("input", show);
	field.addEventListener("focus", load, { once: true });
	field.value = new URLSearchParams(location.search).get("q") ?? "";
	if (field.value) show();
	else if (document.body.classList.contains("kind-search")) field.focus();
}

if (typeof document !== "undefined") {
	const form = document.getElementById("search");
	if (form) start(form);
}
