/*
 * Shows the steps of a staircase one at a time. The steps, their numbers and their code are on the
 * page as a list; without scripts, and in print, the list is what one reads. The address keeps the
 * step, so that a link to it opens it.
 */
(() => {
	const make = (name, cls, text = "") => {
		const e = document.createElement(name);
		e.className = cls;
		e.textContent = text;
		return e;
	};
	const button = (cls, text, go) => {
		const b = make("button", cls, text);
		b.type = "button";
		b.addEventListener("click", go);
		return b;
	};
	const start = (figure) => {
		const list = figure.querySelector(".steps"), steps = [...list.children], said = list.dataset;
		let at = -1;
		const go = (i) => {
			if (i < 0 || i >= steps.length || i === at) return;
			figure.classList.toggle("moved", at >= 0);
			at = i;
			steps.forEach((s, n) => s.classList.toggle("now", n === i));
			tabs.forEach((t, n) => {
				t.classList.toggle("done", n < i);
				if (n === i) t.setAttribute("aria-current", "step");
				else t.removeAttribute("aria-current");
			});
			const row = tab.getBoundingClientRect(), box = tabs[i].getBoundingClientRect();
			tab.scrollLeft += Math.min(0, box.left - row.left) + Math.max(0, box.right - row.right);
			back.ariaDisabled = i === 0; /* not disabled: they keep their focus */
			next.ariaDisabled = i === steps.length - 1;
		};
		/* by the reader's hand: the address keeps it */
		const move = (i) => {
			go(i);
			if (tab.contains(document.activeElement)) tabs[at].focus({ preventScroll: true });
			history.replaceState(null, "", `#${steps[at].id}`);
		};
		const tab = make("ol", "step-tabs");
		tab.setAttribute("aria-label", said.label);
		const tabs = steps.map((s, i) => {
			const b = button("", "", () => move(i)), li = make("li", "");
			const value = s.querySelector(".step-head > .num").firstChild.textContent;
			b.append(make("b", "", value), `${i + 1} ${s.querySelector(".step-title").textContent}`);
			li.append(b);
			tab.append(li);
			return b;
		});
		const foot = make("div", "step-move");
		const back = button("back", `← ${said.back}`, () => move(at - 1));
		const next = button("next", `${said.next} →`, () => move(at + 1));
		foot.append(back, next);
		list.before(tab);
		list.after(foot);
		list.setAttribute("aria-live", "polite");
		figure.classList.add("live");
		figure.addEventListener("keydown", (e) => {
			if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest("pre, input")) return;
			const by = { ArrowRight: at + 1, ArrowLeft: at - 1 }[e.key];
			if (by === undefined && !/^[1-9]$/.test(e.key)) return;
			e.preventDefault();
			e.stopPropagation();
			move(by ?? Number(e.key) - 1);
		});
		const named = () => steps.findIndex((s) => `#${s.id}` === location.hash);
		window.addEventListener("hashchange", () => {
			go(named());
			if (named() === at) steps[at].scrollIntoView();
		});
		go(Math.max(0, named()));
	};
	document.addEventListener("DOMContentLoaded", () => {
		for (const figure of document.querySelectorAll(".staircase")) start(figure);
	});
})();
