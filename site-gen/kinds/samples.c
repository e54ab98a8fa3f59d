/* samples: the medians of each case's processes, drawn as one dot each. */
#include <math.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/tables.h"
#include "site-gen/kinds/kinds.h"

enum { STRIP_WIDTH = 160, STRIP_HEIGHT = 12, STRIP_PAD = 4 };

/* Cases whose times differ by less than this share one axis of time. */
static const double one_axis = 1.25;

static double strip_x(const struct block_strip_axis *s, double v)
{
	double t = s->hi > s->lo ? (v - s->lo) / (s->hi - s->lo) : 0.5;
	return STRIP_PAD + t * (STRIP_WIDTH - 2 * STRIP_PAD);
}

static void dots(const struct block_strip_axis *s, const struct data_case *d, bool slow,
                 struct sb *to)
{
	size_t n = 0;
	for (size_t i = 0; i < d->time.launches; i++) {
		if (d->slow[i] != slow)
			continue;
		if (n++ == 0)
			html_raw(to, slow ? "<path class=\"strip-pt bad\" d=\""
			                  : "<path class=\"strip-pt\" d=\"");
		sb_printf(to, "M%.1f %dh0", strip_x(s, d->medians[i]), STRIP_HEIGHT / 2);
	}
	if (n > 0)
		html_raw(to, "\"/>");
}

/* The dots' range is at least ±0.5 %, so that noise does not look like spread. */
static struct block_strip_axis strip_range(const struct data_case *d)
{
	struct block_strip_axis s = {d->time.lo, d->time.hi};
	for (size_t i = 0; i < d->time.launches; i++) {
		s.lo = fmin(s.lo, d->medians[i]);
		s.hi = fmax(s.hi, d->medians[i]);
	}
	s.lo = fmin(s.lo, 0.995 * d->time.typical);
	s.hi = fmax(s.hi, 1.005 * d->time.typical);
	return s;
}

/* "Medians of 10 launches: -0.5 to +0.5 % of the typical time" */
static const char *strip_says(const struct expand_ctx *ctx, const struct block_strip_axis *s,
                              const struct data_case *d)
{
	struct arena *a = ctx->arena;
	const char *launches = arena_printf(a, "%zu", d->time.launches);
	const char *lo = arena_printf(a, "%+.1f", 100 * (s->lo / d->time.typical - 1));
	const char *hi = arena_printf(a, "%+.1f", 100 * (s->hi / d->time.typical - 1));
	return words_fill(ctx->words, a, "strip_medians", launches,
	                  words_fill(ctx->words, a, "range", lo, hi));
}

void block_strip(const struct expand_ctx *ctx, const struct data_case *d,
                 const struct block_strip_axis *axis, struct sb *to)
{
	struct block_strip_axis own = strip_range(d), s = axis ? *axis : own;
	double lo = strip_x(&s, d->time.lo), hi = strip_x(&s, d->time.hi);
	sb_printf(to,
	          "<svg class=\"strip\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" "
	          "role=\"img\" aria-label=\"",
	          STRIP_WIDTH, STRIP_HEIGHT);
	html_attr(to, str_of(strip_says(ctx, &own, d)));
	html_raw(to, "\">");
	sb_printf(to, "<rect class=\"strip-ci\" x=\"%.1f\" y=\"1\" width=\"%.1f\" height=\"%d\"/>",
	          lo, hi - lo, STRIP_HEIGHT - 2);
	sb_printf(to, "<line class=\"strip-mid\" x1=\"%.1f\" y1=\"0\" x2=\"%.1f\" y2=\"%d\"/>",
	          strip_x(&s, d->time.typical), strip_x(&s, d->time.typical), STRIP_HEIGHT);
	dots(&s, d, false, to);
	dots(&s, d, true, to);
	html_raw(to, "</svg>");
}

/*
 * What all rows share: an axis of time if the cases take about as long; else an axis of shares of
 * each case's typical time, so that the width of a row's dots still compares with the others.
 */
struct scale {
	bool relative;
	struct block_strip_axis axis;
};

static void widen(struct block_strip_axis *all, struct block_strip_axis one)
{
	all->lo = fmin(all->lo, one.lo);
	all->hi = fmax(all->hi, one.hi);
}

static struct scale scale_of(const struct pick *picks, size_t n)
{
	struct block_strip_axis times = {INFINITY, -INFINITY}, shares = times;
	for (size_t i = 0; i < n; i++) {
		struct number ignored;
		if (!number_of(&picks[i], METRIC_TIME, &ignored))
			continue;
		struct block_strip_axis s = strip_range(picks[i].d);
		double typical = picks[i].d->time.typical;
		widen(&times, s);
		widen(&shares, (struct block_strip_axis){s.lo / typical, s.hi / typical});
	}
	bool relative = times.hi > one_axis * times.lo;
	return (struct scale){relative, relative ? shares : times};
}

/* Do words tell any case from the others, apart from its variant? */
static bool has_words(struct kind_call *k, const struct pick *picks, size_t n)
{
	bool some = false;
	for (size_t i = 0; i < n && !some; i++)
		some = *block_own_words(k, picks, n, i);
	return some;
}

static void row(struct kind_call *k, const struct pick *picks, size_t count, size_t i,
                const struct scale *scale, bool words)
{
	const struct pick *p = &picks[i];
	const double by = scale->relative ? p->d->time.typical : 1;
	const struct block_strip_axis axis = {by * scale->axis.lo, by * scale->axis.hi};
	struct number n;
	html_raw(k->to, "<tr><th scope=\"row\">");
	table_variant(p->d->c, k->ctx->words, k->to);
	html_raw(k->to, "</th>");
	if (words) {
		html_raw(k->to, "<td class=\"left\">");
		html_text(k->to, str_of(block_own_words(k, picks, count, i)));
		html_raw(k->to, "</td>");
	}
	html_raw(k->to, "<td class=\"right\">");
	if (number_of(p, METRIC_TIME, &n)) {
		number_link(k->ctx, &n, "",
		            arena_printf(k->ctx->arena, "%s, %s",
		                         case_title(k->ctx->words, p->d->c, k->ctx->arena),
		                         words_label(k->ctx->words, "time")),
		            k->to);
		number_interval(&n, k->to);
		html_raw(k->to, "</td><td class=\"strip\">");
		block_strip(k->ctx, p->d, &axis, k->to);
	} else {
		number_none(reason_text(k->ctx->words, &p->d->none, k->ctx->arena), k->to);
		html_raw(k->to, "</td><td class=\"strip\">");
	}
	html_raw(k->to, "</td></tr>\n");
}

bool kind_samples(struct kind_call *k, struct err *e)
{
	struct pick *picks;
	size_t n;
	if (!kind_picks(k, NULL, &picks, &n, e))
		return false;
	const struct scale scale = scale_of(picks, n);
	const bool words = has_words(k, picks, n);
	block_open(k, block_caption(k, picks, n,
	                            words_get(k->ctx->words, n == 1           ? "samples_caption"
	                                                     : scale.relative ? "samples_shares"
	                                                                      : "samples_times")));
	table_open(k->to, "strips stack");
	static const char *const heads[] = {"head_variant", "head_case", "head_typical",
	                                    "head_launches"};
	html_raw(k->to, "<thead><tr>");
	for (size_t i = 0; i < ARRAY_LEN(heads); i++) {
		if (i == 1 && !words)
			continue;
		html_raw(k->to,
		         i == 2 ? "<th scope=\"col\" class=\"right\">" : "<th scope=\"col\">");
		html_text(k->to, str_of(words_get(k->ctx->words, heads[i])));
		html_raw(k->to, "</th>");
	}
	html_raw(k->to, "</tr></thead><tbody>\n");
	for (size_t i = 0; i < n; i++)
		row(k, picks, n, i, &scale, words);
	html_raw(k->to, "</tbody>");
	table_close(k->to);
	block_close(k);
	return true;
}
