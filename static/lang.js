/*
 * The links to a page's other languages keep the reader's place: both versions
 * have the same anchors, so the paragraph that is read is added to the address.
 * The links stand at the top of the page, so it is where the reader was before
 * scrolling up to them; who stays at the top reads there.
 */
(() => {
	const REST = 500, TOP = 4000; /* ms without scrolling: reading; at the top: reading the top */
	let place = "", timer = 0;
	const far = 240; /* px: further down than the top */
	const current = () => {
		/* What stands above this line is at the top: a jump leads to the padding. */
		const line = (parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0) + 24;
		let at = "";
		for (const e of document.querySelectorAll("main .prose [id]")) {
			if (e.closest("svg, figure, details:not([open]) > *")) continue; /* what is folded has no place */
			if (e.getBoundingClientRect().top > line) break;
			at = e.id;
		}
		return at;
	};
	const rest = () => {
		clearTimeout(timer);
		timer = setTimeout(() => { place = scrollY > far ? current() : ""; }, scrollY > far ? REST : TOP);
	};
	document.addEventListener("DOMContentLoaded", () => {
		addEventListener("scroll", rest, { passive: true });
		rest();
		for (const a of document.querySelectorAll("a[data-keep-place]"))
			a.addEventListener("click", () => { a.hash = scrollY > far ? current() : place; });
	});
})();
