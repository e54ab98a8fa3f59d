#include "site-gen/diagram/timeline.h"

#include <math.h>

#include "lib/units.h"

enum { HIGH = 22, NAMES = 150, AMOUNTS = 70, AXIS = 26 };

/* Where rows stand: beside their names, or on narrow pages below them. */
struct frame {
	struct canvas *c;
	const struct timeline *t;
	double left, width, row, scale; /* scale: units for a second */
};

static double shortest(const struct timeline *t)
{
	double least = t->row[0].step;
	for (size_t i = 1; i < t->n; i++)
		least = fmin(least, t->row[i].step);
	return least;
}

/* One step from x on; what lies beyond the window is cut off. */
static void put_step(const struct frame *f, double x, double y, double step, bool fastest)
{
	double end = f->left + f->width, gap = 1.2;
	double whole = fmin(step * f->scale, end - x) - gap;
	double work = f->t->work > 0 ? fmin(f->t->work * f->scale - gap, whole) : whole;
	if (whole <= 0)
		return;
	if (work < whole)
		canvas_rect(f->c, "waste", x, y, whole, HIGH, 2);
	canvas_rect(f->c, fastest ? "hot" : "use", x, y, work, HIGH, 2);
}

static void put_row(const struct frame *f, size_t i, double y)
{
	const struct timeline_row *r = &f->t->row[i];
	struct canvas *c = f->c;
	double end = f->left + f->width;
	bool fastest = r->step <= shortest(f->t);
	if (c->narrow) {
		canvas_text(c, fastest ? "head" : "on", 0, y - 6, CANVAS_LEFT, r->name);
		canvas_text(c, "value", CANVAS_NARROW, y - 6, CANVAS_RIGHT, r->amount);
	} else {
		const char *line[2];
		int n = canvas_break(c, r->name, NAMES - 12, line, 2);
		for (int k = 0; k < n; k++)
			canvas_text(c, fastest ? "head" : "on", 0,
			            y + HIGH / 2.0 + 4 + (k - (n - 1) / 2.0) * CANVAS_LINE * 0.9,
			            CANVAS_LEFT, line[k]);
		canvas_text(c, "value", CANVAS_WIDE, y + HIGH / 2.0 + 4, CANVAS_RIGHT, r->amount);
	}
	canvas_link(c, r->href, r->title);
	for (double x = f->left; x < end; x += r->step * f->scale)
		put_step(f, x, y, r->step, fastest);
	canvas_link_end(c, r->href);
}

/* Ticks of 1, 2 or 5 × 10^k, about five of them. */
static void put_axis(const struct frame *f, double top, double bottom)
{
	struct unit_text u;
	struct arena *a = f->c->a;
	unit_format(f->t->window, 0, "s", &u);
	double all = f->t->window / u.scale, ten = pow(10, floor(log10(all / 5)));
	double step = all / 5 > 5 * ten ? 10 * ten : all / 5 > 2 * ten ? 5 * ten : 2 * ten;
	for (int k = 0; k * step <= all * 1.0001; k++) {
		double x = f->left + k * step * u.scale * f->scale;
		const char *text = k ? arena_printf(a, "%g" NBSP "%s", k * step, u.unit) : "0";
		canvas_line(f->c, "thin", x, top, x, bottom);
		if (x + canvas_text_width(text) / 2 <= f->c->width)
			canvas_text(f->c, "", x, bottom + 15, k ? CANVAS_MIDDLE : CANVAS_LEFT,
			            text);
	}
}

void timeline_draw(struct canvas *c, const struct timeline *t, const struct canvas_said *said)
{
	static const char *const classes[] = {"use", "waste"};
	const char *words[] = {t->work_says, words_get(c->words, "diagram_rest_of_step")};
	struct frame f = {.c = c, .t = t};
	double width = c->narrow ? CANVAS_NARROW : CANVAS_WIDE;
	double first = c->narrow ? 20 : 4;
	f.left = c->narrow ? 0 : NAMES;
	f.width = width - f.left - (c->narrow ? 0 : AMOUNTS);
	f.row = c->narrow ? HIGH + 24 : HIGH + 12;
	f.scale = f.width / t->window;
	double bottom = first + (double)t->n * f.row - 4;
	canvas_open(c,
	            bottom + AXIS + (t->work > 0 ? canvas_legend_height(c, f.left, words, 2) : 0),
	            said);
	put_axis(&f, first - 4, bottom);
	for (size_t i = 0; i < t->n; i++)
		put_row(&f, i, first + (double)i * f.row);
	if (t->work > 0)
		canvas_legend(c, f.left, bottom + AXIS, classes, words, 2);
	canvas_close(c);
}
