#include "site-gen/pages/family_lead.h"

#include "site-gen/base/html.h"
#include "site-gen/numbers/case.h"

static void text(struct writer *w, const char *s)
{
	html_text(&w->to, str_of(s));
}

static void word(struct writer *w, const char *key)
{
	text(w, words_get(w->ctx->words, key));
}

static const char *title_of(const struct writer *w, const struct headline_step *s)
{
	return words_said(w->ctx->words, s->pick.d->c->variant_title).text;
}

/* "; 1.04× as fast as cuBLAS" */
static void put_ratio(struct writer *w, const struct headline_result *r, const struct number *n,
                      const struct headline_step *over)
{
	const struct words *words = w->ctx->words;
	word(w, "lead_comma");
	number_link(w->ctx, n, "ratio",
	            words_fill(words, w->ctx->arena, "board_faster", title_of(w, &r->best),
	                       title_of(w, over)),
	            &w->to);
	text(w, words_fill(words, w->ctx->arena, "lead_over", title_of(w, over), NULL));
}

static void put_limiter(struct writer *w, const struct headline_result *r)
{
	struct arena *a = w->ctx->arena;
	const char *name = limiter_name(r->limiter.limiter);
	const char *key = *name ? arena_printf(a, "lead_limit_%s", name) : "lead_limit_open";
	writer_paragraph(w, "lead-limit", words_get(w->ctx->words, key));
}

void family_lead_write(struct writer *w, const struct headline *h, const struct headline_result *r)
{
	const struct number *n = &r->best.n;
	html_raw(&w->to, "<p class=\"lead\"><span class=\"lead-case\">");
	text(w, headline_words(h, w->ctx->words)->name);
	html_raw(&w->to, "</span> <strong>");
	number_link(w->ctx, n, "", case_title(w->ctx->words, n->pick.d->c, w->ctx->arena), &w->to);
	html_raw(&w->to, "</strong>");
	text(w, words_fill(w->ctx->words, w->ctx->arena, "lead_by", title_of(w, &r->best), NULL));
	if (r->peak) {
		word(w, "lead_comma");
		number_link(w->ctx, &r->share, "percent", NULL, &w->to);
		word(w, "lead_share");
	}
	if (r->has_over_library)
		put_ratio(w, r, &r->over_library, r->library);
	if (r->has_over_eager && r->eager != r->library)
		put_ratio(w, r, &r->over_eager, r->eager);
	word(w, "lead_stop");
	html_raw(&w->to, "</p>\n");
	put_limiter(w, r);
}
