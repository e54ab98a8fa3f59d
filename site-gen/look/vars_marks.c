/* Template variables of the marks beside a page's numbers. */
#include "site-gen/look/vars.h"

#include "site-gen/lua/script.h"
#include "site-gen/lua/words.h"
#include "site-gen/numbers/number.h"
#include "site-gen/site/page.h"

void vars_marks(struct script *s, const struct page *p, const struct words *w)
{
	int64_t n[DATA_STATE_COUNT] = {0};
	for (const struct quote *q = p->numbers.quotes; q; q = q->next)
		n[number_case(&q->n)->state]++;
	for (const struct fact *f = p->numbers.facts; f; f = f->next) {
		n[DATA_STALE] += f->not_of.d != NULL;
		if (f->worst.d)
			n[f->worst.d->state]++;
	}
	script_begin(s, "marks", 0);
	for (int state = DATA_STATE_COUNT - 1; state > DATA_OK; state--) {
		const char *name = data_state_name((enum data_state)state);
		if (!n[state] || !data_state_marked((enum data_state)state))
			continue;
		script_begin(s, NULL, 3);
		script_cstr(s, "state", name);
		script_int(s, "count", n[state]);
		script_cstr(s, "text",
		            words_state_text(w, name, data_state_title((enum data_state)state)));
		script_end(s);
	}
	script_end(s);
}
