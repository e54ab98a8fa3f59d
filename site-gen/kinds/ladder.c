/*
 * ladder: the table of a family's variants, in reading order, each with its gain over
 * the fastest of the steps above it. Ideas branch while reading order does not, so the
 * step directly above may be a slow detour, and a gain over that means nothing.
 *
 * How to add a column:
 *   1. its head in head(), its cells in row(), and the number of columns in columns();
 *   2. the head's word in site-gen/lua/words.c, and in templates/words.lua for other languages;
 *   3. the phone's grid, `.ladder.stack` in static/site.css: it has a width for each column, and
 *      counts them (`nth-child`).
 */
#include <string.h>

#include "site-gen/base/html.h"
#include "site-gen/numbers/roof.h"
#include "site-gen/numbers/case.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/tables.h"
#include "site-gen/kinds/kinds.h"

static const char *const own_keys[] = {"metric", NULL};

/* The roofs for all rows. */
struct roofs {
	const struct data_spec *spec; /* theoretical; may be NULL */
	bool has_measured;
	struct number measured; /* achievable */
	double scale;           /* full length of a bar, in the metric's unit */
};

static struct roofs find_roofs(struct kind_call *k, const struct pick *picks, size_t n,
                               enum metric m)
{
	struct roofs r = {.spec = roof_spec(k->ctx->data, &picks[0], m)};
	struct pick ceiling;
	for (size_t i = 0; i < n && !r.has_measured; i++)
		r.has_measured = roof_measured(k->ctx->data, &picks[i], m, &ceiling) &&
		                 number_of(&ceiling, m, &r.measured);
	if (n == 1 && r.has_measured && ceiling.d == picks[0].d)
		r.has_measured = false; /* the roof is the row itself */
	if (r.spec)
		r.scale = r.spec->value;
	else if (r.has_measured)
		r.scale = r.measured.value;
	for (size_t i = 0; i < n; i++) {
		struct number v;
		if (number_of(&picks[i], m, &v) && v.value > r.scale)
			r.scale = v.value;
	}
	return r;
}

static const char *roof_word(const struct pick *roof)
{
	return data_is_instrument(roof->d->c->family) ? "ladder_ceiling" : "ladder_roof";
}

static void head(struct kind_call *k, const struct roofs *r, enum metric m)
{
	const struct words *w = k->ctx->words;
	html_raw(k->to, "<thead><tr><th scope=\"col\">");
	html_text(k->to, str_of(words_get(w, "ladder_step")));
	html_raw(k->to, "</th><th scope=\"col\" class=\"right\">");
	html_text(k->to, str_of(words_label(w, metric_info(m)->title)));
	html_raw(k->to, "</th><th scope=\"col\" class=\"right\">");
	html_text(k->to, str_of(words_get(w, "ladder_gain")));
	html_raw(k->to, "</th>");
	if (r->spec) {
		html_raw(k->to, "<th scope=\"col\" class=\"right\">");
		html_text(k->to, str_of(words_get(w, "ladder_of_spec")));
		sb_char(k->to, ' ');
		number_spec_link(w, r->spec, k->to);
		html_raw(k->to, "</th>");
	}
	if (r->has_measured) {
		html_raw(k->to, "<th scope=\"col\" class=\"right\">");
		html_text(k->to, str_of(words_get(w, "ladder_of_measured")));
		sb_char(k->to, ' ');
		number_link(k->ctx, &r->measured, "",
		            words_fill(w, k->ctx->arena, roof_word(&r->measured.pick),
		                       case_title(w, r->measured.pick.d->c, k->ctx->arena), NULL),
		            k->to);
		number_interval(&r->measured, k->to);
		html_raw(k->to, "</th>");
	}
	html_raw(k->to, "<th scope=\"col\"><span class=\"visually-hidden\">");
	html_text(k->to, str_of(words_get(w, "ladder_bar")));
	html_raw(k->to, "</span></th></tr></thead><tbody>\n");
}

static void bar(struct kind_call *k, const struct roofs *r, const struct number *n)
{
	html_raw(k->to, "<td class=\"bar\"><svg class=\"bar\" viewBox=\"0 0 100 10\" "
	                "preserveAspectRatio=\"none\" aria-hidden=\"true\">"
	                "<rect class=\"bar-track\" x=\"0\" y=\"0\" width=\"100\" height=\"10\"/>"
	                "<rect class=\"bar-fill s-");
	sb_printf(k->to, "%d\" x=\"0\" y=\"0\" width=\"%.2f\" height=\"10\"/>",
	          case_colour(n->pick.d->c), 100 * n->value / r->scale);
	if (r->has_measured)
		sb_printf(k->to,
		          "<line class=\"bar-roof\" x1=\"%.2f\" y1=\"0\" x2=\"%.2f\" y2=\"10\"/>",
		          100 * r->measured.value / r->scale, 100 * r->measured.value / r->scale);
	html_raw(k->to, "</svg></td>");
}

static bool is_step(const struct pick *p, enum metric m, struct number *n)
{
	return strcmp(p->d->c->role, "kernel") == 0 && number_of(p, m, n);
}

/* The fastest step above picks[i] from the same run, or NULL. */
static const struct pick *best_above(const struct pick *picks, size_t i, enum metric m)
{
	const struct pick *best = NULL;
	struct number n, most;
	for (size_t j = 0; j < i; j++) {
		if (picks[j].run != picks[i].run || !is_step(&picks[j], m, &n))
			continue;
		if (best && (n.value > most.value) != metric_info(m)->higher_is_better)
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

/* Writes the speed-up of the step picks[i] over the fastest step above it. */
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
	number_link(k->ctx, &g, "ratio",
	            words_fill(k->ctx->words, k->ctx->arena, "ratio_paired",
	                       words_said(k->ctx->words, p->d->c->variant_title).text,
	                       words_said(k->ctx->words, before->d->c->variant_title).text),
	            k->to);
}

static void gain_cell(struct kind_call *k, const struct pick *picks, size_t i, enum metric m)
{
	struct number any;
	html_raw(k->to, "<td class=\"right gain\">");
	if (is_step(&picks[i], m, &any))
		put_gain(k, picks, i, m);
	html_raw(k->to, "</td>");
}

static void share_cell(struct kind_call *k, const struct number *share)
{
	html_raw(k->to, "<td class=\"right share\">");
	number_link(k->ctx, share, "percent", NULL, k->to); /* the row's value has the conditions */
	html_raw(k->to, "</td>");
}

static void share_cells(struct kind_call *k, const struct pick *p, const struct number *n,
                        const struct roofs *r, enum metric m)
{
	struct number share;
	if (r->spec) {
		share = number_percent(n, r->spec);
		share_cell(k, &share);
	}
	if (r->has_measured) {
		share = number_share(k->ctx->data, p, &r->measured.pick, m, k->ctx->arena);
		share_cell(k, &share);
	}
}

/* Columns after the step's name. */
static int columns(const struct roofs *r)
{
	enum { VALUE = 1, GAIN = 1, BAR = 1 };
	return VALUE + GAIN + !!r->spec + r->has_measured + BAR;
}

static void row(struct kind_call *k, const struct pick *picks, size_t i, const struct roofs *r,
                enum metric m)
{
	const struct pick *p = &picks[i];
	struct number n;
	bool has = number_of(p, m, &n);
	html_raw(k->to, "<tr class=\"");
	html_attr(k->to, str_of(has ? p->d->c->role : "none"));
	html_raw(k->to, "\"><th scope=\"row\">");
	table_variant(p->d->c, true, k->ctx->words, k->to);
	html_raw(k->to, "</th>");
	if (!has) {
		sb_printf(k->to, "<td class=\"left\" colspan=\"%d\">", columns(r));
		html_text(k->to, str_of(p->d->why_none ? reason_text(k->ctx->words, &p->d->none,
		                                                     k->ctx->arena)
		                                       : words_get(k->ctx->words, "none_metric")));
		html_raw(k->to, "</td></tr>\n");
		return;
	}
	html_raw(k->to, "<td class=\"right value\">");
	table_number(k, &n);
	html_raw(k->to, "</td>");
	gain_cell(k, picks, i, m);
	share_cells(k, p, &n, r, m);
	bar(k, r, &n);
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
	size_t n;
	enum metric m;
	if (!kind_picks(k, own_keys, &picks, &n, e) || !kind_metric(k, &picks[0], &m, e) ||
	    !one_case_each(k, picks, n, e))
		return false;
	struct roofs r = find_roofs(k, picks, n, m);
	block_open(k, block_caption(k, picks, n, case_metric_words(k->ctx, picks[0].d->c, m)));
	table_open(k->to, "ladder stack");
	head(k, &r, m);
	for (size_t i = 0; i < n; i++)
		row(k, picks, i, &r, m);
	html_raw(k->to, "</tbody>");
	table_close(k->to);
	block_exact(k, picks, n, m);
	block_close(k);
	return true;
}
