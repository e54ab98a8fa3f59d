#include "site-gen/number_draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/units.h"
#include "site-gen/html.h"

enum {
	AREA = 1000,   /* width and height of an inner drawing in its own units */
	TOP = 10,      /* px above it */
	LEFT = 15,     /* per cent of the width for the amounts of a y axis */
	MAX_TICKS = 5, /* fits 300 px */
	EACH_STEPS = 20,
	ALL_STEPS = 100,
	LAUNCH_DOTS = 32, /* more samples of a launch become ranges */
};

/* --- axes -------------------------------------------------------------------------- */

struct axis {
	double lo, hi, scale; /* scale: of the printed unit */
	const char *unit;
	double step;
	int decimals;
};

/* 0 … 1 */
static double at(const struct axis *x, double v)
{
	return (v - x->lo) / (x->hi - x->lo);
}

/* The smallest of 1, 2, 5 × 10^k that makes at most MAX_TICKS - 1 steps. */
static void choose_ticks(struct axis *x)
{
	double least = (x->hi - x->lo) / x->scale / (MAX_TICKS - 1);
	double ten = pow(10, floor(log10(least)));
	static const double nice[] = {1, 2, 5, 10};
	size_t i = 0;
	while (i < 3 && nice[i] * ten < least)
		i++;
	x->step = nice[i] * ten;
	x->decimals = (int)fmax(0, -floor(log10(x->step) + 1e-9));
}

/* At least ±0.5 % around `mid`, so that noise does not look like spread; some air at both ends. */
static struct axis axis_over(double lo, double hi, double mid, const char *si, struct arena *a)
{
	struct unit_text u;
	struct axis x = {fmin(lo, 0.995 * mid), fmax(hi, 1.005 * mid), 1, "", 1, 0};
	double air = 0.03 * (x.hi - x.lo);
	x.lo -= air;
	x.hi += air;
	unit_format(mid, 0, si, &u);
	x.scale = u.scale;
	x.unit = arena_strdup(a, u.unit);
	choose_ticks(&x);
	return x;
}

static double first_tick(const struct axis *x)
{
	return ceil(x->lo / x->scale / x->step - 1e-9) * x->step;
}

static void tick_text(struct sb *to, const char *place, const struct axis *x, double v, bool unit)
{
	html_raw(to, "<text class=\"tick\" ");
	html_raw(to, place);
	sb_printf(to, ">%.*f", x->decimals, v);
	if (unit) {
		html_raw(to, "\xC2\xA0");
		html_text(to, str_of(x->unit));
	}
	html_raw(to, "</text>");
}

/* Ticks below the area, `bottom` px from the top; lines through it. */
static void x_axis(const struct axis *x, int bottom, struct arena *a, struct sb *to)
{
	double end = x->hi / x->scale;
	for (double v = first_tick(x); v <= end + 1e-9 * x->step; v += x->step) {
		double p = 100 * at(x, v * x->scale);
		const char *anchor = p < 6    ? " text-anchor=\"start\""
		                     : p > 92 ? " text-anchor=\"end\""
		                              : " text-anchor=\"middle\"";
		sb_printf(to,
		          "<line class=\"grid\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" y2=\"%d\"/>",
		          p, p, TOP, bottom);
		tick_text(to, arena_printf(a, "x=\"%.2f%%\" y=\"%d\"%s", p, bottom + 16, anchor), x,
		          v, true);
	}
	sb_printf(to, "<line class=\"axis\" x1=\"0\" x2=\"100%%\" y1=\"%d\" y2=\"%d\"/>\n", bottom,
	          bottom);
}

/* Lines across the area, each with its amount at the left. */
static void y_axis(const struct axis *y, int bottom, struct arena *a, struct sb *to)
{
	double end = y->hi / y->scale;
	for (double v = first_tick(y); v <= end + 1e-9 * y->step; v += y->step) {
		double p = bottom - (bottom - TOP) * at(y, v * y->scale);
		sb_printf(to,
		          "<line class=\"grid\" x1=\"%d%%\" x2=\"100%%\" y1=\"%.1f\" "
		          "y2=\"%.1f\"/>",
		          LEFT, p, p);
		tick_text(to, arena_printf(a, "x=\"0\" y=\"%.1f\"", p + 4), y, v, true);
	}
}

/* --- frames ------------------------------------------------------------------------ */

static void open_drawing(struct sb *to, int height, const char *label)
{
	sb_printf(to,
	          "<svg class=\"draw\" width=\"100%%\" height=\"%d\" role=\"img\" aria-label=\"",
	          height);
	html_attr(to, str_of(label));
	html_raw(to, "\">\n");
}

/* From `left` per cent of the width to its end. */
static void open_area(struct sb *to, int left, int bottom)
{
	sb_printf(to,
	          "<svg class=\"draw-area\" x=\"%d%%\" y=\"%d\" width=\"%d%%\" height=\"%d\" "
	          "viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\">",
	          left, TOP, 100 - left, bottom - TOP, AREA, AREA);
}

static const char *plain(double v, const char *si, struct arena *a)
{
	struct unit_text u;
	unit_format(v, 0, si, &u);
	return arena_printf(a, "%s\xC2\xA0%s", u.number, u.unit);
}

/* --- launches ---------------------------------------------------------------------- */

/* A launch's median in the metric of the headline. */
static double in_metric(const struct number_view *v, double seconds)
{
	struct stats_summary t = {.typical = seconds, .lo = seconds, .hi = seconds};
	double value = seconds, lo, hi;
	metric_of(v->main.metric, v->p.d->c, &t, &value, &lo, &hi);
	return value;
}

static void band(const struct axis *x, double lo, double hi, double mid, int top, int bottom,
                 struct sb *to)
{
	sb_printf(to,
	          "<rect class=\"draw-ci\" x=\"%.2f%%\" y=\"%d\" width=\"%.2f%%\" height=\"%d\"/>",
	          100 * at(x, lo), top, 100 * (at(x, hi) - at(x, lo)), bottom - top);
	sb_printf(to,
	          "<line class=\"draw-mid\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" y2=\"%d\"/>\n",
	          100 * at(x, mid), 100 * at(x, mid), top, bottom);
}

void number_draw_launches(const struct number_view *v, struct sb *to)
{
	enum { BOTTOM = 74, HEIGHT = 96 };
	const struct data_case *d = v->p.d;
	const struct number *n = &v->main;
	size_t count = d->time.launches;
	double lo = n->lo, hi = n->hi;
	for (size_t i = 0; i < count; i++) {
		lo = fmin(lo, in_metric(v, d->medians[i]));
		hi = fmax(hi, in_metric(v, d->medians[i]));
	}
	struct axis x = axis_over(lo, hi, n->value, n->si, v->a);
	open_drawing(to, HEIGHT,
	             arena_printf(v->a,
	                          "The medians of %zu processes, from %s to %s; the 95 %% interval "
	                          "of the typical value is shaded.",
	                          count, plain(lo, n->si, v->a), plain(hi, n->si, v->a)));
	x_axis(&x, BOTTOM, v->a, to);
	band(&x, n->lo, n->hi, n->value, TOP, BOTTOM, to);
	for (size_t i = 0; i < count; i++) {
		double y =
		        TOP + 7 +
		        (count > 1 ? (double)i / (double)(count - 1) : 0.5) * (BOTTOM - TOP - 14);
		sb_printf(to, "<circle class=\"draw-pt%s\" cx=\"%.2f%%\" cy=\"%.1f\" r=\"4\"/>",
		          d->slow[i] ? " bad" : "", 100 * at(&x, in_metric(v, d->medians[i])), y);
	}
	html_raw(to, "</svg>\n");
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

/* What both drawings of samples show: all but the slowest percent; more would flatten the rest. */
struct spread {
	double *all;
	size_t n, beyond; /* samples that are slower than the axis is long */
	struct axis time;
};

static struct spread spread_of(const struct number_view *v)
{
	const struct stats_summary *t = &v->p.d->time;
	struct spread s;
	s.all = sorted(v, 0, v->nlaunches, &s.n);
	double most = s.all[(size_t)(0.99 * (double)(s.n - 1))];
	s.time = axis_over(s.all[0], fmax(most, t->hi), t->typical, "s", v->a);
	for (s.beyond = 0; s.beyond < s.n && s.all[s.n - 1 - s.beyond] > s.time.hi;)
		s.beyond++;
	return s;
}

static int unit_of(double part)
{
	return (int)lround(AREA * fmin(fmax(part, 0), 1));
}

static void curve(const struct axis *x, const double *sorted_samples, size_t n, size_t steps,
                  const char *class, struct sb *to)
{
	int lastx = unit_of(at(x, sorted_samples[0])), lasty = AREA;
	sb_printf(to, "<path class=\"%s\" d=\"M%d %d", class, lastx, lasty);
	for (size_t i = 1; i <= steps; i++) {
		size_t k = i * n / steps;
		int px = unit_of(at(x, sorted_samples[k > 0 ? k - 1 : 0]));
		int py = AREA - unit_of((double)i / (double)steps);
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
	                    s->beyond, s->n, plain(s->all[s->n - 1], "s", a));
}

void number_draw_ecdf(const struct number_view *v, struct sb *to)
{
	enum { BOTTOM = 190, HEIGHT = 212 };
	const struct stats_summary *t = &v->p.d->time;
	struct spread s = spread_of(v);
	open_drawing(
	        to, HEIGHT,
	        arena_printf(v->a,
	                     "Share of the %zu samples that took at most a time, from %s; half "
	                     "of them at most %s.%s",
	                     s.n, plain(s.all[0], "s", v->a),
	                     plain(s.all[(s.n - 1) / 2], "s", v->a), beyond_words(&s, v->a)));
	x_axis(&s.time, BOTTOM, v->a, to);
	for (int p = 25; p <= 100; p += 25) {
		double y = BOTTOM - (BOTTOM - TOP) * p / 100.0;
		sb_printf(to,
		          "<line class=\"grid\" x1=\"0\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>"
		          "<text class=\"tick\" x=\"0\" y=\"%.1f\">%d\xC2\xA0%%</text>",
		          y, y, y + 13, p);
	}
	band(&s.time, t->lo, t->hi, t->typical, TOP, BOTTOM, to);
	open_area(to, 0, BOTTOM);
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

static int height_of(const struct axis *y, double seconds)
{
	return AREA - unit_of(at(y, seconds));
}

static bool is_slow(const struct number_view *v, const struct run_launch *l)
{
	for (size_t i = 0; i < v->p.d->time.launches; i++)
		if (v->p.d->launch[i] == l->i)
			return v->p.d->slow[i];
	return false;
}

/* Each sample a dot; of many, ranges from the fastest to the slowest of neighbours. */
static void launch_samples(const struct number_view *v, const struct axis *y,
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

/* Where launch i begins, with its number if there is room; a cross if it has no samples. */
static void launch_tick(const struct number_view *v, size_t i, int bottom, struct sb *to)
{
	enum { MOST_NAMES = 12 };
	double left = LEFT + (100.0 - LEFT) * (double)i / (double)v->nlaunches;
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
	double width = (double)AREA / (double)v->nlaunches;
	open_drawing(to, HEIGHT,
	             arena_printf(v->a,
	                          "The samples of %zu processes side by side, in the order taken; "
	                          "each between %s and %s.%s",
	                          v->nlaunches, plain(s.all[0], "s", v->a),
	                          plain(s.all[s.n - 1 - s.beyond], "s", v->a),
	                          beyond_words(&s, v->a)));
	y_axis(&s.time, BOTTOM, v->a, to);
	for (size_t i = 0; i < v->nlaunches; i++)
		launch_tick(v, i, BOTTOM, to);
	sb_printf(to, "<line class=\"axis\" x1=\"%d%%\" x2=\"100%%\" y1=\"%d\" y2=\"%d\"/>\n", LEFT,
	          BOTTOM, BOTTOM);
	open_area(to, LEFT, BOTTOM);
	for (size_t i = 0; i < v->nlaunches; i++)
		if (record_launch_ok(v->launch[i]))
			launch_samples(v, &s.time, v->launch[i], width * (double)i, width, to);
	html_raw(to, "</svg></svg>\n");
}

/* --- over time ------------------------------------------------------------------------ */

static bool history_range(const struct draw_run *r, size_t n, double *lo, double *hi, double *mid)
{
	bool any = false;
	for (size_t i = 0; i < n; i++) {
		if (!r[i].has)
			continue;
		*lo = any ? fmin(*lo, r[i].lo) : r[i].lo;
		*hi = any ? fmax(*hi, r[i].hi) : r[i].hi;
		*mid = r[i].value;
		any = true;
	}
	return any;
}

static void history_run(const struct draw_run *r, const struct axis *y, double x, bool first,
                        bool last, int bottom, struct sb *to)
{
	if (r->has) {
		double mid = bottom - (bottom - TOP) * at(y, r->value);
		double lo = bottom - (bottom - TOP) * at(y, r->lo);
		double hi = bottom - (bottom - TOP) * at(y, r->hi);
		sb_printf(to,
		          "<line class=\"draw-range\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" "
		          "y2=\"%.1f\"/>"
		          "<circle class=\"draw-pt%s\" cx=\"%.2f%%\" cy=\"%.1f\" r=\"4\"/>",
		          x, x, lo, hi, r->marked ? " bad" : "", x, mid);
	} else {
		sb_printf(to,
		          "<text class=\"draw-none\" x=\"%.2f%%\" y=\"%d\" "
		          "text-anchor=\"middle\">×</text>",
		          x, bottom - 6);
	}
	if (first || last)
		sb_printf(to,
		          "<text class=\"tick\" x=\"%.2f%%\" y=\"%d\" text-anchor=\"%s\">%s</text>",
		          x, bottom + 16, first ? "start" : "end", r->label);
}

void number_draw_history(const struct draw_run *r, size_t n, const char *si, struct arena *a,
                         struct sb *to)
{
	enum { BOTTOM = 120, HEIGHT = 142 };
	double lo, hi, mid;
	if (!history_range(r, n, &lo, &hi, &mid))
		return;
	struct axis y = axis_over(lo, hi, mid, si, a);
	open_drawing(to, HEIGHT,
	             arena_printf(a,
	                          "The value in %zu runs with its intervals, from %s to %s; the "
	                          "table has them.",
	                          n, plain(lo, si, a), plain(hi, si, a)));
	y_axis(&y, BOTTOM, a, to);
	sb_printf(to, "<line class=\"axis\" x1=\"%d%%\" x2=\"100%%\" y1=\"%d\" y2=\"%d\"/>\n", LEFT,
	          BOTTOM, BOTTOM);
	for (size_t i = 0; i < n; i++) {
		double apart = n > 1 ? (98.0 - LEFT - 3) / (double)(n - 1) : 0;
		double x = LEFT + 3 + apart * (double)i;
		if (r[i].change)
			sb_printf(to,
			          "<line class=\"draw-step\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" "
			          "y2=\"%d\"/>",
			          x - apart / 2, x - apart / 2, TOP, BOTTOM);
		history_run(&r[i], &y, x, i == 0, i + 1 == n && n > 1, BOTTOM, to);
	}
	html_raw(to, "</svg>\n");
}
