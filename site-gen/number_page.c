#include "site-gen/number_page.h"

#include <string.h>

#include "site-gen/html.h"

static void row(struct expand_ctx *ctx, const struct number *n, struct sb *to)
{
	const char *name = number_name(n, ctx->arena);
	html_raw(to, "<tr id=\"");
	html_attr(to, str_of(name));
	html_raw(to, "\"><th scope=\"row\">");
	html_text(to, str_of(name));
	html_raw(to, "</th><td class=\"right\">");
	number_link(ctx, n, "", NULL, to);
	number_interval(n, to);
	html_raw(to, "</td></tr>\n");
}

static bool shown_before(const struct site_quoted *quoted, size_t i, struct arena *a)
{
	const char *name = number_name(&quoted->by[i].q->n, a);
	for (size_t k = 0; k < i; k++)
		if (strcmp(number_name(&quoted->by[k].q->n, a), name) == 0)
			return true;
	return false;
}

void number_page_body(struct expand_ctx *ctx, const struct data_number *n,
                      const struct site_quoted *quoted, struct sb *to)
{
	html_raw(to, "<table class=\"numbers\"><tbody>\n");
	for (int m = 0; n->newest < n->nruns && m < METRIC_COUNT; m++) {
		struct pick p = {n->runs[n->newest], n->in[n->newest]};
		struct number v;
		if (number_of(&p, (enum metric)m, &v))
			row(ctx, &v, to);
	}
	for (size_t i = 0; i < quoted->n; i++)
		if (quoted->by[i].q->n.kind != NUMBER_VALUE && !shown_before(quoted, i, ctx->arena))
			row(ctx, &quoted->by[i].q->n, to);
	html_raw(to, "</tbody></table>\n<ul>\n");
	for (size_t i = 0; i < n->nruns; i++) {
		html_raw(to, "<li id=\"run-");
		html_attr(to, str_of(n->runs[i]->run.head.id));
		html_raw(to, "\">");
		html_text(to, str_of(n->runs[i]->run.head.id));
		html_raw(to, "</li>\n");
	}
	html_raw(to, "</ul>\n");
}
