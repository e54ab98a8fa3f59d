/*
 * What stands behind a number, in a small card where the pointer or the focus
 * is: value, interval, processes, device, date, state. It is read from the
 * link; where the link says nothing more (in tables), from the number's JSON.
 * For a term it is the sentence of the glossary. Without scripts the link leads
 * to the page that has it all.
 */
(() => {
	const SHOW_MS = 120, HIDE_MS = 180, FACTS = 4; /* in a title before its states */
	const LINKS = 'a.num[href*="/numbers/"], a.term';
	const card = document.createElement("div");
	const known = new Map(); /* address of a page: promise of its JSON */
	let link = null, showing = 0, hiding = 0;
	card.id = "number-card";
	card.className = "number-card";
	card.setAttribute("role", "tooltip");
	card.hidden = true;

	const line = (text, name) => {
		if (!text) return [];
		const p = document.createElement("p");
		if (name) p.className = name;
		p.textContent = text;
		return [p];
	};
	const headline = (text) => {
		const e = document.createElement("strong");
		e.textContent = text;
		return e;
	};
	/* The digits without the mark beside them. */
	const digits = (a) => [...a.childNodes].filter((n) => n.nodeName !== "SUP").map((n) => n.textContent).join("");

	function fromTitle(a) {
		const parts = a.dataset.title.split("; ");
		return [headline(digits(a)), ...line(parts[0], "what"), ...line(parts.slice(1, FACTS).join(" · ")), ...line(parts.slice(FACTS).join("; "), "warn")];
	}

	function fromJson(a, page) {
		const name = a.dataset.n ?? a.hash.slice(1);
		const run = page.history.find((r) => r.run === a.dataset.run);
		const n = page.run === a.dataset.run ? page.numbers.find((x) => x.name === name) : null;
		const facts = n ? [n.cards ? `over ${n.cards.length} cards` : page.launches.length + " processes", page.hardware, page.date] : [page.hardware, run?.start.slice(0, 10)];
		return [headline(digits(a)), ...line([page.title, n && [n.words, n.interval].filter(Boolean).join(", ")].filter(Boolean).join(". "), "what"),
			...line(facts.filter(Boolean).join(" · ")), ...line(a.dataset.state === "ok" ? "" : [a.dataset.state, n?.why].filter(Boolean).join(": "), "warn")];
	}

	function fromGlossary(a, page) {
		const head = page.getElementById(decodeURIComponent(a.hash.slice(1)));
		const text = head.nextElementSibling.cloneNode(true);
		for (const link of text.querySelectorAll("a")) if (link.textContent === "→") link.remove();
		return [headline(head.firstChild.textContent.trim()), ...line(text.textContent.trim())];
	}

	function load(address, read) {
		if (!known.has(address)) known.set(address, fetch(address).then((r) => (r.ok ? read(r) : Promise.reject(r.status))));
		return known.get(address);
	}
	const numbers = (a) => load(new URL("number.json", a.href).href, (r) => r.json()).then((page) => fromJson(a, page));
	const glossary = (a) => load(a.href.split("#")[0], (r) => r.text().then((t) => new DOMParser().parseFromString(t, "text/html"))).then((page) => fromGlossary(a, page));

	/* Below the link, or above where there is no room; never beside the page. */
	function place(a) {
		const at = a.getBoundingClientRect(), own = card.getBoundingClientRect();
		const room = document.documentElement.clientWidth - own.width - 16;
		const below = at.bottom + own.height + 8 < innerHeight || at.top < own.height + 8;
		card.style.left = `${scrollX + Math.max(16, Math.min(at.left, room))}px`;
		card.style.top = `${scrollY + (below ? at.bottom + 6 : at.top - own.height - 6)}px`;
	}

	function show(a, content) {
		if (link !== a) return;
		card.replaceChildren(...content);
		card.hidden = false;
		a.setAttribute("aria-describedby", card.id);
		place(a);
	}

	function hide() {
		clearTimeout(showing);
		clearTimeout(hiding);
		card.hidden = true;
		if (!link) return;
		link.removeAttribute("aria-describedby");
		if (link.dataset.title) link.title = link.dataset.title; /* as it was without us */
		link = null;
	}

	function want(a, ms) {
		clearTimeout(hiding);
		if (link === a) return;
		hide();
		link = a;
		if (a.title && !a.matches(".term")) {
			a.dataset.title = a.title;
			a.removeAttribute("title"); /* the browser would show it as well */
		}
		showing = setTimeout(() => {
			if (a.dataset.title) show(a, fromTitle(a));
			else (a.matches(".term") ? glossary(a) : numbers(a)).then((content) => show(a, content), () => { /* the link is still there */ });
		}, ms);
	}

	const leave = () => {
		clearTimeout(hiding);
		hiding = setTimeout(hide, HIDE_MS);
	};
	const target = (e) => e.target.closest?.(LINKS);

	/* Nobody sees the card before it is asked for, so its looks need not hold up the page. */
	const style = document.createElement("link");
	style.rel = "stylesheet";
	style.href = document.currentScript.dataset.style;
	document.head.append(style);
	document.body.append(card);
	document.addEventListener("pointerover", (e) => {
		if (e.pointerType !== "mouse") return;
		if (card.contains(e.target)) clearTimeout(hiding);
		else if (target(e)) want(target(e), SHOW_MS);
		else if (link && document.activeElement !== link) leave();
	});
	document.addEventListener("focusin", (e) => { if (target(e)?.matches(":focus-visible")) want(target(e), 0); });
	document.addEventListener("focusout", (e) => { if (target(e) === link) leave(); });
	document.addEventListener("keydown", (e) => { if (e.key === "Escape") hide(); });
})();
