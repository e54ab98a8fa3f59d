/*
 * The switch of a page over several devices. It works without this script, which opens the device
 * that an address names, ?device=h100, or that a link's target belongs to, or that was chosen last.
 * The choice is kept in this browser only. Runs beside the switch, before the text is painted.
 */
(() => {
	const picks = [...document.querySelectorAll(".device-switch input")];
	const store = {
		get: () => { try { return localStorage.getItem("device"); } catch { return null; } },
		set: (v) => { try { localStorage.setItem("device", v); } catch { /* private mode */ } },
	};
	const named = (name) => name && picks.find((p) => p.value === name || p.dataset.also === name);
	const said = new URLSearchParams(location.search).get("device");
	const pick = named(said) ?? named(store.get());
	if (pick) pick.checked = true;
	for (const p of picks) p.addEventListener("change", () => store.set(p.value));

	/* A link to a figure opens the device whose figure it is. */
	const open = () => {
		const at = document.getElementById(decodeURIComponent(location.hash.slice(1)));
		const owner = named(at?.closest(".dev")?.dataset.device);
		if (!owner || owner.checked) return;
		owner.checked = true;
		at.scrollIntoView();
	};
	addEventListener("hashchange", open);
	document.addEventListener("DOMContentLoaded", open);
})();
