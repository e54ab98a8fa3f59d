#include "site-gen/diagram/clock.h"

#include <math.h>

#include "lib/units.h"
#include "site-gen/base/html.h"

enum { TALL = 200, AXIS = 60, GAP = 28, HEAD = 22, FOOT = 24 };

/* One phase: where it stands, and what it spans. */
struct panel {
	struct canvas *c;
	double x, y, width, seconds, lo, hi;
};

static double x_of(const struct panel *p, double at)
{
	return p->x + at / p->seconds * p->width;
}

static double y_of(const struct panel *p, double hz)
{
	return p->y + TALL * (1 - (hz - p->lo) / (p->hi - p->lo));
}

static void put_frame(const struct panel *p, const char *head, bool amounts)
{
	static const double STEP = 2e8;
	struct arena *a = p->c->a;
	struct unit_text u;
	canvas_text(p->c, "head", p->x, p->y - 8, CANVAS_LEFT, head);
	for (double v = p->lo; v <= p->hi + STEP / 2; v += STEP) {
		canvas_line(p->c, "thin", p->x, y_of(p, v), p->x + p->width, y_of(p, v));
		if (amounts)
			canvas_text(p->c, "", p->x - 8, y_of(p, v) + 4, CANVAS_RIGHT,
			            arena_printf(a, "%.1f" NBSP "GHz", v / 1e9));
	}
	unit_format(p->seconds, 0, "s", &u);
	const double amount = p->seconds / u.scale;
	/* from 100 on, %.2g would print an exponent */
	const char *format = amount < 99.5 ? "%.2g" NBSP "%s" : "%.0f" NBSP "%s";
	canvas_text(p->c, "", p->x, p->y + TALL + 16, CANVAS_LEFT, "0");
	canvas_text(p->c, "", p->x + p->width, p->y + TALL + 16, CANVAS_RIGHT,
	            arena_printf(a, format, amount, u.unit));
}

static void put_line(const struct panel *p, const struct clock_line *l)
{
	sb_printf(p->c->to, "<path class=\"trace trace-%d\" d=\"", l->series);
	for (int i = 0; i < l->n; i++)
		sb_printf(p->c->to, "%c%.4g,%.4g", i ? 'L' : 'M', x_of(p, l->point[i].at),
		          y_of(p, l->point[i].hz));
	html_raw(p->c->to, "\"/>\n");
}

/* The extent of all lines, in whole steps of the axis. */
static void span(const struct clock *k, struct panel panel[CLOCK_PHASES])
{
	static const double STEP = 2e8;
	double lo = INFINITY, hi = 0;
	for (size_t i = 0; i < k->n; i++)
		for (int p = 0; p < k->line[i].n; p++) {
			const struct clock_point *at = &k->line[i].point[p];
			double *seconds = &panel[k->line[i].phase].seconds;
			lo = fmin(lo, at->hz);
			hi = fmax(hi, at->hz);
			*seconds = fmax(*seconds, at->at);
		}
	for (int i = 0; i < CLOCK_PHASES; i++) {
		panel[i].lo = STEP * floor(lo / STEP);
		panel[i].hi = STEP * ceil(hi / STEP);
		panel[i].seconds = panel[i].seconds > 0 ? panel[i].seconds : 1;
	}
}

void clock_draw(struct canvas *c, const struct clock *k, const struct canvas_said *said)
{
	static const char *const heads[] = {"diagram_warm_up", "diagram_samples"};
	static const char *const classes[] = {"trace-0", "trace-1", "trace-2", "trace-3"};
	struct panel panel[CLOCK_PHASES] = {{.c = c}, {.c = c}};
	double width = c->narrow ? CANVAS_NARROW : CANVAS_WIDE, high = HEAD + TALL + FOOT;
	double room = c->narrow ? width - AXIS : (width - AXIS - GAP) / CLOCK_PHASES;
	double bottom = c->narrow ? CLOCK_PHASES * high : high;
	span(k, panel);
	int named = k->nnames > 1 ? k->nnames : 0; /* one series needs no colour to be told apart */
	canvas_open(c, bottom + (named ? 8 + canvas_legend_height(c, 0, k->name, named) : 0), said);
	for (int i = 0; i < CLOCK_PHASES; i++) {
		panel[i].x = AXIS + (c->narrow ? 0 : i * (room + GAP));
		panel[i].y = HEAD + (c->narrow ? i * high : 0);
		panel[i].width = room;
		put_frame(&panel[i], words_get(c->words, heads[i]), c->narrow || i == 0);
	}
	for (size_t i = k->n; i-- > 0;) /* the first series on top */
		put_line(&panel[k->line[i].phase], &k->line[i]);
	canvas_legend(c, c->narrow ? 0 : AXIS, bottom + 8, classes, k->name, named);
	canvas_close(c);
}
