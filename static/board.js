/*
 * board.js - sorts the scoreboard by a column and filters it by task and dtype. The choice stands in
 * the address, so that a view can be shared. Without it the table is whole, sorted by its share.
 */
(() => {
	const filters = document.getElementById("board-filters");
	const tables = [...document.querySelectorAll("table.board")];
	if (!filters || !tables.length) return;
	const rows = tables.flatMap((t) => [...t.tBodies[0].rows]);
	const state = new URLSearchParams(location.search);
	const columns = ["name", "share", "library", "eager"];
	const found = filters.querySelector(".found");

	const value = (row, i) => Number(row.cells[i]?.dataset.sort ?? -1);
	const sort = (table) => {
		const by = columns.includes(state.get("sort")) ? state.get("sort") : "share";
		const up = state.has("up");
		const head = table.querySelector(`.by-${by}`), i = head.cellIndex;
		const order = by === "name" ? (a, b) => a.cells[0].textContent.localeCompare(b.cells[0].textContent) : (a, b) => value(b, i) - value(a, i);
		table.tBodies[0].append(...[...table.tBodies[0].rows].sort((a, b) => (up ? order(b, a) : order(a, b))));
		for (const h of table.tHead.querySelectorAll("[aria-sort]")) h.removeAttribute("aria-sort");
		head.setAttribute("aria-sort", (by === "name") === up ? "descending" : "ascending");
	};
	const apply = () => {
		for (const r of rows) r.hidden = ["task", "dtype"].some((k) => state.get(k) && r.dataset[k] !== state.get(k));
		for (const t of tables) sort(t);
		for (const b of filters.querySelectorAll("button")) b.setAttribute("aria-pressed", String((state.get(b.name) ?? "") === b.value));
		const first = [...tables[0].tBodies[0].rows];
		const shown = first.filter((r) => !r.hidden).length;
		found.textContent = filters.dataset.count.replace("{n}", shown).replace("{all}", first.length);
	};
	const choose = (set) => {
		for (const [k, v] of Object.entries(set)) v ? state.set(k, v) : state.delete(k);
		const s = state.toString();
		history.replaceState(null, "", (s ? `?${s}` : location.pathname) + location.hash);
		apply();
	};

	for (const b of filters.querySelectorAll("button"))
		b.addEventListener("click", () => choose({ [b.name]: b.value }));
	for (const t of tables)
		for (const c of columns) {
			/* as wide as the text that it replaces, which would do nothing without this script */
			const text = t.querySelector(`.by-${c} .sort`), b = document.createElement("button");
			Object.assign(b, { type: "button", className: "sort" });
			b.append(...text.childNodes);
			text.replaceWith(b);
			b.addEventListener("click", () => choose({ sort: c, up: (state.get("sort") ?? "share") === c && !state.has("up") ? "1" : "" }));
		}
	apply();
})();
