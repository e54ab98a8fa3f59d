#include "site-gen/pages/number_draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/units.h"
#include "site-gen/plot/draw.h"
#include "site-gen/base/html.h"

enum {
	EACH_STEPS = 20,
	ALL_STEPS = 100,
	LAUNCH_DOTS = 32, /* more samples of a launch become ranges */
};

/* --- launches ---------------------------------------------------------------------- */

/* A launch's median in the headline metric. */
static double in_metric(const struct number_view *v, double seconds)
{
	struct stats_summary t = {.typical = seconds, .lo = seconds, .hi = seconds};
	double value = seconds, lo, hi;
	metric_of(v->main.metric, v->p.d->c, &t, &value, &lo, &hi);
	return value;
}

static void band(const struct draw_axis *x, double lo, double hi, double mid, int top, int bottom,
                 struct sb *to)
{
	sb_printf(to,
	          "<rect class=\"draw-ci\" x=\"%.2f%%\" y=\"%d\" width=\"%.2f%%\" height=\"%d\"/>",
	          100 * draw_at(x, lo), top, 100 * (draw_at(x, hi) - draw_at(x, lo)), bottom - top);
	sb_printf(to,
	          "<line class=\"draw-mid\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" y2=\"%d\"/>\n",
	          100 * draw_at(x, mid), 100 * draw_at(x, mid), top, bottom);
}

/* Dots from top to bottom in their order, over the number's interval. `hollow` may be NULL. */
static void dots(const struct number *n, const double *value, const bool *hollow, size_t count,
                 const char *label, struct arena *a, struct sb *to)
{
	enum { BOTTOM = 74, HEIGHT = 96 };
	double lo = n->lo, hi = n->hi;
	for (size_t i = 0; i < count; i++) {
		lo = fmin(lo, value[i]);
		hi = fmax(hi, value[i]);
	}
	struct draw_axis x = draw_axis_over(lo, hi, n->value, n->si, a);
	draw_open(to, HEIGHT,
	          arena_printf(a,
	                       "%s, from %s to %s; the 95 %% interval of the typical value is "
	                       "shaded.",
	                       label, draw_amount(lo, n->si, a), draw_amount(hi, n->si, a)));
	draw_x_axis(&x, BOTTOM, a, to);
	band(&x, n->lo, n->hi, n->value, DRAW_TOP, BOTTOM, to);
	for (size_t i = 0; i < count; i++) {
		double y = DRAW_TOP + 7 +
		           (count > 1 ? (double)i / (double)(count - 1) : 0.5) *
		                   (BOTTOM - DRAW_TOP - 14);
		sb_printf(to, "<circle class=\"draw-pt%s\" cx=\"%.2f%%\" cy=\"%.1f\" r=\"4\"/>",
		          hollow && hollow[i] ? " bad" : "", 100 * draw_at(&x, value[i]), y);
	}
	html_raw(to, "</svg>\n");
}

void number_draw_launches(const struct number_view *v, struct sb *to)
{
	const struct data_case *d = v->p.d;
	size_t count = d->time.launches;
	double *value = ARENA_ARRAY(v->a, double, count + 1);
	for (size_t i = 0; i < count; i++)
		value[i] = in_metric(v, d->medians[i]);
	dots(&v->main, value, d->slow, count,
	     arena_printf(v->a, "The medians of %zu processes", count), v->a, to);
}

void number_draw_cards(const struct number_view *v, struct sb *to)
{
	double *value = ARENA_ARRAY(v->a, double, v->n->ncards + 1);
	size_t count = 0;
	for (size_t i = 0; i < v->n->ncards; i++) {
		struct pick p = number_card(v->n, i);
		struct number n;
		if (number_of(&p, v->main.metric, &n))
			value[count++] = n.value;
	}
	dots(&v->cards, value, NULL, count, arena_printf(v->a, "The values of %zu cards", count),
	     v->a, to);
}

/* --- samples ----------------------------------------------------------------------- */

/* Seconds per call. */
static double sample(const struct run_launch *l, size_t i)
{
	return (double)l->sample_ns[i] / (double)l->batch / 1e9;
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* The samples of launches [from, to), sorted. */
static double *sorted(const struct number_view *v, size_t from, size_t end, size_t *n)
{
	size_t total = 0;
	for (size_t i = from; i < end; i++)
		total += record_launch_ok(v->launch[i]) ? v->launch[i]->nsamples : 0;
	double *x = ARENA_ARRAY(v->a, double, total + 1);
	*n = 0;
	for (size_t i = from; i < end; i++) {
		size_t count = record_launch_ok(v->launch[i]) ? v->launch[i]->nsamples : 0;
		for (size_t k = 0; k < count; k++)
			x[(*n)++] = sample(v->launch[i], k);
	}
	if (*n)
		qsort(x, *n, sizeof *x, by_value);
	return x;
}

/* The range of both sample drawings. It omits the slowest percent, which would flatten the rest. */
struct spread {
	double *all;
	size_t n, beyond; /* beyond: samples slower than the end of the axis */
	struct draw_axis time;
};

static struct spread spread_of(const struct number_view *v)
{
	const struct stats_summary *t = &v->p.d->time;
	struct spread s;
	s.all = sorted(v, 0, v->nlaunches, &s.n);
	double most = s.all[(size_t)(0.99 * (double)(s.n - 1))];
	s.time = draw_axis_over(s.all[0], fmax(most, t->hi), t->typical, "s", v->a);
	for (s.beyond = 0; s.beyond < s.n && s.all[s.n - 1 - s.beyond] > s.time.hi;)
		s.beyond++;
	return s;
}

static int unit_of(double part)
{
	return (int)lround(DRAW_AREA * fmin(fmax(part, 0), 1));
}

static void curve(const struct draw_axis *x, const double *sorted_samples, size_t n, size_t steps,
                  const char *class, struct sb *to)
{
	int lastx = unit_of(draw_at(x, sorted_samples[0])), lasty = DRAW_AREA;
	sb_printf(to, "<path class=\"%s\" d=\"M%d %d", class, lastx, lasty);
	for (size_t i = 1; i <= steps; i++) {
		size_t k = i * n / steps;
		int px = unit_of(draw_at(x, sorted_samples[k > 0 ? k - 1 : 0]));
		int py = DRAW_AREA - unit_of((double)i / (double)steps);
		sb_printf(to, "l%d %d", px - lastx, py - lasty);
		lastx = px;
		lasty = py;
	}
	html_raw(to, "\"/>");
}

static const char *beyond_words(const struct spread *s, struct arena *a)
{
	if (s->beyond == 0)
		return "";
	return arena_printf(a, " %zu of %zu samples are slower than the drawing shows, up to %s.",
	                    s->beyond, s->n, draw_amount(s->all[s->n - 1], "s", a));
}

void number_draw_ecdf(const struct number_view *v, struct sb *to)
{
	enum { BOTTOM = 190, HEIGHT = 212 };
	const struct stats_summary *t = &v->p.d->time;
	struct spread s = spread_of(v);
	draw_open(to, HEIGHT,
	          arena_printf(v->a,
	                       "Share of the %zu samples that took at most a time, from %s; half "
	                       "of them at most %s.%s",
	                       s.n, draw_amount(s.all[0], "s", v->a),
	                       draw_amount(s.all[(s.n - 1) / 2], "s", v->a),
	                       beyond_words(&s, v->a)));
	draw_x_axis(&s.time, BOTTOM, v->a, to);
	for (int p = 25; p <= 100; p += 25) {
		double y = BOTTOM - (BOTTOM - DRAW_TOP) * p / 100.0;
		sb_printf(to,
		          "<line class=\"grid\" x1=\"0\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>"
		          "<text class=\"tick\" x=\"0\" y=\"%.1f\">%d" NBSP "%%</text>",
		          y, y, y + 13, p);
	}
	band(&s.time, t->lo, t->hi, t->typical, DRAW_TOP, BOTTOM, to);
	draw_area(to, 0, BOTTOM);
	for (size_t i = 0; i < v->nlaunches; i++) {
		size_t n;
		double *x = sorted(v, i, i + 1, &n);
		if (n > 0)
			curve(&s.time, x, n, n < EACH_STEPS ? n : EACH_STEPS, "draw-each", to);
	}
	curve(&s.time, s.all, s.n, s.n < ALL_STEPS ? s.n : ALL_STEPS, "draw-all", to);
	html_raw(to, "</svg></svg>\n");
}

/* --- in the order taken -------------------------------------------------------------- */

static int height_of(const struct draw_axis *y, double seconds)
{
	return DRAW_AREA - unit_of(draw_at(y, seconds));
}

static bool is_slow(const struct number_view *v, const struct run_launch *l)
{
	for (size_t i = 0; i < v->p.d->time.launches; i++)
		if (v->p.d->launch[i] == l->i)
			return v->p.d->slow[i];
	return false;
}

/* Draws each sample as a dot; if they are many, the ranges of neighbouring samples. */
static void launch_samples(const struct number_view *v, const struct draw_axis *y,
                           const struct run_launch *l, double left, double width, struct sb *to)
{
	size_t steps = l->nsamples < LAUNCH_DOTS ? l->nsamples : LAUNCH_DOTS;
	sb_printf(to, "<path class=\"%s%s\" d=\"", steps < l->nsamples ? "draw-range" : "draw-dot",
	          is_slow(v, l) ? " bad" : "");
	for (size_t i = 0; i < steps; i++) {
		size_t from = i * l->nsamples / steps, end = (i + 1) * l->nsamples / steps;
		double lo = sample(l, from), hi = lo;
		for (size_t k = from; k < end; k++) {
			lo = fmin(lo, sample(l, k));
			hi = fmax(hi, sample(l, k));
		}
		sb_printf(to, "M%d %dv%d", (int)(left + width * ((double)i + 0.5) / (double)steps),
		          height_of(y, lo), height_of(y, hi) - height_of(y, lo));
	}
	html_raw(to, "\"/>");
}

/* Draws the start of launch i, with its number if there is room; a cross if it has no samples. */
static void launch_tick(const struct number_view *v, size_t i, int bottom, struct sb *to)
{
	enum { MOST_NAMES = 12 };
	double left = DRAW_LEFT + (100.0 - DRAW_LEFT) * (double)i / (double)v->nlaunches;
	sb_printf(to, "<line class=\"axis\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" y2=\"%d\"/>",
	          left, left, bottom, bottom + 5);
	if (i % ((v->nlaunches + MOST_NAMES - 1) / MOST_NAMES) == 0)
		sb_printf(to, "<text class=\"tick\" x=\"%.2f%%\" y=\"%d\" dx=\"3\">%lld</text>",
		          left, bottom + 16, (long long)v->launch[i]->i);
	if (!record_launch_ok(v->launch[i]))
		sb_printf(to, "<text class=\"draw-none\" x=\"%.2f%%\" y=\"%d\" dx=\"3\">×</text>",
		          left, bottom - 8);
}

void number_draw_order(const struct number_view *v, struct sb *to)
{
	enum { BOTTOM = 190, HEIGHT = 212 };
	struct spread s = spread_of(v);
	double width = (double)DRAW_AREA / (double)v->nlaunches;
	draw_open(to, HEIGHT,
	          arena_printf(v->a,
	                       "The samples of %zu processes side by side, in the order taken; "
	                       "each between %s and %s.%s",
	                       v->nlaunches, draw_amount(s.all[0], "s", v->a),
	                       draw_amount(s.all[s.n - 1 - s.beyond], "s", v->a),
	                       beyond_words(&s, v->a)));
	draw_y_axis(&s.time, BOTTOM, v->a, to);
	for (size_t i = 0; i < v->nlaunches; i++)
		launch_tick(v, i, BOTTOM, to);
	sb_printf(to, "<line class=\"axis\" x1=\"%d%%\" x2=\"100%%\" y1=\"%d\" y2=\"%d\"/>\n",
	          DRAW_LEFT, BOTTOM, BOTTOM);
	draw_area(to, DRAW_LEFT, BOTTOM);
	for (size_t i = 0; i < v->nlaunches; i++)
		if (record_launch_ok(v->launch[i]))
			launch_samples(v, &s.time, v->launch[i], width * (double)i, width, to);
	html_raw(to, "</svg></svg>\n");
}
