/*
 * board.js - sorts the scoreboard by a column (with sort.js) and filters it by task and dtype. The
 * choice stands in the address, so that a view can be shared. Without it the table is whole, sorted
 * by its share.
 */
(() => {
	const filters = document.getElementById("board-filters");
	const tables = [...document.querySelectorAll("table.board")];
	if (!filters || !tables.length) return;
	const rows = tables.flatMap((t) => [...t.tBodies[0].rows]);
	const state = new URLSearchParams(location.search);
	const columns = ["name", "share", "library", "eager"];
	const found = filters.querySelector(".found");

	const sort = (table) => {
		const by = columns.includes(state.get("sort")) ? state.get("sort") : "share";
		tableSort.by(table, table.querySelector(`.by-${by}`), (by === "name") !== state.has("up"));
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
		for (const c of columns)
			tableSort.button(t.querySelector(`.by-${c} .sort`), () => choose({ sort: c, up: (state.get("sort") ?? "share") === c && !state.has("up") ? "1" : "" }));
	apply();
})();
