/*
 * waive: a text with numbers that its author typed by hand, with a reason. The lint
 * (markdown/traced.h) skips it, and the page of waivers lists it.
 */
#include "site-gen/base/unicode.h"
#include "site-gen/base/html.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/base/rules.h"

bool kind_waive(struct kind_call *k, struct err *e)
{
	struct str why = str_trim(k->p->word[0]);
	switch (k->span->step) {
	case SPAN_SEEN:
		if (!unicode_is_visible(why))
			return rule_err(e, RULE_TRACED, placeholder_loc(k->p, k->p->word[0]),
			                "waiver without a reason, expected <<bench:%s>>",
			                k->kind->usage);
		return true;
	case SPAN_OPEN:
		html_raw(k->to, "<span class=\"waived\" title=\"");
		html_attr(k->to, why);
		html_raw(k->to, "\">");
		return true;
	case SPAN_CLOSE:
		html_raw(k->to, "</span>");
		return true;
	}
	return true;
}
