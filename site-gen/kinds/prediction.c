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

/* --- prediction: a row that opens ------------------------------------------------------ */

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

/* The prediction as a number that the audit reads again, in full or in short. */
static void put_said(struct expand_ctx *ctx, const struct prediction *p, bool in_short,
                     struct sb *to)
{
	struct sb says = {0};
	html_raw(to, "<span class=\"num predicted\" data-prediction=\"");
	html_attr(to, str_of(p->id));
	html_raw(to, "\">");
	(in_short ? prediction_range : prediction_says)(p, ctx->words, ctx->arena, &says);
	html_text(to, sb_view(&says));
	html_raw(to, "</span>");
	sb_free(&says);
}

/* The case of the number in words, "the worst of 3 cases" if several decide. */
static void case_fact(struct expand_ctx *ctx, const struct prediction *p, struct sb *to)
{
	size_t deciding = 0;
	if (!p->main)
		return;
	for (size_t i = 0; i < p->ntests; i++)
		deciding += p->tests[i].decides;
	fact_open(ctx, "prediction_case", to);
	html_text(to, str_of(case_title(ctx->words, p->main->pick.d->c, ctx->arena)));
	if (deciding > 1)
		html_text(to, str_of(words_fill(ctx->words, ctx->arena, "prediction_worst",
		                                arena_printf(ctx->arena, "%zu", deciding), NULL)));
	fact_close(to);
}

static bool has_number(const struct prediction *p)
{
	return p->main && p->main->has_number;
}

static bool has_limiter(const struct prediction *p)
{
	const struct prediction_test *k = p->main;
	return k && k->limiter != PREDICTION_UNTESTED && k->found.limiter != LIMITER_NONE;
}

/* `again`: the number, which a row has already, with its interval. */
static void facts(struct expand_ctx *ctx, const struct prediction *p, bool again, struct sb *to)
{
	html_raw(to, "<dl class=\"facts\">\n");
	case_fact(ctx, p, to);
	fact_open(ctx, "prediction_predicted", to);
	put_said(ctx, p, false, to);
	fact_close(to);
	if (again && has_number(p)) {
		fact_open(ctx, "prediction_measured", to);
		prediction_number(ctx, p->main, NULL, to);
		number_interval(&p->main->n, to);
		fact_close(to);
	}
	if (has_limiter(p)) {
		fact_open(ctx, "prediction_limiter", to);
		html_text(to, str_of(prediction_limiter_word(p->main->found.limiter, ctx->words)));
		fact_close(to);
	}
	fact_open(ctx, "prediction_confidence", to);
	sb_printf(to, "%.2f", p->confidence);
	fact_close(to);
	html_raw(to, "</dl>\n");
	if (!p->why)
		return;
	html_raw(to, "<p class=\"why\">");
	prediction_why(p, ctx->words, to);
	html_raw(to, "</p>\n");
}

void prediction_facts(struct expand_ctx *ctx, const struct prediction *p, struct sb *to)
{
	prediction_drawing(p, ctx->words, ctx->arena, to);
	facts(ctx, p, true, to);
}

static void part_head(const struct expand_ctx *ctx, const char *key, struct sb *to)
{
	html_raw(to, "<p class=\"pred-part\">");
	html_text(to, str_of(words_get(ctx->words, key)));
	html_raw(to, "</p>\n");
}

static void put_reasoning(struct expand_ctx *ctx, const struct prediction *p, struct sb *to)
{
	if (p->reasoning.n == 0)
		return;
	part_head(ctx, "prediction_reasoning", to);
	html_raw(to, "<div class=\"predicted\"");
	html_raw(to, words_record_lang(ctx->words));
	html_raw(to, ">\n");
	sb_str(to, p->reasoning);
	html_raw(to, "</div>\n");
}

static void put_page(const struct expand_ctx *ctx, const struct prediction *p, struct sb *to)
{
	html_raw(to, "<p class=\"fine\"><a href=\"");
	html_url(to, str_of(ctx->base));
	html_url(to, str_of(p->url));
	html_raw(to, "\">");
	html_text(to, str_of(words_get(ctx->words, "prediction_all")));
	html_raw(to, "</a></p>\n");
}

static void word(const struct expand_ctx *ctx, const char *key, struct sb *to)
{
	html_text(to, str_of(words_get(ctx->words, key)));
	html_raw(to, " ");
}

/* In the row, but beside its summary, since a button has no link within. */
static void put_measured(struct expand_ctx *ctx, const struct prediction *p, struct sb *to)
{
	if (!has_number(p))
		return;
	html_raw(to, "<p class=\"pred-measured\">");
	word(ctx, "prediction_measured", to);
	prediction_number(ctx, p->main, NULL, to);
	html_raw(to, "</p>\n");
}

/* Claim, range, scale, verdict: with the measurement what the row shows while it is closed. */
static void put_row(struct expand_ctx *ctx, const struct prediction *p, struct sb *to)
{
	html_raw(to, "<summary><span class=\"pred-claim\"");
	html_raw(to, prediction_title_lang(p, ctx->words));
	html_raw(to, ">");
	prediction_claim(p, ctx->words, to);
	html_raw(to, "</span>\n<span class=\"pred-both\"><span>");
	word(ctx, "prediction_predicted", to);
	put_said(ctx, p, true, to);
	html_raw(to, "</span>\n<span>");
	if (!has_number(p) && has_limiter(p)) {
		word(ctx, "prediction_limiter", to);
		html_text(to, str_of(prediction_limiter_word(p->main->found.limiter, ctx->words)));
	}
	html_raw(to, "</span></span>\n");
	prediction_drawing(p, ctx->words, ctx->arena, to);
	prediction_badge(p, ctx->words, to);
	html_raw(to, "</summary>\n");
}

bool kind_prediction(struct kind_call *k, struct err *e)
{
	const struct prediction *p = find(k, e);
	int figure = k->ctx->figure;
	if (!p)
		return false;
	block_open(k, NULL);
	html_raw(k->to, "<details>");
	k->ctx->figure = 0; /* one number needs no CSV */
	put_row(k->ctx, p, k->to);
	facts(k->ctx, p, false, k->to);
	put_reasoning(k->ctx, p, k->to);
	part_head(k->ctx, "prediction_proof", k->to);
	prediction_proof(p, k->ctx->words, k->ctx->arena, k->to);
	put_page(k->ctx, p, k->to);
	html_raw(k->to, "</details>\n");
	put_measured(k->ctx, p, k->to);
	k->ctx->figure = figure;
	block_close(k);
	return true;
}
