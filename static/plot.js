/*
 * Plots that can be explored: buttons show and hide series, a card tells what a
 * point is, a point and its row in the table of exact values light up together.
 * With the focus on a button, the arrow keys walk along its series. What is
 * hidden stands in the address: #b3:hide=cub. Without scripts the picture and
 * its table are complete.
 */
(() => {
	const word = document.currentScript.dataset;
	const figures = [...document.querySelectorAll("figure.bench[id]:has(svg.plot)")];
	const STATE = /^#([^:]+):hide=(.*)$/;
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

	/* "what: value, interval; launches; device; date; state", or less */
	function show(a) {
		const parts = a.getAttribute("aria-label").split("; ");
		const at = a.getBoundingClientRect();
		const cut = parts[0].lastIndexOf(": ");
		const [value, ...interval] = parts[0].slice(cut + 2).split(", ");
		card.replaceChildren(make("strong", "", value), make("p", "what", parts[0].slice(0, cut)), make("p", "", [...(interval.length ? interval : exactInterval(a)), ...parts.slice(1, 4)].join(" · ")));
		if (parts.length > 4) card.append(make("p", "warn", parts.slice(4).join("; ")));
		card.hidden = false;
		const top = at.top - card.offsetHeight - 8;
		card.style.left = Math.max(8, Math.min(at.left, innerWidth - card.offsetWidth - 8)) + scrollX + "px";
		card.style.top = (top > 8 ? top : at.bottom + 8) + scrollY + "px";
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
		point(figure, next.getAttribute("href"));
		show(next);
	}

	function addButtons(figure) {
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
		if (!buttons.length) return;
		group.append(...buttons);
		const data = figure.querySelector(".figure-data");
		if (data) data.before(group);
		else [...figure.querySelectorAll("svg.plot")].at(-1).after(group);
		restore(figure, buttons);
		addEventListener("hashchange", () => restore(figure, buttons));
	}

	function listen(figure) {
		const told = (e) => {
			const a = e.target.closest?.("svg.plot a");
			const link = a ?? e.target.closest?.("tr")?.querySelector("a.num");
			if (!link || !figure.contains(link)) return;
			point(figure, link.getAttribute("href"));
			if (a) show(a);
		};
		figure.addEventListener("pointerover", told);
		figure.addEventListener("focusin", told);
		figure.addEventListener("pointerout", () => leave(figure));
		figure.addEventListener("focusout", () => leave(figure));
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
