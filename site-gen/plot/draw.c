#include "site-gen/plot/draw.h"

#include <math.h>
#include <string.h>

#include "lib/units.h"
#include "site-gen/base/html.h"

enum { MAX_TICKS = 5 }; /* fits 300 px */

/* --- axes -------------------------------------------------------------------------- */

/* 0 … 1 */
double draw_at(const struct draw_axis *x, double v)
{
	return (v - x->lo) / (x->hi - x->lo);
}

/* The smallest of 1, 2, 5 × 10^k that makes at most MAX_TICKS - 1 steps. */
static void choose_ticks(struct draw_axis *x)
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
struct draw_axis draw_axis_over(double lo, double hi, double mid, const char *si, struct arena *a)
{
	struct unit_text u;
	struct draw_axis x = {fmin(lo, 0.995 * mid), fmax(hi, 1.005 * mid), 1, "", 1, 0};
	double air = 0.03 * (x.hi - x.lo);
	x.lo -= air;
	x.hi += air;
	unit_format(mid, 0, si, &u);
	x.scale = u.scale;
	x.unit = arena_strdup(a, u.unit);
	choose_ticks(&x);
	return x;
}

static double first_tick(const struct draw_axis *x)
{
	return ceil(x->lo / x->scale / x->step - 1e-9) * x->step;
}

static void tick_text(struct sb *to, const char *place, const struct draw_axis *x, double v,
                      bool unit)
{
	html_raw(to, "<text class=\"tick\" ");
	html_raw(to, place);
	sb_printf(to, ">%.*f", x->decimals, v);
	if (unit) {
		html_raw(to, NBSP);
		html_text(to, str_of(x->unit));
	}
	html_raw(to, "</text>");
}

/* Ticks below the area, `bottom` px from the top; lines through it. The last has the unit. */
void draw_x_axis(const struct draw_axis *x, int bottom, struct arena *a, struct sb *to)
{
	double end = x->hi / x->scale + 1e-9 * x->step;
	for (double v = first_tick(x); v <= end; v += x->step) {
		double p = 100 * draw_at(x, v * x->scale);
		const char *anchor = p < 6    ? " text-anchor=\"start\""
		                     : p > 92 ? " text-anchor=\"end\""
		                              : " text-anchor=\"middle\"";
		sb_printf(to,
		          "<line class=\"grid\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" y2=\"%d\"/>",
		          p, p, DRAW_TOP, bottom);
		tick_text(to, arena_printf(a, "x=\"%.2f%%\" y=\"%d\"%s", p, bottom + 16, anchor), x,
		          v, v + x->step > end);
	}
	sb_printf(to, "<line class=\"axis\" x1=\"0\" x2=\"100%%\" y1=\"%d\" y2=\"%d\"/>\n", bottom,
	          bottom);
}

/* Lines across the area, each with its amount at the left. */
void draw_y_axis(const struct draw_axis *y, int bottom, struct arena *a, struct sb *to)
{
	double end = y->hi / y->scale;
	for (double v = first_tick(y); v <= end + 1e-9 * y->step; v += y->step) {
		double p = bottom - (bottom - DRAW_TOP) * draw_at(y, v * y->scale);
		sb_printf(to,
		          "<line class=\"grid\" x1=\"%d%%\" x2=\"100%%\" y1=\"%.1f\" "
		          "y2=\"%.1f\"/>",
		          DRAW_LEFT, p, p);
		tick_text(to, arena_printf(a, "x=\"0\" y=\"%.1f\"", p + 4), y, v, true);
	}
}

/* --- frames ------------------------------------------------------------------------ */

void draw_open(struct sb *to, int height, const char *label)
{
	sb_printf(to,
	          "<svg class=\"draw\" width=\"100%%\" height=\"%d\" role=\"img\" aria-label=\"",
	          height);
	html_attr(to, str_of(label));
	html_raw(to, "\">\n");
}

/* From `left` per cent of the width to its end. */
void draw_area(struct sb *to, int left, int bottom)
{
	sb_printf(to,
	          "<svg class=\"draw-area\" x=\"%d%%\" y=\"%d\" width=\"%d%%\" height=\"%d\" "
	          "viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\">",
	          left, DRAW_TOP, 100 - left, bottom - DRAW_TOP, DRAW_AREA, DRAW_AREA);
}

const char *draw_amount(double v, const char *si, struct arena *a)
{
	struct unit_text u;
	unit_format(v, 0, si, &u);
	return arena_printf(a, "%s" NBSP "%s", u.number, u.unit);
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

static void history_run(const struct draw_run *r, const struct draw_axis *y, double x, bool first,
                        bool last, int bottom, struct sb *to)
{
	if (r->has) {
		double mid = bottom - (bottom - DRAW_TOP) * draw_at(y, r->value);
		double lo = bottom - (bottom - DRAW_TOP) * draw_at(y, r->lo);
		double hi = bottom - (bottom - DRAW_TOP) * draw_at(y, r->hi);
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

void draw_history(const struct draw_run *r, size_t n, const char *si, struct arena *a,
                  struct sb *to)
{
	enum { BOTTOM = 120, HEIGHT = 142 };
	double lo, hi, mid;
	if (!history_range(r, n, &lo, &hi, &mid))
		return;
	struct draw_axis y = draw_axis_over(lo, hi, mid, si, a);
	draw_open(to, HEIGHT,
	          arena_printf(a,
	                       "The value in %zu runs with its intervals, from %s to %s; the "
	                       "table has them.",
	                       n, draw_amount(lo, si, a), draw_amount(hi, si, a)));
	draw_y_axis(&y, BOTTOM, a, to);
	sb_printf(to, "<line class=\"axis\" x1=\"%d%%\" x2=\"100%%\" y1=\"%d\" y2=\"%d\"/>\n",
	          DRAW_LEFT, BOTTOM, BOTTOM);
	for (size_t i = 0; i < n; i++) {
		double apart = n > 1 ? (98.0 - DRAW_LEFT - 3) / (double)(n - 1) : 0;
		double x = DRAW_LEFT + 3 + apart * (double)i;
		if (r[i].change)
			sb_printf(to,
			          "<line class=\"draw-step\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" "
			          "y2=\"%d\"/>",
			          x - apart / 2, x - apart / 2, DRAW_TOP, BOTTOM);
		history_run(&r[i], &y, x, i == 0, i + 1 == n && n > 1, BOTTOM, to);
	}
	html_raw(to, "</svg>\n");
}
