/*
 * A button that copies a block of code: what is measured or written, without the
 * numbers of its lines and the marks of its notes. Without scripts the code can be
 * selected by hand, and the numbers are not selected with it.
 */
(() => {
	const DONE_MS = 2000;
	const said = document.currentScript.dataset;
	const text = (block) => {
		const code = block.querySelector("code").cloneNode(true);
		for (const note of code.querySelectorAll("a.note")) note.remove();
		return code.textContent.replace(/[ \t]+$/gm, "");
	};
	document.addEventListener("DOMContentLoaded", () => {
		if (!navigator.clipboard) return; /* not on plain http */
		for (const block of document.querySelectorAll(".prose .code")) {
			const button = document.createElement("button");
			/* CSS shows the label: the text of the page stays as it is without scripts */
			const label = (text) => { button.dataset.label = button.ariaLabel = text; };
			button.type = "button";
			button.className = "copy";
			label(said.copy);
			button.addEventListener("click", () => navigator.clipboard.writeText(text(block)).then(() => {
				label(said.copied);
				setTimeout(label, DONE_MS, said.copy);
			}, () => { /* not allowed: it can be selected */ }));
			block.append(button);
		}
	});
})();
