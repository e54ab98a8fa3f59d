/*
 * A post with a script: a button that copies its link, and the contents show
 * which section is read.
 */
(() => {
	const { copy, copied } = document.currentScript.dataset;

	const share = document.querySelector(".post-share");
	if (share && navigator.clipboard) { /* not on plain http */
		const button = document.createElement("button");
		/* CSS shows the label: the text of the page stays as it is without scripts */
		const label = (text) => { button.dataset.label = button.ariaLabel = text; };
		button.type = "button";
		label(copy);
		button.addEventListener("click", () => {
			navigator.clipboard.writeText(document.querySelector("link[rel=canonical]").href)
				.then(() => label(copied), () => { /* not allowed: the address bar has it */ });
		});
		share.append(button);
	}

	const links = new Map();
	for (const a of document.querySelectorAll(".toc-side a"))
		links.set(decodeURIComponent(a.hash.slice(1)), a);
	const heads = [...document.querySelectorAll(".prose :is(h2, h3)[id]")].filter((h) => links.has(h.id));
	let current = null;
	/* The last heading above the upper third is the one being read. */
	const show = () => {
		const head = heads.findLast((h) => h.getBoundingClientRect().top < innerHeight / 3);
		const next = head ? links.get(head.id) : null;
		if (next === current) return;
		current?.removeAttribute("aria-current");
		next?.setAttribute("aria-current", "true");
		current = next;
	};
	if (heads.length) {
		const watch = new IntersectionObserver(show, { rootMargin: "0px 0px -66% 0px" });
		for (const h of heads) watch.observe(h);
		addEventListener("scrollend", show, { passive: true });
	}
})();
