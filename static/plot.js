/*
 * Plots that can be explored. The pointer anywhere in a plot reads the nearest
 * point within NEAR pixels: a card beside or below the plot tells what it is,
 * other series fade, and its row in the table of exact values lights up. A plot
 * is one tab stop; arrow keys walk along a series and between series, Enter
 * opens the number. Buttons show and hide series, if there are three or more.
 * What is hidden stands in the address: #b3:hide=cub. Without scripts the
 * picture and its table are complete.
 */
(() => {
	const word = document.currentScript.dataset;
	const figures = [...document.querySelectorAll("figure.bench[id]:has(svg.plot)")];
	const STATE = /^#([^:]+):hide=(.*)$/;
	const NEAR = 60, FEW = 3, GAP = 12;
	if (!figures.length) return;

	const make = (tag, name, text = "") => Object.assign(document.createElement(tag), { className: name, textContent: text });
	const colour = (e) => [...e.classList].find((c) => /^s-\d+$/.test(c));
	const card = make("div", "number-card");
	card.id = "plot-card";
	card.setAttribute("role", "status");
	card.hidden = true;

	/* What the table of exact values says of it: "95 % interval 4.1–4.2 TB/s". */
	function exactInterval(a) {
		const href = a.getAttribute("href");
		const link = [...a.closest("figure").querySelectorAll("tr a.num")].find((e) => e.getAttribute("href") === href);
		const cell = link?.closest("tr").querySelector(".exact-interval");
		const head = cell?.closest("table").querySelectorAll("thead th")[cell.cellIndex];
		return cell ? [`${head.textContent} ${cell.textContent}`] : [];
	}

	/* The same of a figure whose table is on its own page: from the number's page. */
	const known = {};
	async function laterInterval(a) {
		const at = new URL(a.href.baseVal ?? a.href, location.href);
		const page = await (known[at.pathname] ??= fetch(at.pathname + "number.json").then((r) => (r.ok ? r.json() : Promise.reject(r.status))));
		const n = page.numbers.find((x) => x.name === at.hash.slice(1)), said = page.said[document.documentElement.lang] ?? Object.values(page.said)[0];
		return n?.interval ? said.interval.replace("{1}", n.interval) : "";
	}

	/* "what: value, interval; launches; device; date; state", or less */
	let shown = null;
	function show(a) {
		const parts = a.getAttribute("aria-label").split("; ");
		const cut = parts[0].lastIndexOf(": ");
		const [said, ...interval] = parts[0].slice(cut + 2).split(", ");
		const [, value, state] = /^(.*?)(?: \((.*)\))?$/.exec(said); /* "4.2 TB/s (noisy)" */
		const rest = [...parts.slice(1, 4), ...(state ? [state] : [])];
		const facts = interval.length ? interval : exactInterval(a), line = make("p", "", [...facts, ...rest].join(" · "));
		card.replaceChildren(make("strong", "", value), make("p", "what", parts[0].slice(0, cut)), line);
		shown = a;
		if (!facts.length) laterInterval(a).then((found) => shown === a && found && (line.textContent = [found, ...rest].join(" · ")), () => {});
		if (parts.length > 4) card.append(make("p", "warn", parts.slice(4).join("; ")));
		card.hidden = false;
		place(a);
	}

	/* Right of the plot if there is room, else below it: never over the curves. */
	function place(a) {
		const svg = a.closest("svg").getBoundingClientRect(), at = a.getBoundingClientRect();
		const beside = svg.right + GAP + card.offsetWidth < innerWidth - 8;
		const middle = Math.max(svg.top, Math.min(at.top - card.offsetHeight / 2, svg.bottom - card.offsetHeight));
		card.style.left = (beside ? svg.right + GAP : Math.max(8, Math.min(at.left, innerWidth - card.offsetWidth - 8))) + scrollX + "px";
		card.style.top = (beside ? middle : svg.bottom + 4) + scrollY + "px";
	}

	/* Series other than s fade; without s none does. */
	function fade(figure, s) {
		for (const svg of figure.querySelectorAll("svg.plot")) {
			if ((svg.dataset.read ?? "") === s) continue;
			svg.dataset.read = s;
			for (const e of svg.querySelectorAll("[class*='s-']")) {
				if (colour(e)) e.classList.toggle("is-faded", s !== "" && colour(e) !== s);
			}
		}
	}

	const pointOf = (a) => a.querySelector(".pt");
	const middleOf = (a) => {
		const r = pointOf(a).getBoundingClientRect();
		return { x: r.left + r.width / 2, y: r.top + r.height / 2 };
	};
	const visible = (svg) => [...svg.querySelectorAll("a:has(.pt)")].filter((a) => a.style.display !== "none");

	function read(figure, a) {
		point(figure, a.getAttribute("href"));
		fade(figure, colour(pointOf(a)) ?? "");
		show(a);
	}

	/* The nearest point within NEAR pixels; nothing: none is so near. */
	function nearest(svg, x, y) {
		let best = null, least = NEAR;
		for (const a of visible(svg)) {
			const m = middleOf(a), far = Math.hypot(m.x - x, m.y - y);
			if (far <= least) [best, least] = [a, far];
		}
		return best;
	}

	/* The next point: left or right along its series, up or down to the nearest of another one. */
	function neighbour(svg, from, key) {
		const all = visible(svg), here = middleOf(from), s = colour(pointOf(from));
		const along = key === "ArrowLeft" || key === "ArrowRight", sign = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
		let best = null, least = Infinity;
		for (const a of all) {
			const m = middleOf(a), same = colour(pointOf(a)) === s;
			const ahead = sign * (along ? m.x - here.x : m.y - here.y);
			const far = along ? ahead : Math.hypot(3 * (m.x - here.x), m.y - here.y);
			if (a !== from && same === along && ahead > 0.01 && far < least) [best, least] = [a, far];
		}
		return best ?? from;
	}

	function onKey(figure, svg, e) {
		const at = svg.querySelector("a.is-pointed");
		if (e.key === "Enter" && at) location.href = at.href.baseVal ?? at.getAttribute("href");
		if (!/^Arrow(Left|Right|Up|Down)$/.test(e.key)) return;
		e.preventDefault();
		const all = visible(svg);
		if (all.length) read(figure, at ? neighbour(svg, at, e.key) : all.reduce((l, a) => (middleOf(a).x < middleOf(l).x ? a : l)));
	}

	/* The same number in both drawings and in the table. */
	function point(figure, href) {
		for (const e of figure.querySelectorAll(".is-pointed")) e.classList.remove("is-pointed");
		for (const a of href ? figure.querySelectorAll("a[href]") : []) {
			if (a.getAttribute("href") === href) a.closest("svg.plot a, tr")?.classList.add("is-pointed");
		}
	}
	function leave(figure) {
		card.hidden = true;
		point(figure, "");
		fade(figure, "");
	}

	/* Text and lines that belong to the point beside them. */
	function claim(svg) {
		const points = [...svg.querySelectorAll("circle.pt")].map((c) => ({ s: colour(c), x: +c.getAttribute("cx"), y: +c.getAttribute("cy") }));
		const near = (x, y) => points.reduce((best, p) => (Math.hypot(p.x - x, p.y - y) < Math.hypot(best.x - x, best.y - y) ? p : best), points[0]);
		for (const e of svg.querySelectorAll("text.value, path.leader")) {
			const [x, y] = e.matches("text") ? [e.getAttribute("x"), e.getAttribute("y")] : e.getAttribute("d").match(/[-\d.]+/g);
			if (points.length) e.classList.add(near(+x, +y).s);
		}
	}

	function prepare(figure) {
		for (const svg of figure.querySelectorAll("svg.plot")) {
			claim(svg);
			for (const a of svg.querySelectorAll("a")) {
				const title = a.querySelector("title");
				if (!title) continue;
				a.setAttribute("aria-label", title.textContent);
				title.remove(); /* the browser would show it beside the card */
			}
		}
	}

	/* Names of what is drawn, by colour; from the labels of the wide drawing. */
	function seriesOf(figure) {
		const names = new Map();
		for (const label of figure.querySelectorAll("svg.plot.wide text.label")) {
			const s = colour(label);
			if (s) names.set(s, names.has(s) ? names.get(s) + ", " + label.textContent : label.textContent);
		}
		return names;
	}

	function toggle(figure, button, on) {
		button.setAttribute("aria-pressed", on);
		for (const e of figure.querySelectorAll(`svg.plot .${button.dataset.s}`)) (e.closest("svg.plot a") ?? e).style.display = on ? "" : "none";
	}
	function keep(figure, buttons) {
		const hidden = buttons.filter((b) => b.getAttribute("aria-pressed") === "false").map((b) => encodeURIComponent(b.dataset.name));
		history.replaceState(history.state, "", hidden.length ? `#${figure.id}:hide=${hidden.join()}` : location.pathname + location.search);
	}
	function restore(figure, buttons) {
		const [, id, names] = location.hash.match(STATE) ?? [];
		if (id !== figure.id) return;
		const hidden = names.split(",").map(decodeURIComponent);
		for (const b of buttons) toggle(figure, b, !hidden.includes(b.dataset.name));
		figure.scrollIntoView();
	}

	/* Left and right from point to point of a series. */
	function walk(figure, button, step) {
		const points = [...figure.querySelectorAll(`svg.plot .pt.${button.dataset.s}`)].map((c) => c.closest("a")).filter((a) => a?.getClientRects().length);
		if (!points.length) return;
		points.sort((a, b) => a.getBoundingClientRect().left - b.getBoundingClientRect().left);
		const at = points.findIndex((a) => a.matches(".is-pointed"));
		const next = points[at < 0 ? (step > 0 ? 0 : points.length - 1) : Math.max(0, Math.min(points.length - 1, at + step))];
		read(figure, next);
	}

	/* Bars have their names beside them, and each its own place: nothing hides anything. */
	function areBars(figure) {
		return figure.querySelector("svg.plot .pt.fill") && !figure.querySelector("svg.plot .pt:not(.fill)");
	}

	function addButtons(figure) {
		if (areBars(figure) || !figure.querySelector("svg.plot .line")) return; /* rows have their names */
		const names = seriesOf(figure);
		const group = make("div", "plot-series");
		group.setAttribute("role", "group");
		group.setAttribute("aria-label", word.series);
		const buttons = [...names].map(([s, name]) => {
			const b = make("button", s);
			b.type = "button";
			b.dataset.name = name; /* printed by the style: the page's text is what it is without us */
			b.setAttribute("aria-label", name);
			b.dataset.s = s;
			b.setAttribute("aria-pressed", "true");
			b.title = word.help;
			b.addEventListener("click", () => {
				toggle(figure, b, b.getAttribute("aria-pressed") === "false");
				leave(figure);
				keep(figure, buttons);
			});
			b.addEventListener("keydown", (e) => {
				const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
				if (step) e.preventDefault(), walk(figure, b, step);
			});
			b.addEventListener("blur", () => leave(figure));
			return b;
		});
		if (buttons.length < FEW) return;
		group.append(...buttons);
		const data = figure.querySelector(".figure-data");
		if (data) data.before(group);
		else figure.append(group); /* the page of a figure; plot.css keeps the place */
		restore(figure, buttons);
		addEventListener("hashchange", () => restore(figure, buttons));
	}

	function listen(figure) {
		const told = (e) => {
			const link = e.target.closest?.("tr")?.querySelector("a.num");
			if (link && figure.contains(link)) point(figure, link.getAttribute("href"));
		};
		figure.addEventListener("pointerover", told);
		figure.addEventListener("focusin", told);
		figure.addEventListener("pointerout", (e) => e.target.closest("svg.plot") || leave(figure));
		figure.addEventListener("focusout", () => leave(figure));
		for (const svg of figure.querySelectorAll("svg.plot")) {
			svg.setAttribute("tabindex", "0");
			svg.addEventListener("keydown", (e) => onKey(figure, svg, e));
			svg.addEventListener("pointerleave", () => leave(figure));
			svg.addEventListener("pointermove", (e) => {
				const a = nearest(svg, e.clientX, e.clientY);
				if (!a) leave(figure);
				else if (!a.matches(".is-pointed") || card.hidden) read(figure, a);
			});
		}
	}

	const style = document.createElement("link");
	style.rel = "stylesheet";
	style.href = word.style;
	document.head.append(style);
	document.body.append(card);
	document.addEventListener("keydown", (e) => {
		if (e.key === "Escape") figures.forEach(leave);
	});
	for (const figure of figures) {
		prepare(figure);
		addButtons(figure);
		listen(figure);
	}
})();
