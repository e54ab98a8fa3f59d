/*
 * ladder: the table of a family's variants, in reading order, each with its gain over
 * the fastest of the steps above it. Ideas branch while reading order does not, so the
 * step directly above may be a slow detour, and a gain over that means nothing.
 *
 * The column of bars has an axis at its head: from 0 to the roof of the data sheet, with one named
 * tick, the best measured case that moves as many bytes. Without a data sheet the axis ends at the
 * longest bar.
 *
 * Steps without a case there are named below it, with the reason (absent.h).
 *
 * How to add a column:
 *   1. its head in head(), its cells in row(), and the number of columns in columns();
 *   2. the head's word in site-gen/lua/words.c, and in templates/words.lua for other languages;
 *   3. the phone's grid, `.ladder.stack` in static/site.css: it has a width for each column, and
 *      counts them (`nth-child`).
 */
#include <string.h>

#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/numbers/roof.h"
#include "site-gen/numbers/case.h"
#include "site-gen/kinds/absent.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/listing.h"
#include "site-gen/kinds/tables.h"
#include "site-gen/kinds/kinds.h"

static const char *const own_keys[] = {"metric", NULL};

enum { MOST_EXPLAINED = 6 }; /* rows; of more, a phone shows the ideas when asked */

/* The rows of a ladder, and the roofs of all of them. */
struct ladder {
	const struct pick *picks;
	size_t n;
	enum metric m;
	const struct data_spec *spec; /* theoretical; may be NULL */
	bool has_measured;
	struct number measured; /* achievable */
	bool has_longest;
	struct number longest; /* the row with the longest bar */
	size_t best;           /* the best own step; n: none */
	double scale;          /* full length of a bar, in the metric's unit */
};

static bool is_step(const struct pick *p, enum metric m, struct number *n)
{
	return strcmp(p->d->c->role, "kernel") == 0 && number_of(p, m, n);
}

/* Is a better than b? */
static bool is_better(const struct number *a, const struct number *b)
{
	return metric_info(a->metric)->higher_is_better ? a->value > b->value : a->value < b->value;
}

static void find_rows(struct ladder *l)
{
	struct number v, best = {.value = 0};
	l->best = l->n;
	for (size_t i = 0; i < l->n; i++) {
		if (number_of(&l->picks[i], l->m, &v) &&
		    (!l->has_longest || v.value > l->longest.value)) {
			l->longest = v;
			l->has_longest = true;
		}
		if (is_step(&l->picks[i], l->m, &v) && (l->best == l->n || is_better(&v, &best))) {
			best = v;
			l->best = i;
		}
	}
}

static void find_roofs(struct kind_call *k, struct ladder *l)
{
	struct pick ceiling;
	l->spec = roof_spec(k->ctx->data, &l->picks[0], l->m);
	for (size_t i = 0; i < l->n && !l->has_measured; i++)
		l->has_measured = roof_measured(k->ctx->data, &l->picks[i], l->m, &ceiling) &&
		                  number_of(&ceiling, l->m, &l->measured);
	if (l->n == 1 && l->has_measured && ceiling.d == l->picks[0].d)
		l->has_measured = false; /* the roof is the row itself */
	l->scale = l->spec ? l->spec->value : l->has_measured ? l->measured.value : 0;
	if (l->has_longest && l->longest.value > l->scale)
		l->scale = l->longest.value;
}

/* --- the head --- */

static void column_head(struct kind_call *k, const char *text)
{
	html_raw(k->to, "<th scope=\"col\" class=\"right\">");
	html_text(k->to, str_of(text));
	html_raw(k->to, "</th>");
}

/* The word for the roof: "best measured copy" for a case that does nothing else. */
static const char *roof_word(const struct run_case *c, struct arena *a)
{
	static const struct {
		const char *op, *word;
	} moves[] = {{"copy", "ladder_best_copy"}, {"read", "ladder_best_read"}};
	const char *op = query_value(c, "op", a);
	for (size_t i = 0; op && i < ARRAY_LEN(moves); i++)
		if (strcmp(op, moves[i].op) == 0)
			return moves[i].word;
	return "ladder_best";
}

/* "best measured copy 4.31 TB/s"; the title of the link names the case. */
static void roof_name(struct kind_call *k, const struct ladder *l)
{
	const struct words *w = k->ctx->words;
	const struct run_case *c = l->measured.pick.d->c;
	const char *title = data_is_instrument(c->family) ? "ladder_ceiling" : "ladder_roof";
	html_text(k->to, str_of(words_get(w, roof_word(c, k->ctx->arena))));
	sb_char(k->to, ' ');
	number_link(k->ctx, &l->measured, "roof",
	            words_fill(w, k->ctx->arena, title, case_title(w, c, k->ctx->arena), NULL),
	            k->to);
}

/* The tick stands at the edge of an empty drawing, which is as wide as the axis beyond it. */
static void tick(struct kind_call *k, const struct ladder *l)
{
	double at = 100 * l->measured.value / l->scale;
	bool left = at < 50; /* then the name has more room on the right */
	html_raw(k->to, left ? "<span class=\"bar-tick left\">" : "<span class=\"bar-tick\">");
	html_raw(k->to, "<span>");
	roof_name(k, l);
	sb_printf(k->to, "</span><svg width=\"%.2f%%\" height=\"14\" aria-hidden=\"true\">",
	          left ? at : 100 - at);
	html_raw(k->to, left ? "<line class=\"bar-roof\" x1=\"100%\" x2=\"100%\" y2=\"14\"/>"
	                     : "<line class=\"bar-roof\" y2=\"14\"/>");
	html_raw(k->to, "</svg></span>");
}

static bool spec_is_scale(const struct ladder *l)
{
	return l->spec && l->scale <= l->spec->value;
}

/* "0 … 4.8 TB/s data sheet" */
static void axis(struct kind_call *k, const struct ladder *l)
{
	const struct words *w = k->ctx->words;
	html_raw(k->to, "<span class=\"bar-axis\"><span>0</span><span>");
	if (spec_is_scale(l)) {
		number_spec_link(w, l->spec, k->to);
		sb_char(k->to, ' ');
		html_text(k->to, str_of(words_get(w, "ladder_sheet")));
	} else if (l->has_longest) {
		number_link(k->ctx,
		            l->has_measured && l->measured.value == l->scale ? &l->measured
		                                                             : &l->longest,
		            "", NULL, k->to);
	}
	html_raw(k->to, "</span></span>");
}

static void bar_head(struct kind_call *k, const struct ladder *l)
{
	html_raw(k->to, "<th scope=\"col\" class=\"bar-head\"><span class=\"visually-hidden\">");
	html_text(k->to, str_of(words_get(k->ctx->words, "ladder_bar")));
	html_raw(k->to, "</span>");
	if (l->has_measured)
		tick(k, l);
	if (l->scale > 0)
		axis(k, l);
	html_raw(k->to, "</th>");
}

/* Shares are of the data sheet, else of the best measured. */
static void share_head(struct kind_call *k, const struct ladder *l)
{
	if (!l->spec && !l->has_measured)
		return;
	html_raw(k->to, "<th scope=\"col\" class=\"right\">");
	html_text(k->to, str_of(words_get(k->ctx->words,
	                                  l->spec ? "ladder_of_spec" : "ladder_of_measured")));
	if (l->spec && !spec_is_scale(l)) {
		sb_char(k->to, ' ');
		number_spec_link(k->ctx->words, l->spec, k->to);
	}
	html_raw(k->to, "</th>");
}

static void head(struct kind_call *k, const struct ladder *l)
{
	const struct words *w = k->ctx->words;
	html_raw(k->to, "<thead><tr><th scope=\"col\">");
	html_text(k->to, str_of(words_get(w, "ladder_step")));
	html_raw(k->to, "</th>");
	bar_head(k, l);
	column_head(k, words_label(w, metric_info(l->m)->title));
	column_head(k, words_get(w, "ladder_gain"));
	share_head(k, l);
	html_raw(k->to, "</tr></thead><tbody>\n");
}

/* --- the bars --- */

static const char *bar_class(const struct ladder *l, size_t i)
{
	const char *role = l->picks[i].d->c->role;
	if (strcmp(role, "kernel") != 0)
		return strcmp(role, "peer") == 0 ? "library" : "other";
	return i == l->best ? "best" : "own";
}

static void bar(struct kind_call *k, const struct ladder *l, size_t i, const struct number *n)
{
	double roof = l->has_measured ? 100 * l->measured.value / l->scale : 0;
	html_raw(k->to, "<td class=\"bar\"><svg class=\"bar\" viewBox=\"0 0 100 10\" "
	                "preserveAspectRatio=\"none\" aria-hidden=\"true\">"
	                "<rect class=\"bar-track\" x=\"0\" y=\"0\" width=\"100\" height=\"10\"/>");
	sb_printf(k->to,
	          "<rect class=\"bar-fill %s\" x=\"0\" y=\"0\" width=\"%.2f\" height=\"10\"/>",
	          bar_class(l, i), 100 * n->value / l->scale);
	if (l->has_measured)
		sb_printf(k->to,
		          "<line class=\"bar-roof\" x1=\"%.2f\" y1=\"0\" x2=\"%.2f\" y2=\"10\"/>",
		          roof, roof);
	html_raw(k->to, "</svg></td>");
}

/* "■ own kernels ■ best ■ libraries", as far as the ladder has them. */
static void legend(struct kind_call *k, const struct ladder *l)
{
	static const struct {
		const char *class, *word;
	} inks[] = {
	        {"own", "ladder_own"}, {"best", "ladder_own_best"}, {"library", "ladder_library"}};
	if (l->picks[0].d->c->foreign)
		return; /* of another harness: nobody here knows whose code they are */
	html_raw(k->to, "<p class=\"ladder-key\">");
	for (size_t x = 0; x < ARRAY_LEN(inks); x++) {
		struct number v;
		size_t i = 0;
		while (i < l->n && (strcmp(bar_class(l, i), inks[x].class) != 0 ||
		                    !number_of(&l->picks[i], l->m, &v)))
			i++;
		if (i == l->n)
			continue;
		sb_printf(k->to, "<span class=\"ink %s\">", inks[x].class);
		html_text(k->to, str_of(words_get(k->ctx->words, inks[x].word)));
		html_raw(k->to, "</span> ");
	}
	html_raw(k->to, "</p>\n");
}

/* --- the rows --- */

/* The fastest step above picks[i] from the same run, or NULL. */
static const struct pick *best_above(const struct pick *picks, size_t i, enum metric m)
{
	const struct pick *best = NULL;
	struct number n, most;
	for (size_t j = 0; j < i; j++) {
		if (picks[j].run != picks[i].run || !is_step(&picks[j], m, &n))
			continue;
		if (best && !is_better(&n, &most))
			continue;
		best = &picks[j];
		most = n;
	}
	return best;
}

static bool any_above(const struct pick *picks, size_t i, enum metric m)
{
	struct number n;
	while (i-- > 0)
		if (is_step(&picks[i], m, &n))
			return true;
	return false;
}

/*
 * Writes the speed-up of the step picks[i] over the fastest step above it. A loss that the interval
 * shows is a change in per cent.
 */
static void put_gain(struct kind_call *k, const struct pick *picks, size_t i, enum metric m)
{
	const struct pick *p = &picks[i], *before = best_above(picks, i, m);
	if (!before) {
		if (any_above(picks, i, m))
			number_none(words_get(k->ctx->words, "ladder_other_run"), k->to);
		return;
	}
	struct number g = metric_info(m)->higher_is_better
	                          ? number_ratio(k->ctx->data, p, before, m, k->ctx->arena)
	                          : number_ratio(k->ctx->data, before, p, m, k->ctx->arena);
	const char *other = words_said(k->ctx->words, before->d->c->variant_title).text;
	g.as_loss = g.hi < 1;
	number_link(k->ctx, &g, "ratio",
	            words_fill(k->ctx->words, k->ctx->arena, "ratio_paired",
	                       words_said(k->ctx->words, p->d->c->variant_title).text, other),
	            k->to);
	html_raw(k->to, " <span class=\"visually-hidden\">");
	html_text(k->to,
	          str_of(words_fill(k->ctx->words, k->ctx->arena, "ladder_against", other, NULL)));
	html_raw(k->to, "</span>");
}

static void gain_cell(struct kind_call *k, const struct ladder *l, size_t i)
{
	struct number any;
	html_raw(k->to, "<td class=\"right gain\">");
	if (is_step(&l->picks[i], l->m, &any))
		put_gain(k, l->picks, i, l->m);
	html_raw(k->to, "</td>");
}

static void share_cell(struct kind_call *k, const struct ladder *l, const struct pick *p,
                       const struct number *n)
{
	struct number share;
	if (l->spec)
		share = number_percent(n, l->spec);
	else if (l->has_measured)
		share = number_share(k->ctx->data, p, &l->measured.pick, l->m, k->ctx->arena);
	else
		return;
	html_raw(k->to, "<td class=\"right share\">");
	number_link(k->ctx, &share, "percent", NULL,
	            k->to); /* the row's value has the conditions */
	html_raw(k->to, "</td>");
}

/* Columns after the step's name. */
static int columns(const struct ladder *l)
{
	enum { BAR = 1, VALUE = 1, GAIN = 1 };
	return BAR + VALUE + GAIN + (l->spec || l->has_measured);
}

/* "library", beside the name of a row that is one; else NULL. */
static const char *tag_of(const struct words *w, const struct run_case *c)
{
	return strcmp(c->role, "peer") == 0 ? words_get(w, "ladder_library") : NULL;
}

static void row(struct kind_call *k, const struct ladder *l, size_t i)
{
	const struct pick *p = &l->picks[i];
	const struct words *w = k->ctx->words;
	struct number n;
	bool has = number_of(p, l->m, &n);
	html_raw(k->to, "<tr class=\"");
	html_attr(k->to, str_of(has ? p->d->c->role : "none"));
	html_raw(k->to, i == l->best ? " best\">" : "\">");
	html_raw(k->to, "<th scope=\"row\">");
	table_step(p->d->c, tag_of(w, p->d->c), w, k->to);
	html_raw(k->to, "</th>");
	if (!has) {
		sb_printf(k->to, "<td class=\"left\" colspan=\"%d\">", columns(l));
		html_text(k->to, str_of(p->d->why_none ? reason_text(w, &p->d->none, k->ctx->arena)
		                                       : words_get(w, "none_metric")));
		html_raw(k->to, "</td></tr>\n");
		return;
	}
	bar(k, l, i, &n);
	html_raw(k->to, "<td class=\"right value\">");
	table_number(k, &n);
	html_raw(k->to, "</td>");
	gain_cell(k, l, i);
	share_cell(k, l, p, &n);
	html_raw(k->to, "</tr>\n");
}

static bool one_case_each(struct kind_call *k, const struct pick *picks, size_t n, struct err *e)
{
	for (size_t i = 1; i < n; i++)
		if (strcmp(picks[0].d->c->family, picks[i].d->c->family) != 0)
			return err_at(e, k->p->at,
			              "a ladder shows one family, '" STR_FMT "' has %s and %s",
			              STR_ARG(k->p->word[0]), picks[0].d->c->family,
			              picks[i].d->c->family);
	for (size_t i = 1; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (strcmp(picks[j].d->c->variant, picks[i].d->c->variant) == 0)
				return err_at(e, k->p->at,
				              "a ladder has one case of each variant, '" STR_FMT
				              "' has several; say %s",
				              STR_ARG(k->p->word[0]),
				              query_differs(k->ctx, picks, n));
	return true;
}

bool kind_ladder(struct kind_call *k, struct err *e)
{
	struct pick *picks;
	struct ladder l = {.n = 0};
	if (!kind_picks(k, own_keys, &picks, &l.n, e) || !kind_metric(k, &picks[0], &l.m, e) ||
	    !one_case_each(k, picks, l.n, e))
		return false;
	l.picks = picks;
	find_rows(&l);
	find_roofs(k, &l);
	block_open(k, block_caption(k, picks, l.n, case_metric_words(k->ctx, picks[0].d->c, l.m)));
	if (l.n > MOST_EXPLAINED)
		listing_unfold(words_get(k->ctx->words, "ladder_ideas"), k->to);
	table_open(k->to, "ladder stack");
	head(k, &l);
	for (size_t i = 0; i < l.n; i++)
		row(k, &l, i);
	html_raw(k->to, "</tbody>");
	table_close(k->to);
	legend(k, &l);
	if (!absent_print(k, own_keys, picks, l.n, e))
		return false;
	block_exact(k, picks, l.n, l.m);
	block_close(k);
	return true;
}
