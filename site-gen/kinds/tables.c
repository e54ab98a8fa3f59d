#include "site-gen/kinds/tables.h"

#include <string.h>

#include "site-gen/numbers/case.h"
#include "site-gen/base/html.h"

void table_open(struct sb *to, const char *classes)
{
	html_raw(to, "<div class=\"scroll\" tabindex=\"0\"><table class=\"numbers");
	if (*classes) {
		html_raw(to, " ");
		html_raw(to, classes);
	}
	html_raw(to, "\">\n");
}

void table_close(struct sb *to)
{
	html_raw(to, "</table></div>\n");
}

void table_head_open(struct sb *to, const char *classes, bool sorts)
{
	html_raw(to, "<th scope=\"col\"");
	if (*classes)
		html_attribute(to, "class", str_of(classes));
	html_raw(to, sorts ? "><span class=\"sort\">" : ">");
}

void table_head_close(struct sb *to, bool sorts)
{
	html_raw(to, sorts ? "</span></th>" : "</th>");
}

void table_sorted(struct sb *to, double value)
{
	sb_printf(to, " data-sort=\"%.6g\"", value);
}

void table_cell(struct sb *to, const char *classes, const char *label)
{
	html_raw(to, "<td class=\"");
	html_raw(to, classes);
	html_raw(to, "\" data-label=\"");
	html_attr(to, str_of(label));
	html_raw(to, "\">");
}

void table_number(struct kind_call *k, const struct number *n)
{
	number_link(k->ctx, n, "", NULL, k->to); /* the row and the head have the conditions */
	number_interval(n, k->to);
}

void table_state(const struct data_case *d, const struct words *w, struct sb *to)
{
	html_raw(to, "<td class=\"left\">");
	if (d->state != DATA_OK) {
		html_raw(to, "<span class=\"state\" data-state=\"");
		html_attr(to, str_of(data_state_name(d->state)));
		html_raw(to, "\" title=\"");
		html_attr(to, str_of(d->why_state));
		html_raw(to, "\">");
		html_text(to, str_of(words_state(w, data_state_name(d->state))));
		html_raw(to, "</span>");
	}
	html_raw(to, "</td>");
}

/* Opens <span class="…" lang="…"> for the text of a record; the caller closes it. */
static void open_said(const char *classes, const char *recorded, const struct words *w,
                      struct sb *to)
{
	struct words_said s = words_said(w, recorded);
	sb_printf(to, "<span class=\"%s\"%s>", classes, s.lang);
	html_text(to, str_of(s.text));
}

void table_name(const struct run_case *c, const struct words *w, struct sb *to)
{
	open_said("step-title", c->variant_title, w, to);
	if (strcmp(words_said(w, c->variant_title).text, c->variant) != 0) {
		html_raw(to, " <code>");
		html_text(to, str_of(c->variant));
		html_raw(to, "</code>");
	}
	html_raw(to, "</span>");
}

void table_variant(const struct run_case *c, const struct words *w, struct sb *to)
{
	html_raw(to, "<span class=\"swatch s-");
	sb_printf(to, "%d", case_colour(c));
	html_raw(to, "\"></span>");
	table_name(c, w, to);
}

void table_step(const struct run_case *c, const char *tag, const struct words *w, struct sb *to)
{
	table_name(c, w, to);
	if (tag) {
		html_raw(to, " <span class=\"badge\">");
		html_text(to, str_of(tag));
		html_raw(to, "</span>");
	}
	open_said("idea", c->idea, w, to);
	html_raw(to, "</span>");
}
