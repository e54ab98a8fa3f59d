/*
 * Light, dark, or as the system says. Runs in <head> before the first paint,
 * so nothing flashes; adds its own button, so without scripts there is none.
 * The style sheet reads data-theme; the choice is kept in this browser only.
 */
(() => {
	const root = document.documentElement;
	const dark = matchMedia("(prefers-color-scheme: dark)");
	const store = {
		get: () => { try { return localStorage.getItem("theme"); } catch { return null; } },
		set: (v) => { try { v ? localStorage.setItem("theme", v) : localStorage.removeItem("theme"); } catch { /* private mode */ } },
	};
	let choice = store.get();
	let button;

	const isDark = () => (choice ? choice === "dark" : dark.matches);
	const show = () => {
		if (choice) root.dataset.theme = choice;
		else delete root.dataset.theme;
		button?.setAttribute("aria-pressed", String(isDark()));
	};
	if (choice !== "light" && choice !== "dark") choice = null;
	show();
	dark.addEventListener("change", show);

	document.addEventListener("DOMContentLoaded", () => {
		const place = document.getElementById("site-theme");
		if (!place) return;
		button = document.createElement("button");
		button.type = "button";
		button.className = "theme-toggle";
		button.setAttribute("aria-label", place.dataset.label);
		button.title = place.dataset.label;
		button.addEventListener("click", () => {
			const want = isDark() ? "light" : "dark";
			choice = want === (dark.matches ? "dark" : "light") ? null : want;
			store.set(choice);
			show();
		});
		place.append(button);
		show();
	});
})();
