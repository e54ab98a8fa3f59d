/* "/" leads to the search, or into its field. */
addEventListener("keydown", (e) => {
	if (e.key !== "/" || e.ctrlKey || e.metaKey || e.altKey || e.target.closest?.("input,textarea,select,[contenteditable]")) return;
	const field = document.querySelector("#search input"), link = document.querySelector("a[data-search]");
	if (!field && !link) return;
	e.preventDefault();
	field ? field.focus() : link.click();
});
