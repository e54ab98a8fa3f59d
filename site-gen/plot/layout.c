/*
 * Where everything of a chart goes: ticks, grid, curves, labels at the ends
 * of curves that keep clear of each other.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "site-gen/plot/plot.h"
#include "site-gen/plot/place.h"

/* Canvas of each size in SVG units. A narrow plot is shown at about its own size on a phone. */
static const struct {
	const char *name;
	int width, height, font, left, top, bottom, ticks_x, ticks_y;
	double most_right; /* the widest label margin, of the width */
} sizes[PLOT_SIZES] = {
        [PLOT_WIDE] = {"wide", 720, 420, 14, 68, 22, 54, 9, 7, 0.34},
        [PLOT_NARROW] = {"narrow", 360, 340, 13, 50, 20, 50, 5, 6, 0.36},
};

/* Mean width of a character of a sans-serif face, in ems: for room, not for truth. */
static const double CHAR_EMS = 0.56;

enum { MAX_TICKS = 64, MAX_ENDS = 32, LABEL_GAP = 8 };

struct drawing {
	const struct plot_chart *c;
	struct plot_layout *l;
	enum plot_size size;
	struct place_box box;     /* the plot area */
	struct place_field field; /* what names of lines keep clear of */
};

/* --- marks: what travels to gnuplot as a colour --- */

static size_t add_mark(struct plot_layout *l, struct plot_mark m)
{
	l->mark = arena_grow(l->a, l->mark, l->nmarks, &l->cap, sizeof *l->mark);
	l->mark[l->nmarks] = m;
	return l->nmarks++;
}

/* --- from values to places --- */

static double along(const struct plot_axis *a, double v)
{
	if (a->log)
		return log(v / a->lo) / log(a->hi / a->lo);
	return (v - a->lo) / (a->hi - a->lo);
}

static double place_x(const struct drawing *d, double x)
{
	return d->box.left + along(&d->c->x, x) * (d->box.right - d->box.left);
}

static double place_y(const struct drawing *d, double y)
{
	return d->box.bottom - along(&d->c->y, y) * (d->box.bottom - d->box.top);
}

static double text_width(const struct drawing *d, const char *s)
{
	double ems = 0;
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;
		if ((c & 0xC0) != 0x80) /* Chinese fills a square: U+3000 and after */
			ems += c >= 0xE3 ? 1 : CHAR_EMS;
	}
	return ems * d->l->font;
}

/* Where a text is: its height is centred at y. */
static struct place_box text_box(const struct drawing *d, double x, double y, char anchor,
                                 const char *text)
{
	double w = 1.08 * text_width(d, text), h = 0.5 * d->l->font; /* rather too wide */
	double left = anchor == 'l' ? x : anchor == 'r' ? x - w : x - w / 2;
	return (struct place_box){left, left + w, y - h, y + h};
}

static void put_text(const struct drawing *d, double x, double y, char anchor, struct plot_mark m)
{
	struct plot_layout *l = d->l;
	struct sb *to = anchor == 'l' ? &l->left : anchor == 'r' ? &l->right : &l->centre;
	size_t i = add_mark(l, m);
	sb_printf(to, "%.6f %.6f t%zu %zu\n", x / l->width, 1 - y / l->height, i, i);
}

static void begin_line(const struct drawing *d, struct sb *to)
{
	(void)d;
	if (to->n > 0)
		sb_char(to, '\n');
}

static void put_line(const struct drawing *d, const struct plot_xy *at, size_t n,
                     struct plot_mark m)
{
	size_t i = add_mark(d->l, m);
	begin_line(d, &d->l->lines);
	for (size_t k = 0; k < n; k++)
		sb_printf(&d->l->lines, "%.9g %.9g %zu\n", at[k].x, at[k].y, i);
}

/* --- ticks --- */

struct ticks {
	double at[MAX_TICKS];
	size_t n;
};

static void add_tick(struct ticks *t, double v)
{
	if (t->n < MAX_TICKS)
		t->at[t->n++] = v;
}

static struct ticks linear_ticks(const struct plot_axis *a, int most)
{
	static const double steps[] = {1, 2, 2.5, 5, 10};
	struct ticks t = {.n = 0};
	double lo = a->lo / a->scale, hi = a->hi / a->scale;
	double raw = (hi - lo) / most, power = pow(10, floor(log10(raw))), step = 10 * power;
	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
		if (steps[i] * power >= raw) {
			step = steps[i] * power;
			break;
		}
	for (double i = ceil(lo / step - 1e-9) + 0.0; i * step <= hi + 1e-9 * step; i++)
		add_tick(&t, i * step * a->scale);
	return t;
}

/* Powers of the base; every k-th if there are many, thirds of a decade if there are few. */
static struct ticks log_ticks(const struct plot_axis *a, int most)
{
	struct ticks t = {.n = 0};
	double b = a->log;
	double first = ceil(log(a->lo / a->scale) / log(b) - 1e-9);
	double last = floor(log(a->hi / a->scale) / log(b) + 1e-9);
	int every = (int)ceil((last - first + 1) / most);
	if (a->log == 10 && last - first < 2) {
		static const double part[] = {1, 2, 5};
		for (double k = first - 1; k <= last; k++)
			for (int i = 0; i < 3; i++) {
				double v = part[i] * pow(10, k) * a->scale;
				if (v >= a->lo * (1 - 1e-9) && v <= a->hi * (1 + 1e-9))
					add_tick(&t, v);
			}
		return t;
	}
	for (double k = last; k >= first; k -= every > 0 ? every : 1)
		add_tick(&t, pow(b, k) * a->scale);
	return t;
}

/* 268435456 -> "2²⁸"; other numbers as they are. */
static const char *tick_text(const struct plot_axis *a, double v, struct arena *arena)
{
	static const char *const superscript[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
	enum { FROM = 16 };
	double shown = v / a->scale;
	double exponent = a->log == 2 ? log2(shown) : 0;
	if (exponent >= FROM && exponent == floor(exponent)) {
		int k = (int)exponent;
		return arena_printf(arena, "2%s%s", superscript[k / 10], superscript[k % 10]);
	}
	return arena_printf(arena, "%.6g", shown == 0 ? 0.0 : shown); /* never "-0" */
}

static void draw_x_axis(struct drawing *d)
{
	const struct plot_chart *c = d->c;
	struct ticks t = c->x.log ? log_ticks(&c->x, sizes[d->size].ticks_x)
	                          : linear_ticks(&c->x, sizes[d->size].ticks_x);
	for (size_t i = 0; i < t.n; i++) {
		struct plot_xy at[] = {{t.at[i], c->y.lo}, {t.at[i], c->y.hi}};
		put_line(d, at, 2, (struct plot_mark){.class = "grid", .colour = -1});
		put_text(d, place_x(d, t.at[i]), d->box.bottom + 1.1 * d->l->font, 'c',
		         (struct plot_mark){.class = "tick",
		                            .colour = -1,
		                            .text = tick_text(&c->x, t.at[i], d->l->a)});
	}
	struct plot_xy base[] = {{c->x.lo, c->y.lo}, {c->x.hi, c->y.lo}};
	put_line(d, base, 2, (struct plot_mark){.class = "axis", .colour = -1});
	put_text(d, (d->box.left + d->box.right) / 2, d->box.bottom + 2.6 * d->l->font, 'c',
	         (struct plot_mark){.class = "axis-title", .colour = -1, .text = c->x.title});
}

/* The title of the y axis lies above it, where it needs no turned head. */
static void draw_y_axis(struct drawing *d)
{
	const struct plot_chart *c = d->c;
	struct ticks t = c->y.log ? log_ticks(&c->y, sizes[d->size].ticks_y)
	                          : linear_ticks(&c->y, sizes[d->size].ticks_y);
	for (size_t i = 0; i < t.n; i++) {
		struct plot_xy at[] = {{c->x.lo, t.at[i]}, {c->x.hi, t.at[i]}};
		put_line(d, at, 2, (struct plot_mark){.class = "grid", .colour = -1});
		put_text(d, d->box.left - 6, place_y(d, t.at[i]), 'r',
		         (struct plot_mark){.class = "tick",
		                            .colour = -1,
		                            .text = tick_text(&c->y, t.at[i], d->l->a)});
	}
	double y = 0.7 * d->l->font;
	place_add_text(&d->field, text_box(d, 2, y, 'l', c->y.title));
	put_text(d, 2, y, 'l',
	         (struct plot_mark){.class = "axis-title", .colour = -1, .text = c->y.title});
}

/* --- curves and points --- */

/* Beside its point, on the side that has more room. */
static void put_value(const struct drawing *d, const struct plot_point *p)
{
	double x = place_x(d, p->x);
	bool left = x > (d->box.left + d->box.right) / 2;
	put_text(d, left ? x - LABEL_GAP - 2 : x + LABEL_GAP + 2, place_y(d, p->y),
	         left ? 'r' : 'l',
	         (struct plot_mark){.class = "value", .colour = -1, .text = p->value});
}

static void keep_clear(struct drawing *d, const struct plot_xy *at, size_t n, bool points)
{
	for (size_t i = 0; i < n; i++) {
		double x = place_x(d, at[i].x), y = place_y(d, at[i].y);
		if (points)
			place_add_point(&d->field, x, y);
		else if (i > 0)
			place_add_line(&d->field, place_x(d, at[i - 1].x), place_y(d, at[i - 1].y),
			               x, y);
	}
}

static void draw_series(struct drawing *d, const struct plot_series *s)
{
	struct plot_xy *at = ARENA_ARRAY(d->l->a, struct plot_xy, s->n + 1);
	for (size_t i = 0; i < s->n; i++)
		at[i] = (struct plot_xy){s->points[i].x, s->points[i].y};
	keep_clear(d, at, s->n, true);
	if (s->n > 1 && !s->scatter) {
		keep_clear(d, at, s->n, false);
		put_line(d, at, s->n,
		         (struct plot_mark){.class = "line", .colour = s->colour, .role = s->role});
	}
	for (size_t i = 0; i < s->n; i++) {
		size_t m = add_mark(d->l, (struct plot_mark){.class = "pt",
		                                             .colour = s->colour,
		                                             .role = s->role,
		                                             .point = &s->points[i]});
		sb_printf(&d->l->points, "%.9g %.9g %zu\n", at[i].x, at[i].y, m);
		if (s->points[i].value)
			put_value(d, &s->points[i]);
	}
}

static const char *series_name(const struct drawing *d, const struct plot_series *s)
{
	return d->size == PLOT_NARROW ? s->short_name : s->name;
}

/* --- labels at the ends of curves --- */

struct end {
	const struct plot_series *s;
	double x, y; /* of the last point */
	double at;   /* where the label goes */
};

static int by_height(const void *a, const void *b)
{
	const struct end *x = a, *y = b;
	return (x->y > y->y) - (x->y < y->y);
}

/*
 * Labels of neighbouring heights are pushed apart until each has its line:
 * groups that touch share the displacement, as in isotonic regression.
 */
static void spread(struct end *e, size_t n, double gap, double top, double bottom)
{
	double start[MAX_ENDS];
	size_t count[MAX_ENDS], groups = 0;
	for (size_t i = 0; i < n; i++) {
		start[groups] = e[i].y;
		count[groups++] = 1;
		while (groups > 1 &&
		       start[groups - 2] + gap * (double)count[groups - 2] > start[groups - 1]) {
			size_t a = count[groups - 2], b = count[groups - 1];
			double mid_a = start[groups - 2],
			       mid_b = start[groups - 1] - gap * (double)a;
			start[groups - 2] =
			        (mid_a * (double)a + mid_b * (double)b) / (double)(a + b);
			count[groups - 2] = a + b;
			groups--;
		}
	}
	for (size_t g = 0, i = 0; g < groups; g++)
		for (size_t k = 0; k < count[g]; k++, i++)
			e[i].at = start[g] + gap * (double)k;
	double over = n > 0 ? e[n - 1].at - bottom : 0;
	for (size_t i = n; over > 0 && i-- > 0;) {
		double most = i + 1 < n ? e[i + 1].at - gap : bottom;
		e[i].at = e[i].at > most ? most : e[i].at;
	}
	for (size_t i = 0; i < n; i++) {
		double least = i > 0 ? e[i - 1].at + gap : top;
		e[i].at = e[i].at < least ? least : e[i].at;
	}
}

static void put_leader(struct drawing *d, double x0, double y0, double x1, double y1)
{
	size_t m = add_mark(d->l, (struct plot_mark){.class = "leader", .colour = -1});
	struct plot_layout *l = d->l;
	begin_line(d, &l->leaders);
	sb_printf(&l->leaders, "%.6f %.6f %zu\n%.6f %.6f %zu\n", x0 / l->width, 1 - y0 / l->height,
	          m, x1 / l->width, 1 - y1 / l->height, m);
}

/*
 * Beside the curve's last point; where something is drawn there, a little
 * further, or in the column right of the plot if that is near.
 */
static double label_x(const struct drawing *d, const struct end *e)
{
	enum { FAR = 8, STEPS = 6 }; /* in ems */
	const char *name = series_name(d, e->s);
	double near = e->x + 3 * LABEL_GAP, column = d->box.right + 3 * LABEL_GAP;
	double best = near, least = INFINITY;
	for (int i = 0; i <= STEPS; i++) {
		double x = i < STEPS ? near + i * d->l->font : column;
		double cost = place_cost(&d->field, text_box(d, x, e->at, 'l', name)) + x - near;
		if (x - near < FAR * d->l->font && x <= column && cost < least) {
			least = cost;
			best = x;
		}
	}
	return best;
}

static void draw_ends(struct drawing *d)
{
	struct end e[MAX_ENDS];
	size_t n = 0;
	for (size_t i = 0; i < d->c->nseries && n < MAX_ENDS; i++) {
		const struct plot_series *s = &d->c->series[i];
		if (s->n == 0)
			continue;
		const struct plot_point *last = &s->points[s->n - 1];
		e[n++] = (struct end){s, place_x(d, last->x), place_y(d, last->y), 0};
	}
	double top = d->box.top;
	if (d->c->keep_below > 0) /* two lines: the roof and its name */
		top = place_y(d, d->c->keep_below) + 2.2 * d->l->font;
	qsort(e, n, sizeof *e, by_height);
	spread(e, n, 1.25 * d->l->font, top, d->box.bottom);
	for (size_t i = 0; i < n; i++) {
		double x = label_x(d, &e[i]);
		put_leader(d, e[i].x + LABEL_GAP - 2, e[i].y, x - 3, e[i].at);
		place_add_text(&d->field, text_box(d, x, e[i].at, 'l', series_name(d, e[i].s)));
		put_text(d, x, e[i].at, 'l',
		         (struct plot_mark){.class = "label",
		                            .colour = e[i].s->colour,
		                            .role = e[i].s->role,
		                            .text = series_name(d, e[i].s)});
	}
}

/* Rows have their names on the left, where the y axis would be. */
static void draw_row_names(struct drawing *d)
{
	for (size_t i = 0; i < d->c->nseries; i++) {
		const struct plot_series *s = &d->c->series[i];
		struct plot_xy at[] = {{d->c->x.lo, s->points[0].y}, {d->c->x.hi, s->points[0].y}};
		put_line(d, at, 2, (struct plot_mark){.class = "grid", .colour = -1});
		put_text(d, d->box.left - 8, place_y(d, s->points[0].y), 'r',
		         (struct plot_mark){.class = "label",
		                            .colour = s->colour,
		                            .role = s->role,
		                            .text = series_name(d, s)});
	}
}

/* --- names of lines --- */

/* A text of one row, or of two that stay together. */
struct caption {
	const char *row[2], *class[2];
	int rows;
};

struct spot {
	double x, y; /* the middle of its height */
	char anchor;
};

static const double ROW_EMS = 1.2,
                    OUTSIDE = 1e6; /* the latter is what it costs to leave the drawing */

/* How far the middle of a caption is from that of its first row. */
static double half_rows(const struct drawing *d, const struct caption *t)
{
	return (t->rows - 1) * ROW_EMS * d->l->font / 2;
}

static struct place_box caption_box(const struct drawing *d, struct spot s, const struct caption *t)
{
	struct place_box all = text_box(d, s.x, s.y, s.anchor, t->row[0]);
	if (t->rows > 1) {
		struct place_box other = text_box(d, s.x, s.y, s.anchor, t->row[1]);
		all.left = fmin(all.left, other.left);
		all.right = fmax(all.right, other.right);
		all.top -= half_rows(d, t);
		all.bottom += half_rows(d, t);
	}
	return all;
}

static void put_caption(struct drawing *d, struct spot s, const struct caption *t)
{
	place_add_text(&d->field, caption_box(d, s, t));
	for (int i = 0; i < t->rows; i++)
		put_text(d, s.x, s.y - half_rows(d, t) + i * ROW_EMS * d->l->font, s.anchor,
		         (struct plot_mark){.class = t->class[i], .colour = -1, .text = t->row[i]});
}

/* Only within the drawing; the later ones are for charts that leave no better room. */
static void try_spot(const struct drawing *d, struct spot s, const struct caption *t, double malus,
                     double *least, struct spot *best)
{
	struct place_box b = caption_box(d, s, t);
	bool outside = b.left < d->box.left || b.right > d->l->width || b.top < 0 ||
	               b.bottom > d->box.bottom;
	double cost = place_cost(&d->field, b) + malus + (outside ? OUTSIDE : 0);
	if (cost < *least) {
		*least = cost;
		*best = s;
	}
}

static bool is_level(const struct plot_label *t)
{
	return t->line[0].x != t->line[1].x && t->line[0].y == t->line[1].y;
}

static bool is_slope(const struct plot_label *t)
{
	return t->line[0].x != t->line[1].x && t->line[0].y != t->line[1].y;
}

/* The height, on the drawing, of a straight line at x of the drawing. */
static double height_at(const struct drawing *d, const struct plot_label *t, double x)
{
	double x0 = place_x(d, t->line[0].x), x1 = place_x(d, t->line[1].x);
	double y0 = place_y(d, t->line[0].y), y1 = place_y(d, t->line[1].y);
	return y0 + (y1 - y0) * (x - x0) / (x1 - x0);
}

/* Would a reader take a name at this height for that of another level line? */
static bool is_ambiguous(const struct drawing *d, const struct plot_label *t, double y)
{
	double own = fabs(place_y(d, t->line[0].y) - y);
	for (size_t i = 0; i < d->c->nlabels; i++) {
		const struct plot_label *o = &d->c->label[i];
		if (is_level(o) && o->line[0].y != t->line[0].y &&
		    fabs(place_y(d, o->line[0].y) - y) <= own)
			return true;
	}
	return false;
}

/*
 * Beside a level line, or two that run close: at either end and in the middle; above the upper
 * one, below the lower one, a line of text further. `own` is where its author wants it.
 */
static void try_level(const struct drawing *d, const struct plot_label *upper,
                      const struct plot_label *lower, const struct caption *t, double *least,
                      struct spot *best)
{
	double step = 1.7 * d->l->font, far = half_rows(d, t);
	bool up = upper->dy < 0;
	double above = place_y(d, upper->line[0].y) + (up ? upper->dy : -9) - far;
	double below = place_y(d, lower->line[0].y) + (lower->dy > 0 ? lower->dy : 11) + far;
	double x0 = fmax(place_x(d, fmin(upper->line[0].x, lower->line[0].x)), d->box.left) + 6;
	double x1 = fmin(place_x(d, upper->line[1].x), d->box.right) - 4;
	double side[] = {up ? above : below, up ? above - step : below + step, up ? below : above,
	                 up ? below + step : above - step};
	struct spot at[] = {{x0, 0, 'l'}, {x1, 0, 'r'}, {(x0 + x1) / 2, 0, 'c'}};
	if (upper->anchor == 'r') {
		at[0] = at[1];
		at[1] = (struct spot){x0, 0, 'l'};
	}
	for (size_t s = 0; s < sizeof side / sizeof side[0]; s++)
		for (size_t i = 0; i < sizeof at / sizeof at[0]; i++)
			if (upper != lower || !is_ambiguous(d, upper, side[s]))
				try_spot(d, (struct spot){at[i].x, side[s], at[i].anchor}, t,
				         3 * (double)s + (i > 0 ? 2 : 0), least, best);
}

/* Beside a slope: anywhere along it, on its own side. */
static void try_slope(const struct drawing *d, const struct plot_label *t, const struct caption *c,
                      double *least, struct spot *best)
{
	enum { STEPS = 16 };
	double x0 = place_x(d, t->line[0].x), x1 = place_x(d, t->line[1].x);
	double rows = t->dy < 0 ? -half_rows(d, c) : half_rows(d, c);
	for (int i = 1; i < STEPS; i++) {
		double x = x0 + (x1 - x0) * i / STEPS, y = height_at(d, t, x) + t->dy + rows;
		double far = fabs(x - place_x(d, t->x)) / (1 + fabs(x1 - x0));
		try_spot(d, (struct spot){x + t->dx, y, t->anchor}, c, 1 + 4 * far, least, best);
	}
}

/* The best spot for a text of a label, and what it costs. */
static double find_spot(const struct drawing *d, const struct plot_label *t,
                        const struct caption *c, struct spot *best)
{
	double least = INFINITY;
	const struct plot_xy *l = t->line;
	*best = (struct spot){place_x(d, t->x) + t->dx, place_y(d, t->y) + t->dy, t->anchor};
	if (l[0].x == l[1].x)
		return 0;
	if (is_level(t)) {
		try_level(d, t, t, c, &least, best);
	} else {
		try_spot(d, *best, c, 0, &least, best);
		try_slope(d, t, c, &least, best);
	}
	return least;
}

static struct caption caption_of(const struct drawing *d, const struct plot_label *t)
{
	bool narrow = d->size == PLOT_NARROW && t->narrow;
	return (struct caption){
	        .row = {narrow ? t->narrow : t->text}, .class = {t->class}, .rows = 1};
}

/* Where its text would hide something and there is a shorter one, that one. */
static void draw_label(struct drawing *d, const struct plot_label *t)
{
	enum { HIDES = 100 };
	struct caption c = caption_of(d, t);
	struct spot best;
	if (!*c.row[0])
		return;
	if (find_spot(d, t, &c, &best) > HIDES && t->narrow && *t->narrow) {
		c.row[0] = t->narrow;
		find_spot(d, t, &c, &best);
	}
	put_caption(d, best, &c);
}

/* The names of two lines that run close, in the order of the lines: in a row, or one above the other. */
static void draw_pair(struct drawing *d, const struct plot_label *upper,
                      const struct plot_label *lower)
{
	struct caption one = caption_of(d, upper), low = caption_of(d, lower), two = one;
	double one_least = INFINITY, two_least = INFINITY;
	struct spot one_best = {0}, two_best = {0};
	two.row[1] = low.row[0];
	two.class[1] = lower->class;
	two.rows = 2;
	one.row[0] = arena_printf(d->l->a, "%s · %s", one.row[0], low.row[0]);
	if (is_level(upper)) {
		try_level(d, upper, lower, &one, &one_least, &one_best);
		try_level(d, upper, lower, &two, &two_least, &two_best);
	} else {
		try_slope(d, lower, &two, &two_least, &two_best);
	}
	if (one_least <= two_least)
		put_caption(d, one_best, &one);
	else
		put_caption(d, two_best, &two);
}

/* Another label whose line is too close for names of their own; NULL: there is none. */
static const struct plot_label *partner(const struct drawing *d, const struct plot_label *t)
{
	double room = ROW_EMS * d->l->font, x = place_x(d, t->x);
	for (size_t i = 0; i < d->c->nlabels; i++) {
		const struct plot_label *o = &d->c->label[i];
		bool alike = (is_level(t) && is_level(o)) || (is_slope(t) && is_slope(o));
		if (o != t && alike && fabs(height_at(d, o, x) - height_at(d, t, x)) < room)
			return o;
	}
	return NULL;
}

/* Names of slopes stand on either side, if there is room on both. */
static bool has_own_side(const struct drawing *d, const struct plot_label *t)
{
	struct caption c = caption_of(d, t);
	struct spot best;
	return is_slope(t) && find_spot(d, t, &c, &best) < OUTSIDE;
}

static void draw_close(struct drawing *d, const struct plot_label *a, const struct plot_label *b)
{
	double x = place_x(d, a->x);
	bool first = height_at(d, a, x) <= height_at(d, b, x);
	if (has_own_side(d, a) && has_own_side(d, b)) {
		draw_label(d, a);
		draw_label(d, b);
	} else {
		draw_pair(d, first ? a : b, first ? b : a);
	}
}

static void draw_labels(struct drawing *d)
{
	for (size_t i = 0; i < d->c->nlabels; i++) {
		const struct plot_label *t = &d->c->label[i], *other = partner(d, t);
		if (!other)
			draw_label(d, t);
		else if (other > t)
			draw_close(d, t, other);
	}
}

/* --- the whole --- */

static double widest_name(const struct drawing *d)
{
	static const double MOST_OF_ROWS = 0.46;
	double most = d->c->rows ? MOST_OF_ROWS : sizes[d->size].most_right, w = 0;
	for (size_t i = 0; i < d->c->nseries; i++)
		w = fmax(w, text_width(d, series_name(d, &d->c->series[i])));
	return fmin(w, most * d->l->width);
}

static void set_box(struct drawing *d)
{
	struct plot_layout *l = d->l;
	double names = widest_name(d);
	d->box.left = d->c->rows ? names + 2 * LABEL_GAP : sizes[d->size].left;
	d->box.right = d->c->rows ? l->width - 2.5 * l->font : l->width - names - 4 * LABEL_GAP;
	d->box.top = sizes[d->size].top + (d->c->rows ? 1.2 * l->font : 0.4 * l->font);
	d->box.bottom = l->height - sizes[d->size].bottom;
}

static void put_frame(const struct drawing *d)
{
	const struct plot_chart *c = d->c;
	struct plot_layout *l = d->l;
	/* one row for each end; the smaller of width and height must be the height */
	static const char row[] = "%.9g %.9g %d %d %.6f %.6f %d %d %d\n";
	int leaders = l->leaders.n > 0, left = l->left.n > 0;
	sb_printf(&l->frame, row, c->x.lo, c->y.lo, c->x.log > 0, c->y.log > 0,
	          d->box.left / l->width, 1 - d->box.bottom / l->height, l->height, leaders, left);
	sb_printf(&l->frame, row, c->x.hi, c->y.hi, c->x.log > 0, c->y.log > 0,
	          d->box.right / l->width, 1 - d->box.top / l->height, l->width, leaders, left);
}

/* A roof may leave the plot; each segment is cut at the axes. */
static void draw_line(struct drawing *d, const struct plot_line *line)
{
	keep_clear(d, line->at, line->n, false);
	put_line(d, line->at, line->n, (struct plot_mark){.class = line->class, .colour = -1});
}

void plot_layout_make(const struct plot_chart *c, enum plot_size size, struct arena *a,
                      struct plot_layout *out)
{
	enum { ROW = 27, ROWS_EXTRA = 16 };
	*out = (struct plot_layout){.width = sizes[size].width,
	                            .height = sizes[size].height,
	                            .font = sizes[size].font,
	                            .a = a};
	struct drawing d = {.c = c, .l = out, .size = size, .field = {.a = a}};
	if (c->rows) {
		int height = sizes[size].top + sizes[size].bottom + ROWS_EXTRA +
		             ROW * ((int)c->nseries + 1);
		out->height = height < sizes[size].width ? height : sizes[size].width;
	}
	set_box(&d);
	draw_x_axis(&d);
	if (c->rows)
		draw_row_names(&d);
	else
		draw_y_axis(&d);
	for (size_t i = 0; i < c->nlines; i++)
		draw_line(&d, &c->line[i]);
	for (size_t i = 0; i < c->nbars; i++)
		draw_line(&d, &c->bar[i]);
	for (size_t i = 0; i < c->nseries; i++)
		draw_series(&d, &c->series[i]);
	if (!c->rows)
		draw_ends(&d);
	draw_labels(&d);
	put_frame(&d);
}

void plot_layout_free(struct plot_layout *l)
{
	struct sb *all[] = {&l->frame, &l->lines,  &l->points, &l->leaders,
	                    &l->left,  &l->centre, &l->right};
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		sb_free(all[i]);
}
