#include "site-gen/pages/headline_draw.h"

#include <math.h>

#include "site-gen/base/html.h"
#include "site-gen/records/run.h"

enum { WIDE = 84, HIGH = 24 }; /* of a drawing in its own units */

void headline_draw_bar(const struct headline_result *r, struct sb *to)
{
	html_raw(to,
	         "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" "
	         "aria-hidden=\"true\"><rect class=\"bar-track\" width=\"100\" height=\"10\"/>");
	sb_printf(to, "<rect class=\"bar-fill\" width=\"%.2f\" height=\"10\"/>",
	          fmin(100, r->share.value));
	if (r->library) {
		double x = 100 * r->library->n.value / r->peak->value;
		sb_printf(to,
		          "<line class=\"bar-roof\" x1=\"%.2f\" x2=\"%.2f\" y1=\"0\" y2=\"10\"/>",
		          x, x);
	}
	html_raw(to, "</svg>");
}

/* How fast a value is: 1 is the value `top`. */
static double speed(const struct headline_result *r, double value, double top)
{
	return metric_info(r->metric)->higher_is_better ? value / top : top / value;
}

/* The value at the top of the drawing: the roof, else the fastest of all. */
static double top_of(const struct headline_result *r)
{
	double top = r->peak ? r->peak->value : r->best.n.value;
	for (size_t i = 0; i < r->nsteps; i++)
		if (speed(r, r->steps[i].n.value, top) > 1)
			top = r->steps[i].n.value;
	return top;
}

void headline_draw_steps(const struct headline_result *r, struct sb *to)
{
	if (r->nsteps < 2)
		return;
	double top = top_of(r), pitch = WIDE / (double)r->nsteps,
	       bar = pitch > 4 ? pitch - 2 : pitch;
	if (bar > HIGH)
		bar = HIGH;
	sb_printf(to,
	          "<svg class=\"steps\" viewBox=\"0 0 %d %d\" aria-hidden=\"true\"><path "
	          "class=\"top\" d=\"M0 .5H%d\"/>",
	          WIDE, HIGH, WIDE);
	for (size_t i = 0; i < r->nsteps; i++) {
		const struct headline_step *s = &r->steps[i];
		double h = fmax(1, HIGH * speed(r, s->n.value, top));
		sb_printf(
		        to,
		        "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
		        i >= r->nown                  ? "peer"
		        : s->pick.d == r->best.pick.d ? "best"
		                                      : "own",
		        (double)i * pitch, HIGH - h, bar, h);
	}
	html_raw(to, "</svg>");
}

/* The time of a run, in seconds. */
static double when(const struct headline_past *p)
{
	int64_t s = 0;
	return run_seconds_of(p->run->run.head.start, &s) ? (double)s : 0;
}

void headline_draw_past(const struct headline_result *r, struct sb *to)
{
	enum { AIR = 3 };
	static const double LEAST = 0.05; /* so that noise does not look like progress */
	if (r->npast < 2)
		return;
	double lo = INFINITY, hi = 0, from = when(&r->past[0]), to_s = when(&r->past[r->npast - 1]);
	for (size_t i = 0; i < r->npast; i++) {
		lo = fmin(lo, r->past[i].best.value);
		hi = fmax(hi, r->past[i].best.value);
	}
	double mid = (lo + hi) / 2, half = fmax((hi - lo) / 2, LEAST * mid);
	double x = 0, y = 0;
	sb_printf(to,
	          "<svg class=\"past\" viewBox=\"0 0 %d %d\" aria-hidden=\"true\"><path "
	          "class=\"line\" "
	          "d=\"",
	          WIDE, HIGH);
	for (size_t i = 0; i < r->npast; i++) {
		double t = to_s > from ? (when(&r->past[i]) - from) / (to_s - from)
		                       : (double)i / (double)(r->npast - 1);
		x = AIR + t * (WIDE - 2 * AIR);
		y = HIGH / 2.0 - (r->past[i].best.value - mid) / half * (HIGH / 2.0 - AIR);
		if (i) /* a value holds until the next run */
			sb_printf(to, "H%.1fV%.1f", x, y);
		else
			sb_printf(to, "M%.1f %.1f", x, y);
	}
	sb_printf(to, "\"/><circle class=\"last\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/></svg>", x, y);
}
