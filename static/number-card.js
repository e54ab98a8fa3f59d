/* A card beside a number or a term: from the number's JSON, or the link's title where that has a newer run. */
(() => {
	const SHOW_MS = 120, HIDE_MS = 180, FACTS = 4; /* in a title before its states */
	const LINKS = 'a.num:not(.derived)[href*="/numbers/"], a.term';
	const WAY = { time: 1, latency: 1, bandwidth: -1, throughput: -1, rate: -1 };
	const card = document.createElement("div"), style = document.createElement("link");
	const known = {}, root = document.documentElement;
	let link = null, showing = 0, hiding = 0;
	card.id = card.className = "number-card";
	card.setAttribute("role", "tooltip");
	card.hidden = true;

	function line(text, name = "", tag = "p") {
		if (!text) return [];
		const e = document.createElement(tag);
		e.className = name;
		e.textContent = text;
		return [e];
	}
	const big = (e) => line(e.firstChild.textContent, "", "strong");
	const said = (x) => x.said[root.lang] ?? Object.values(x.said)[0];
	const tell = (n) => n && said(n).what.replace("{1}", n.text);

	function draw(name, at) {
		const e = document.createElementNS("http://www.w3.org/2000/svg", name);
		for (const k in at) e.setAttribute(k, at[k]);
		return e;
	}

	/* A dot for each value, over the interval. */
	function strip(n, values, words) {
		const all = [...values, n.low, n.high], least = Math.min(...all), span = Math.max(...all) - least;
		if (values.length < 2 || !(span > 0)) return [];
		const x = (v) => 2 + 96 * (v - least) / span;
		const svg = draw("svg", { width: "100%", height: 24, "aria-hidden": true });
		svg.append(draw("line", { x2: "100%", y1: 12, y2: 12 }),
			draw("rect", { x: x(n.low) + "%", width: x(n.high) - x(n.low) + "%", y: 2, height: 20 }),
			...values.map((v) => draw("circle", { cx: x(v) + "%", cy: 12, r: 3.5 })));
		return [svg, ...line(n.cards ? words.strip_cards : words.strip, "fine")];
	}

	/* Of the processes, or of the cards. */
	async function dots(n, page) {
		const over = n.against?.run, own = page.launches.filter((l) => l.median_s), way = WAY[n.metric];
		if (n.cards) return n.name === page.headline + "-over-cards" ? n.cards.map((c) => page.history.find((r) => r.run === c.run).value) : [];
		if (!way || over && over !== page.run) return [];
		const mean = Math.exp(own.reduce((sum, l) => sum + Math.log(l.median_s), 0) / own.length);
		const other = over && (await json(n.against.url)).launches;
		const of = (l) => (over ? other.find((o) => o.i === l.i)?.median_s : mean);
		return own.filter(of).map((l) => (l.median_s / of(l)) ** way * (!over ? n.value : n.unit === "%" ? 100 : 1));
	}

	function fromTitle(a) {
		const parts = a.dataset.title.split("; ");
		return [...big(a), ...line(parts[0], "what"), ...line(parts.slice(1, FACTS).join(" · ")), ...line(parts.slice(FACTS).join("; "), "warn")];
	}

	async function fromJson(a, page) {
		const n = page.run === a.dataset.run && page.numbers.find((x) => x.name === (a.dataset.n ?? a.hash.slice(1))), words = said(page);
		if (!n) return a.dataset.title ? fromTitle(a) : [...big(a), ...line(words.case, "what"), ...line(a.children[0]?.textContent, "warn")];
		const share = n.kind === "value" && page.numbers.find((x) => x.kind === "share of spec" && x.metric === n.metric && !x.cards === !n.cards);
		return [...big(a), ...line(n.interval && words.interval.replace("{1}", n.interval)), ...line(words.case, "what"), ...line(tell(n)), ...line(tell(share)),
			...strip(n, await dots(n, page), words), ...line(n.cards ? words.cards.replace("{1}", n.cards.length) : words.when),
			...line(said(n).state, "warn"), ...line(words.opens, "fine")];
	}

	function fromGlossary(a, page) {
		const head = page.getElementById(decodeURIComponent(a.hash.slice(1)));
		const text = head.nextElementSibling.textContent.replace(/→/g, "");
		return [...big(head), ...line(text)];
	}

	const load = (at, kind) => known[at] ??= fetch(at).then((r) => (r.ok ? r[kind]() : Promise.reject(r.status)));
	const json = (at) => load(new URL(at).pathname + "number.json", "json");
	const content = (a) => (a.matches(".term") ? load(a.pathname, "text").then((t) => fromGlossary(a, new DOMParser().parseFromString(t, "text/html")))
		: json(a.href).then((page) => fromJson(a, page)).catch((e) => (a.dataset.title ? fromTitle(a) : Promise.reject(e))));

	/* Below the link, or above where there is no room. */
	function show(a, content) {
		if (link !== a) return;
		card.replaceChildren(...content);
		card.hidden = false;
		a.setAttribute("aria-describedby", card.id);
		const at = a.getBoundingClientRect(), own = card.getBoundingClientRect();
		const above = at.bottom + own.height + 8 >= innerHeight && at.top >= own.height + 8;
		card.style.left = scrollX + Math.max(16, Math.min(at.left, root.clientWidth - own.width - 16)) + "px";
		card.style.top = scrollY + (above ? at.top - own.height - 6 : at.bottom + 6) + "px";
	}

	function hide() {
		[showing, hiding].forEach(clearTimeout);
		card.hidden = true;
		link?.removeAttribute("aria-describedby");
		if (link?.dataset.title) link.title = link.dataset.title; /* as it was without us */
		link = null;
	}

	function want(a, ms) {
		clearTimeout(hiding);
		if (link === a) return;
		hide();
		link = a;
		if (a.title && !a.matches(".term")) {
			a.dataset.title = a.title;
			a.removeAttribute("title");
		}
		showing = setTimeout(() => content(a).then((c) => show(a, c), () => {}), ms);
	}

	const leave = () => {
		clearTimeout(hiding);
		hiding = setTimeout(hide, HIDE_MS);
	};
	const target = (e) => e.target.closest?.(LINKS), on = (name, f) => document.addEventListener(name, f);

	style.rel = "stylesheet";
	style.href = document.currentScript.dataset.style;
	document.head.append(style);
	document.body.append(card);
	on("pointerover", (e) => {
		if (e.pointerType !== "mouse") return;
		if (card.contains(e.target)) clearTimeout(hiding);
		else if (target(e)) want(target(e), SHOW_MS);
		else if (link && document.activeElement !== link) leave();
	});
	on("focusin", (e) => { if (target(e)?.matches(":focus-visible")) want(target(e), 0); });
	on("focusout", (e) => { if (target(e) === link) leave(); });
	on("keydown", (e) => { if (e.key === "Escape") hide(); });
})();
