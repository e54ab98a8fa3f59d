/* The kinds predicted and prediction. */
#include <string.h>

#include "site-gen/base/html.h"
#include "site-gen/numbers/case.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/lua/words.h"
#include "site-gen/kinds/prediction.h"

static const struct prediction *find(struct kind_call *k, struct err *e)
{
	enum { FAR = 24 };
	const struct predictions *all = prediction_all(k->ctx->data);
	struct str id = k->p->word[0];
	const struct prediction *p = prediction_find(all, id), *near = NULL;
	size_t least = FAR;
	for (size_t i = 0; !p && i < all->n; i++) {
		size_t d = str_distance(id, str_of(all->all[i].id), FAR);
		if (d < least)
			near = &all->all[i], least = d;
	}
	if (!p && near)
		err_at(e, placeholder_loc(k->p, id), "no prediction '" STR_FMT "', nearest is '%s'",
		       STR_ARG(id), near->id);
	else if (!p)
		err_at(e, placeholder_loc(k->p, id),
		       "no prediction '" STR_FMT "', expected the name of a file in "
		       "data/predictions",
		       STR_ARG(id));
	return p;
}

/* --- predicted: in a sentence ------------------------------------------------------ */

static void put_page_link(const struct expand_ctx *ctx, const struct prediction *p, struct sb *to)
{
	html_raw(to, "<a class=\"num predicted\" data-prediction=\"");
	html_attr(to, str_of(p->id));
	html_raw(to, "\" href=\"");
	html_url(to, str_of(ctx->base));
	html_url(to, str_of(p->url));
	html_raw(to, "\" title=\"");
	html_attr(to, str_of(prediction_title(p, ctx->words)));
	html_raw(to, "\">");
}

bool kind_predicted(struct kind_call *k, struct err *e)
{
	const struct prediction *p = find(k, e);
	const struct words *w = k->ctx->words;
	struct sb says = {0};
	if (!p)
		return false;
	prediction_says(p, w, k->ctx->arena, &says);
	if (!k->html) {
		sb_printf(k->to, "%s%s", says.p, words_get(w, "bracket_open"));
		prediction_outcome(p, w, k->to);
		sb_cstr(k->to, words_get(w, "bracket_close"));
		sb_free(&says);
		return true;
	}
	put_page_link(k->ctx, p, k->to);
	html_text(k->to, sb_view(&says));
	html_raw(k->to, "</a>");
	html_text(k->to, str_of(words_get(w, "bracket_open")));
	prediction_badge(p, w, k->to);
	if (p->main && p->main->has_number) {
		html_text(k->to, str_of(words_get(w, "colon")));
		prediction_number(k->ctx, p->main, prediction_title(p, w), k->to);
	}
	html_text(k->to, str_of(words_get(w, "bracket_close")));
	sb_free(&says);
	return true;
}

/* --- prediction: a box ----------------------------------------------------------------- */

static void fact_open(const struct expand_ctx *ctx, const char *key, struct sb *to)
{
	html_raw(to, "<div><dt>");
	html_text(to, str_of(words_get(ctx->words, key)));
	html_raw(to, "</dt><dd>");
}

static void fact_close(struct sb *to)
{
	html_raw(to, "</dd></div>\n");
}

static void predicted_fact(struct expand_ctx *ctx, const struct prediction *p, struct sb *to)
{
	struct sb says = {0};
	fact_open(ctx, "prediction_predicted", to);
	html_raw(to, "<span class=\"num predicted\" data-prediction=\"");
	html_attr(to, str_of(p->id));
	html_raw(to, "\">");
	prediction_says(p, ctx->words, ctx->arena, &says);
	html_text(to, sb_view(&says));
	html_raw(to, "</span>");
	fact_close(to);
	sb_free(&says);
}

/* Names the case of the number, if several cases decide: "nodes = 320, f32, hot". */
static void put_case(struct expand_ctx *ctx, const struct prediction *p, struct sb *to)
{
	size_t deciding = 0;
	for (size_t i = 0; i < p->ntests; i++)
		deciding += p->tests[i].decides;
	if (deciding < 2)
		return;
	html_raw(to, " <span class=\"idea\">");
	html_text(to, str_of(p->main->pick.d->c->variant));
	html_raw(to, ", ");
	html_text(to, str_of(case_words(ctx->words, p->main->pick.d->c, ctx->arena)));
	html_raw(to, "</span>");
}

static void measured_fact(struct expand_ctx *ctx, const struct prediction *p, struct sb *to)
{
	const struct prediction_test *k = p->main;
	if (k && k->has_number) {
		fact_open(ctx, "prediction_measured", to);
		prediction_number(ctx, k, NULL, to);
		number_interval(&k->n, to);
		put_case(ctx, p, to);
		fact_close(to);
	}
	if (k && k->limiter != PREDICTION_UNTESTED && k->found.limiter != LIMITER_NONE) {
		fact_open(ctx, "prediction_limiter", to);
		html_text(to, str_of(prediction_limiter_word(k->found.limiter, ctx->words)));
		fact_close(to);
	}
}

void prediction_facts(struct expand_ctx *ctx, const struct prediction *p, struct sb *to)
{
	html_raw(to, "<dl class=\"facts\">\n");
	fact_open(ctx, "prediction_selector", to);
	html_raw(to, "<code>");
	html_text(to, str_of(p->selector));
	html_raw(to, "</code>");
	fact_close(to);
	predicted_fact(ctx, p, to);
	measured_fact(ctx, p, to);
	fact_open(ctx, "prediction_confidence", to);
	sb_printf(to, "%.2f", p->confidence);
	fact_close(to);
	html_raw(to, "</dl>\n");
	prediction_drawing(p, ctx->words, to);
	if (!p->why)
		return;
	html_raw(to, "<p class=\"why\">");
	html_text(to, str_of(words_label(ctx->words, p->why)));
	html_raw(to, "</p>\n");
}

static void put_reasoning(struct expand_ctx *ctx, const struct prediction *p, struct sb *to)
{
	if (p->reasoning.n == 0)
		return;
	html_raw(to, "<details class=\"reasoning\"><summary>");
	html_text(to, str_of(words_get(ctx->words, "prediction_reasoning")));
	html_raw(to, "</summary>\n<div class=\"predicted\"");
	html_raw(to, words_record_lang(ctx->words));
	html_raw(to, ">\n");
	sb_str(to, p->reasoning);
	html_raw(to, "</div></details>\n");
}

bool kind_prediction(struct kind_call *k, struct err *e)
{
	const struct prediction *p = find(k, e);
	struct sb caption = {0};
	if (!p)
		return false;
	html_raw(&caption, "<span class=\"label\">");
	html_text(&caption, str_of(words_get(k->ctx->words, "prediction")));
	html_raw(&caption, "</span> <a class=\"predicted\"");
	html_raw(&caption, prediction_title_lang(p, k->ctx->words));
	html_raw(&caption, " href=\"");
	html_url(&caption, str_of(k->ctx->base));
	html_url(&caption, str_of(p->url));
	html_raw(&caption, "\">");
	html_text(&caption, str_of(prediction_title(p, k->ctx->words)));
	html_raw(&caption, "</a> ");
	prediction_badge(p, k->ctx->words, &caption);
	block_open(k, caption.p);
	prediction_facts(k->ctx, p, k->to);
	put_reasoning(k->ctx, p, k->to);
	html_raw(k->to, "<details class=\"proof\"><summary>");
	html_text(k->to, str_of(words_get(k->ctx->words, "prediction_proof")));
	html_raw(k->to, "</summary>\n");
	prediction_proof(p, k->ctx->words, k->ctx->arena, k->to);
	html_raw(k->to, "</details>\n");
	block_close(k);
	sb_free(&caption);
	return true;
}
