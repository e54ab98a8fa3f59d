#include "site-gen/markdown/traced.h"

#include "site-gen/lint/lint.h"

const char traced_in_text[] = "write a placeholder, cite it, or waive it with a reason: "
                              "<<bench:waive \"why\">>…<</bench:waive>>";
const char traced_on_every_page[] = "no record stands behind what is on every page; leave it out";

void traced_add_message(struct traced_found **list, struct arena *a, struct loc at,
                        const char *message)
{
	struct traced_found *f = ARENA_NEW(a, struct traced_found);
	*f = (struct traced_found){.at = at, .what = message, .next = *list};
	*list = f;
}

void traced_add(struct traced_found **list, struct arena *a, struct loc at, struct str text,
                const char *what, const char *advice)
{
	const char *message =
	        what == lint_comparison
	                ? arena_printf(a, "'" STR_FMT "' is %s, which a claim must hold; %s",
	                               STR_ARG(text), what, advice)
	                : arena_printf(a, "'" STR_FMT "' is a hand-typed number (%s); %s",
	                               STR_ARG(text), what, advice);
	traced_add_message(list, a, at, message);
	(*list)->text = text;
}

void traced_say(const struct traced_found *list, struct problems *to)
{
	for (const struct traced_found *f = list; f; f = f->next)
		problems_rule(to, RULE_TRACED, f->at, "%s", f->what);
}
