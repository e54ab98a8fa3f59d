#include "site-gen/pages/near.h"

#include "site-gen/base/html.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/pages/family_rows.h"
#include "site-gen/pages/headline_draw.h"

struct near {
	struct expand_ctx *ctx;
	const struct family_row *row;
	size_t n;
	struct sb *to;
};

/* Is it drawn, under the roof of memory or of arithmetic? */
static bool is_under(const struct family_row *r, bool memory)
{
	return r->has && r->r.peak && (r->r.metric == METRIC_BANDWIDTH) == memory;
}

static void text(const struct near *n, const char *s)
{
	html_text(n->to, str_of(s));
}

static void put_row(const struct near *n, const struct family_row *r)
{
	html_raw(n->to, "<li>");
	kind_link(n->ctx, family_row_page(n->ctx, r), r->title, n->to);
	html_raw(n->to, " ");
	headline_draw_bar(&r->r, n->to);
	html_raw(n->to, " ");
	number_link(n->ctx, &r->r.share, "percent", NULL, n->to);
	html_raw(n->to, "</li>\n");
}

static void put_list(const struct near *n, bool memory, const char *key)
{
	bool any = false;
	for (size_t i = 0; i < n->n; i++) {
		if (!is_under(&n->row[i], memory))
			continue;
		if (!any) {
			html_raw(n->to, "<div><h3>");
			text(n, words_get(n->ctx->words, key));
			html_raw(n->to, "</h3>\n<ol>\n");
		}
		any = true;
		put_row(n, &n->row[i]);
	}
	if (any)
		html_raw(n->to, "</ol></div>\n");
}

void near_write(struct expand_ctx *ctx, const struct headlines *h, struct sb *to)
{
	struct family_row *row;
	size_t drawn = 0, n = family_rows(ctx, h, NULL, 0, &row);
	for (size_t i = 0; i < n; i++)
		drawn += is_under(&row[i], true) || is_under(&row[i], false);
	if (drawn == 0)
		return;
	const struct near all = {ctx, row, n, to};
	html_raw(to, "<div class=\"near\">\n");
	ctx->in_block = true; /* no intervals beside the numbers */
	put_list(&all, true, "near_memory");
	put_list(&all, false, "near_arithmetic");
	ctx->in_block = false;
	html_raw(to, "</div>\n");
}
