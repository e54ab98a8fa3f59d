/*
 * The links to a page's other languages keep the reader's place: both versions
 * have the same anchors, so the one that is read now is added to the address.
 */
(() => {
	const line = () => Math.min(innerHeight / 3, 240);
	const place = () => {
		let at = "";
		for (const e of document.querySelectorAll("main .prose [id]")) {
			if (e.closest("svg, figure")) continue;
			if (e.getBoundingClientRect().top > line()) break;
			at = e.id;
		}
		return scrollY > line() ? at : "";
	};
	document.addEventListener("DOMContentLoaded", () => {
		for (const a of document.querySelectorAll("a[data-keep-place]"))
			a.addEventListener("click", () => { a.hash = place(); });
	});
})();
