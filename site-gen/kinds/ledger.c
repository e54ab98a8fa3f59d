#include "site-gen/kinds/ledger.h"

#include <stdlib.h>
#include <string.h>

#include "site-gen/kinds/tables.h"
#include "site-gen/base/html.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/lua/words.h"
#include "site-gen/kinds/prediction.h"

/* --- counting ------------------------------------------------------------------ */

static bool decided(enum prediction_verdict v)
{
	return v == PREDICTION_HELD || v == PREDICTION_MISSED;
}

static void score(struct ledger_score *s, enum prediction_verdict v)
{
	s->decided += decided(v);
	s->hits += v == PREDICTION_HELD;
}

static int bucket(double confidence)
{
	return confidence < 0.5 ? 0 : confidence < 0.7 ? 1 : confidence < 0.9 ? 2 : 3;
}

/* Counts a prediction. Only a foretold and decided one counts in the scores. */
static void count(struct ledger *l, const struct prediction *p)
{
	const struct prediction_test *k = p->main;
	l->count[p->verdict]++;
	if (!decided(p->verdict))
		return;
	score(&l->limiter, k->limiter);
	score(&l->interval, k->interval);
	l->above += k->interval == PREDICTION_MISSED && k->error > 0;
	l->below += k->interval == PREDICTION_MISSED && k->error < 0;
	int b = bucket(p->confidence);
	double held = p->verdict == PREDICTION_HELD;
	score(&l->sure[b], p->verdict);
	l->stated[b] += p->confidence;
	l->brier += (p->confidence - held) * (p->confidence - held);
}

static int by_verdict(const void *pa, const void *pb)
{
	const struct prediction *a = *(const struct prediction *const *)pa;
	const struct prediction *b = *(const struct prediction *const *)pb;
	if (a->verdict != b->verdict)
		return a->verdict < b->verdict ? -1 : 1;
	if (a->added_at != b->added_at)
		return a->added_at > b->added_at ? -1 : 1;
	return strcmp(a->id, b->id);
}

struct ledger ledger_of(const struct predictions *all, const char *series, struct arena *a)
{
	struct ledger l = {.row = ARENA_ARRAY(a, const struct prediction *, all->n + 1)};
	size_t n = 0;
	for (size_t i = 0; i < all->n; i++) {
		const struct prediction *p = &all->all[i];
		if (series && (!p->series || strcmp(p->series, series) != 0))
			continue;
		l.row[l.n++] = p;
		count(&l, p);
		n += decided(p->verdict);
	}
	if (l.n > 0)
		qsort(l.row, l.n, sizeof *l.row, by_verdict);
	for (int b = 0; b < LEDGER_BUCKETS; b++)
		if (l.sure[b].decided > 0)
			l.stated[b] /= (double)l.sure[b].decided;
	if (n > 0)
		l.brier /= (double)n;
	return l;
}

/* The family that a prediction speaks of: the first part of its selector. */
static struct str family_of(const struct prediction *p)
{
	struct str text = str_of(p->selector);
	size_t end = str_find(text, '/', 0);
	return str_sub(text, 0, end);
}

struct ledger ledger_of_family(const struct ledger *all, const char *family, struct arena *a)
{
	struct ledger l = {.row = ARENA_ARRAY(a, const struct prediction *, all->n + 1)};
	for (size_t i = 0; i < all->n; i++)
		if (str_is(family_of(all->row[i]), family)) {
			l.row[l.n++] = all->row[i];
			count(&l, all->row[i]);
		}
	return l;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **ledger_families(const struct ledger *all, struct arena *a, size_t *n)
{
	const char **names = ARENA_ARRAY(a, const char *, all->n + 1);
	*n = 0;
	for (size_t i = 0; i < all->n; i++) {
		struct str name = family_of(all->row[i]);
		size_t k = 0;
		while (k < *n && !str_is(name, names[k]))
			k++;
		if (k == *n)
			names[(*n)++] = str_dup(a, name);
	}
	if (*n > 0)
		qsort(names, *n, sizeof *names, by_name);
	return names;
}

/* --- printing -------------------------------------------------------------------- */

struct printer {
	struct expand_ctx *ctx;
	const struct ledger *l;
	struct sb *to;
};

static const char *word(const struct printer *p, const char *key)
{
	return words_get(p->ctx->words, key);
}

static void fact(const struct printer *p, const char *key, const char *value)
{
	html_raw(p->to, "<div><dt>");
	html_text(p->to, str_of(word(p, key)));
	html_raw(p->to, "</dt><dd>");
	html_text(p->to, str_of(value));
	html_raw(p->to, "</dd></div>\n");
}

static const char *of(const struct printer *p, struct ledger_score s)
{
	struct arena *a = p->ctx->arena;
	return words_fill(p->ctx->words, a, "ledger_of", arena_printf(a, "%zu", s.hits),
	                  arena_printf(a, "%zu", s.decided));
}

/* "3 missed, 4 held, 1 untested"; leaves out zeros. */
static void counts(const struct printer *p)
{
	static const char *const keys[PREDICTION_VERDICTS] = {
	        "ledger_missed",  "ledger_held",         "ledger_undecided",
	        "ledger_amended", "ledger_not_foretold", "ledger_untested"};
	bool any = false;
	for (int v = 0; v < PREDICTION_VERDICTS; v++) {
		if (p->l->count[v] == 0)
			continue;
		const char *n = arena_printf(p->ctx->arena, "%zu", p->l->count[v]);
		html_raw(p->to, any ? " · <span data-verdict=\"" : "<span data-verdict=\"");
		html_raw(p->to, prediction_verdict_name((enum prediction_verdict)v));
		html_raw(p->to, "\">");
		html_text(p->to,
		          str_of(words_fill(p->ctx->words, p->ctx->arena, keys[v], n, NULL)));
		html_raw(p->to, "</span>");
		any = true;
	}
	if (!any)
		html_text(p->to, str_of(word(p, "ledger_empty")));
}

static void scores(const struct printer *p)
{
	const struct ledger *l = p->l;
	struct arena *a = p->ctx->arena;
	if (l->interval.decided + l->limiter.decided == 0)
		return;
	html_raw(p->to, "<dl class=\"facts\">\n");
	if (l->interval.decided > 0)
		fact(p, "ledger_intervals", of(p, l->interval));
	if (l->limiter.decided > 0)
		fact(p, "ledger_limiters", of(p, l->limiter));
	if (l->above + l->below > 0)
		fact(p, "ledger_errors",
		     words_fill(p->ctx->words, a, "ledger_above_below",
		                arena_printf(a, "%zu", l->above),
		                arena_printf(a, "%zu", l->below)));
	fact(p, "ledger_brier", arena_printf(a, "%.2f", l->brier));
	html_raw(p->to, "</dl>\n");
}

static void head(const struct printer *p, const char *const *keys, size_t n, const char *right)
{
	html_raw(p->to, "<thead><tr>");
	for (size_t i = 0; i < n; i++) {
		html_raw(p->to, right[i] == 'r' ? "<th scope=\"col\" class=\"right\">"
		                                : "<th scope=\"col\">");
		html_text(p->to, str_of(word(p, keys[i])));
		html_raw(p->to, "</th>");
	}
	html_raw(p->to, "</tr></thead><tbody>\n");
}

/* The table of calibration: stated confidence against the share that held. */
static void calibration(const struct printer *p)
{
	static const char *const keys[] = {"ledger_sure", "ledger_stated", "ledger_held_of"};
	static const char *const ranges[LEDGER_BUCKETS] = {"0–0.5", "0.5–0.7", "0.7–0.9", "0.9–1"};
	const struct ledger *l = p->l;
	size_t any = 0;
	for (int b = 0; b < LEDGER_BUCKETS; b++)
		any += l->sure[b].decided;
	if (any == 0)
		return;
	table_open(p->to, "calibration");
	head(p, keys, 3, "lrr");
	for (int b = 0; b < LEDGER_BUCKETS; b++) {
		if (l->sure[b].decided == 0)
			continue;
		html_raw(p->to, "<tr><th scope=\"row\">");
		html_text(p->to, str_of(ranges[b]));
		sb_printf(p->to, "</th><td class=\"right\">%.2f</td><td class=\"right\">",
		          l->stated[b]);
		html_text(p->to, str_of(of(p, l->sure[b])));
		html_raw(p->to, "</td></tr>\n");
	}
	html_raw(p->to, "</tbody>");
	table_close(p->to);
}

static void row(const struct printer *p, const struct prediction *x)
{
	struct sb says = {0};
	html_raw(p->to, "<tr data-verdict=\"");
	html_raw(p->to, prediction_verdict_name(x->verdict));
	html_raw(p->to, "\"><th scope=\"row\"><a class=\"predicted\"");
	html_raw(p->to, prediction_title_lang(x, p->ctx->words));
	html_raw(p->to, " href=\"");
	html_url(p->to, str_of(p->ctx->base));
	html_url(p->to, str_of(x->url));
	html_raw(p->to, "\">");
	prediction_claim(x, p->ctx->words, p->to);
	html_raw(p->to, "</a></th>");
	table_cell(p->to, "left", word(p, "prediction_predicted"));
	html_raw(p->to, "<span class=\"num predicted\" data-prediction=\"");
	html_attr(p->to, str_of(x->id));
	html_raw(p->to, "\">");
	prediction_range(x, p->ctx->words, p->ctx->arena, &says);
	html_text(p->to, sb_view(&says));
	html_raw(p->to, "</span></td>");
	table_cell(p->to, "right", word(p, "prediction_measured"));
	if (x->main && x->main->has_number)
		prediction_number(p->ctx, x->main, NULL, p->to);
	else
		prediction_unmeasured(p->ctx, x->why ? x->why : "only a limiter was predicted",
		                      &x->none, p->to);
	html_raw(p->to, "</td><td class=\"left\">");
	prediction_badge(x, p->ctx->words, p->to);
	html_raw(p->to, "</td><td class=\"right\" data-label=\"");
	html_attr(p->to, str_of(word(p, "prediction_confidence")));
	sb_printf(p->to, "\">%.2f</td></tr>\n", x->confidence);
	sb_free(&says);
}

void ledger_counts(struct expand_ctx *ctx, const struct ledger *l, struct sb *to)
{
	counts(&(struct printer){ctx, l, to});
}

void ledger_sums(struct expand_ctx *ctx, const struct ledger *l, struct sb *to)
{
	struct printer p = {ctx, l, to};
	html_raw(to, "<p class=\"ledger-sum\">");
	counts(&p);
	html_raw(to, "</p>\n");
	scores(&p);
	ledger_curve(ctx->words, l, ctx->arena, to);
	calibration(&p);
}

void ledger_rows(struct expand_ctx *ctx, const struct ledger *l, int verdict, struct sb *to)
{
	static const char *const keys[] = {"prediction", "prediction_predicted",
	                                   "prediction_measured", "prediction_verdict",
	                                   "prediction_confidence"};
	struct printer p = {ctx, l, to};
	size_t n = verdict < 0 ? l->n : l->count[verdict];
	if (n == 0)
		return;
	table_open(to, "ledger stack");
	head(&p, keys, 5, "llrlr");
	for (size_t i = 0; i < l->n; i++)
		if (verdict < 0 || (int)l->row[i]->verdict == verdict)
			row(&p, l->row[i]);
	html_raw(to, "</tbody>");
	table_close(to);
}

/* --- the kind ledger ---------------------------------------------------------------------- */

bool kind_ledger(struct kind_call *k, struct err *e)
{
	struct str series = placeholder_key(k->p, "series");
	const char *name = series.p ? str_dup(k->ctx->arena, series) : NULL;
	struct ledger l = ledger_of(prediction_all(k->ctx->data), name, k->ctx->arena);
	if (name && l.n == 0)
		return err_at(e, placeholder_loc(k->p, series), "no prediction has the series '%s'",
		              name);
	struct sb caption = {0};
	html_text(&caption, str_of(name ? words_fill(k->ctx->words, k->ctx->arena,
	                                             "ledger_caption_of", name, NULL)
	                                : words_get(k->ctx->words, "ledger_caption")));
	block_open(k, caption.p);
	ledger_sums(k->ctx, &l, k->to);
	ledger_squares(k->ctx, &l, k->to);
	ledger_rows(k->ctx, &l, LEDGER_ALL, k->to);
	block_close(k);
	sb_free(&caption);
	return true;
}
