/*
 * sort.js - heads of columns that sort their table: a button in each, and the order of the rows.
 * A table.sorts needs nothing else; board.js uses it, too. Without it a table is whole, in its
 * author's order.
 */
const tableSort = {
	/* A button in place of the text of a head, and as wide. */
	button(text, chosen) {
		const b = document.createElement("button");
		Object.assign(b, { type: "button", className: "sort" });
		b.append(...text.childNodes);
		text.replaceWith(b);
		b.addEventListener("click", chosen);
	},
	value: (row, i) => row.cells[i]?.dataset.sort,
	isNumbers: (table, i) => [...table.tBodies[0].rows].some((r) => tableSort.value(r, i)),
	/* Numbers by data-sort, which the build writes; words as the page's language sorts them. What has no number stays last. */
	by(table, head, up) {
		const i = head.cellIndex, numbers = tableSort.isNumbers(table, i);
		const number = (row) => Number(tableSort.value(row, i) ?? NaN);
		const word = (row) => row.cells[i]?.textContent ?? "";
		const lang = document.documentElement.lang;
		const order = numbers ? (a, b) => number(a) - number(b) : (a, b) => word(a).localeCompare(word(b), lang, { numeric: true });
		const none = (row) => numbers && Number.isNaN(number(row));
		const rows = [...table.tBodies[0].rows];
		rows.sort((a, b) => none(a) - none(b) || (up ? order(a, b) : order(b, a)) || 0);
		tableSort.set(table, rows, head, up ? "ascending" : "descending");
	},
	set(table, rows, head, direction) {
		table.tBodies[0].append(...rows);
		for (const h of table.tHead.querySelectorAll("[aria-sort]")) h.removeAttribute("aria-sort");
		if (direction) head.setAttribute("aria-sort", direction);
	},
};

/* The first choice sorts: numbers from the largest, words from A. The second turns that around, the third gives the author's order back. */
for (const table of document.querySelectorAll("table.sorts")) {
	const own = [...table.tBodies[0].rows];
	for (const text of table.tHead.querySelectorAll(".sort")) {
		const head = text.closest("th");
		tableSort.button(text, () => {
			const up = !tableSort.isNumbers(table, head.cellIndex), now = head.getAttribute("aria-sort");
			if (!now) tableSort.by(table, head, up);
			else if ((now === "ascending") === up) tableSort.by(table, head, !up);
			else tableSort.set(table, own);
		});
	}
}
