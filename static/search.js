/*
 * Searching the site in the reader's browser: reads /search/index.json once,
 * when the field is first used, and shows what matches as one types; then
 * /search/text.json, for a line of each text around what was found. Terms are
 * cut as site-gen/files/search.c cuts them. Without scripts the page offers its
 * lists instead.
 */
const HAN = "[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}]", LATIN = `(?:(?!${HAN})[\\p{L}\\p{M}\\p{Nd}_])`;
const cjk = new RegExp(HAN, "u"), letter = new RegExp(LATIN, "u");
const isCjk = (ch) => ch >= "\u2e80" && cjk.test(ch);
const isWord = (ch) => ch !== "\xb5" && letter.test(ch);
/* Letter by letter, as the generator does it: the small letter of "İ" is "i". */
const lower = (word) => Array.from(word, (ch) => (ch === "\u0130" ? "i" : ch.toLowerCase())).join("");
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

/* page number -> worth, for all terms that begin with `term` (whole ones count double). */
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
			const worth = list[k + 1] * (names[i] === term ? 2 : 1);
			found.set(page, Math.max(found.get(page) ?? 0, worth));
		}
	}
	return found;
}

/* The pages that have every term, best first: [{page, score}]. */
export function search(index, query) {
	const names = (index.names ??= Object.keys(index.terms).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
	let all;
	for (const term of terms(query, true)) {
		const found = matches(index, names, term);
		if (!all) all = found;
		else for (const [page, score] of all) found.has(page) ? all.set(page, score + found.get(page)) : all.delete(page);
	}
	return [...(all ?? [])].map(([page, score]) => ({ page, score })).sort((a, b) => b.score - a.score || a.page - b.page);
}

/* The heading that a query is about, if one has its first term. */
function place(headings, query) {
	const wanted = terms(query, true);
	return headings.find(([, text]) => {
		const has = terms(text);
		return wanted.some((w) => has.some((t) => t.startsWith(w)));
	});
}

/* What of a text a query is about: words by their beginnings, Chinese as a whole or by its pairs. */
function needle(query) {
	const pairs = (w) => Array.from({ length: w.length - 1 }, (_, i) => w.slice(i, i + 2));
	const parts = [...query.matchAll(new RegExp(`${LATIN}+|${HAN}+`, "gu"))].flatMap(([w]) =>
		(letter.test(w) ? `(?<!${LATIN})${w}${LATIN}*` : [w, ...pairs(w)]));
	return parts.length ? new RegExp(parts.join("|"), "giu") : null;
}

/* The paragraph that has most of it, cut to about a line around the first place. */
export function context(query, paragraphs) {
	const AROUND = 90, re = needle(query);
	let best = "", most = 0, at = 0;
	for (const text of re ? paragraphs : []) {
		const found = [...text.matchAll(re)];
		const different = new Set(found.map((m) => m[0].toLowerCase())).size;
		if (different > most) [best, most, at] = [text, different, found[0].index];
	}
	const from = at > AROUND ? best.indexOf(" ", at - AROUND) + 1 || at - AROUND : 0;
	const start = Math.min(from, at), end = Math.min(best.length, at + 2 * AROUND);
	return (start > 0 ? "…" : "") + best.slice(start, end) + (end < best.length ? "…" : "");
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

function item(index, hit, query, kinds) {
	const [url, title, description, kind, headings] = index.pages[hit.page];
	const li = document.createElement("li");
	const a = document.createElement("a");
	a.href = url;
	a.append(...marked(title, query));
	const badge = document.createElement("span");
	badge.className = "badge";
	badge.textContent = kinds[`kind${kind[0].toUpperCase()}${kind.slice(1)}`] ?? kind;
	const p = document.createElement("p");
	p.append(...marked(context(query, index.text?.[hit.page] ?? []) || description, query));
	li.append(a, " ", badge, p);
	const at = place(headings, query);
	if (at) {
		const sub = document.createElement("a");
		sub.className = "search-heading";
		sub.href = `${url}#${encodeURIComponent(at[0])}`;
		sub.textContent = `§ ${at[1]}`;
		li.append(sub);
	}
	return li;
}

function start(form) {
	const field = form.querySelector("input"), list = document.getElementById("search-results");
	const status = document.getElementById("search-status");
	let index, asked = 0;
	const fetched = (url) => fetch(url).then((r) => (r.ok ? r.json() : Promise.reject(new Error(String(r.status)))));
	const load = () => (index ??= fetched(form.dataset.index));
	const loadText = (data) => (data.texts ??= fetched(form.dataset.text).then((t) => { data.text = t.text; }, () => {}));
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
		const hits = data ? search(data, query).slice(0, 30) : [];
		const put = () => list.replaceChildren(...hits.map((h) => item(data, h, query, form.dataset)));
		put();
		if (data && !data.text) loadText(data).then(() => { if (mine === asked && !list.contains(document.activeElement)) put(); });
		status.textContent = data ? form.dataset.found.replace("{1}", String(hits.length)) : form.dataset.failed;
	};
	form.addEventListener("submit", (e) => { e.preventDefault(); show(); });
	field.addEventListener("input", show);
	field.addEventListener("focus", load, { once: true });
	field.value = new URLSearchParams(location.search).get("q") ?? "";
	if (field.value) show();
	else field.focus();
}

if (typeof document !== "undefined") {
	const form = document.getElementById("search");
	if (form) start(form);
}
