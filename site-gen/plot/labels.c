/*
 * Moves names that would hide something, because gnuplot puts a text where the program asks. Names
 * at the ends of curves move apart, and each gets a line to its curve. Names of roofs slide along
 * their roof, and turn with it where it slopes; those of close roofs become one. All other texts
 * stay where the program put them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/plot/inner.h"
#include "site-gen/plot/place.h"

enum { MAX_ENDS = 32, MAX_NAMES = 12, LABEL_GAP = 8 };

/* How far a baseline is below the middle of its text, and rows are apart, in ems. */
static const double RISE = 0.325, ROW_EMS = 1.2, PI = 3.14159265358979323846;

/* Cost of a place outside the drawing, and of one where a text hides something. */
static const double OUTSIDE = 1e6, HIDES = 100;

struct segment {
	double x0, y0, x1, y1; /* from left to right */
};

/* The name of a roof, and the part of the roof that it names. */
struct name {
	struct plot_part *p;
	struct segment line;
	double dy; /* from the line to the middle of the text, as the program wants it */
	const char *brief;
};

struct field {
	struct plot_drawing *d;
	struct place_box area; /* of the plot */
	struct place_field taken;
	struct name name[MAX_NAMES];
	size_t nnames;
};

static double middle(const struct plot_part *p)
{
	return p->at->y - RISE * p->font;
}

static void move(struct plot_part *p, double x, double y, char anchor)
{
	*p->at = (struct plot_vertex){x, y + RISE * p->font, true};
	p->anchor = anchor;
}

/* The box of a text whose height is centred at y. */
static struct place_box text_box(double x, double y, char anchor, const char *text, double font)
{
	double w = 1.08 * plot_text_ems(text) * font, h = 0.5 * font; /* rather too wide */
	double left = anchor == 'l' ? x : anchor == 'r' ? x - w : x - w / 2;
	return (struct place_box){left, left + w, y - h, y + h};
}

static struct place_box box_of(const struct plot_part *p)
{
	struct place_box b = text_box(p->at->x, middle(p), p->anchor, p->text, p->font);
	double w = b.right - b.left, h = b.bottom - b.top;
	if (fabs(p->angle) < 45)
		return b;
	return (struct place_box){p->at->x - h, p->at->x, p->at->y - w / 2, p->at->y + w / 2};
}

static const struct plot_class *fixed_class(const struct plot_part *p)
{
	return p->paint.meaning == PLOT_CLASS ? plot_class(p->paint.index) : NULL;
}

static bool is_of(const struct plot_part *p, const char *variable)
{
	const struct plot_class *c = fixed_class(p);
	return c && strcmp(c->variable, variable) == 0;
}

/* --- names of roofs: which line is meant --- */

static double height_at(const struct segment *s, double x)
{
	return s->x1 == s->x0 ? s->y0 : s->y0 + (s->y1 - s->y0) * (x - s->x0) / (s->x1 - s->x0);
}

static bool is_level(const struct segment *s)
{
	return fabs(s->y1 - s->y0) < 0.05;
}

/* The straight piece that begins at vertex i; the next one begins at the vertex returned. */
static size_t straight(const struct plot_part *p, size_t i, struct segment *s)
{
	*s = (struct segment){p->at[i].x, p->at[i].y, p->at[i + 1].x, p->at[i + 1].y};
	size_t k = i + 1;
	while (k + 1 < p->n && !p->at[k + 1].begins && p->at[k + 1].x > s->x1 && s->x1 > s->x0 &&
	       fabs(height_at(s, p->at[k + 1].x) - p->at[k + 1].y) < 0.05) {
		k++;
		s->x1 = p->at[k].x;
		s->y1 = p->at[k].y;
	}
	if (s->x1 < s->x0)
		*s = (struct segment){s->x1, s->y1, s->x0, s->y0};
	return k;
}

/* Finds the piece nearest to a text, above or below, among the lines of the text's class. */
static bool line_of(const struct plot_drawing *d, const struct plot_part *text, struct segment *out)
{
	double least = 4 * text->font;
	bool any = false;
	for (size_t i = 0; i < d->n; i++) {
		const struct plot_part *p = &d->part[i];
		struct segment s;
		if (p->shape != PLOT_PATH || p->paint.meaning != PLOT_CLASS ||
		    p->paint.index != text->paint.index)
			continue;
		for (size_t k = 0; k + 1 < p->n;) {
			if (p->at[k + 1].begins) {
				k++;
				continue;
			}
			k = straight(p, k, &s);
			double x = fmin(fmax(text->at->x, s.x0), s.x1);
			double far = fabs(height_at(&s, x) - middle(text)) + fabs(x - text->at->x);
			if (s.x1 > s.x0 && far < least) {
				least = far;
				*out = s;
				any = true;
			}
		}
	}
	return any;
}

/* The shorter form of a roof's name; NULL if there is none. */
static const char *brief_of(const struct plot_chart *c, const char *text)
{
	for (int i = 0; i < PLOT_ROOFS; i++) {
		const struct plot_roof *r = &c->roof[i];
		if (r->level_text && strcmp(r->level_text, text) == 0)
			return r->level_short;
		if (r->slope_text && strcmp(r->slope_text, text) == 0)
			return r->slope_short;
	}
	return NULL;
}

static void find_names(struct field *f)
{
	for (size_t i = 0; i < f->d->n && f->nnames < MAX_NAMES; i++) {
		struct plot_part *p = &f->d->part[i];
		struct name n = {.p = p};
		if (p->shape != PLOT_TEXT || (!is_of(p, "c_spec") && !is_of(p, "c_measured")) ||
		    !line_of(f->d, p, &n.line))
			continue;
		n.dy = middle(p) - height_at(&n.line, fmin(fmax(p->at->x, n.line.x0), n.line.x1));
		n.brief = brief_of(f->d->chart, p->text);
		f->name[f->nnames++] = n;
	}
}

/* --- what is in the way --- */

static bool is_name(const struct field *f, const struct plot_part *p)
{
	for (size_t i = 0; i < f->nnames; i++)
		if (f->name[i].p == p)
			return true;
	return false;
}

static void add_path(struct field *f, const struct plot_part *p)
{
	if (is_of(p, "c_grid") || is_of(p, "c_axis") || is_of(p, "c_ridge") || is_of(p, "c_chosen"))
		return; /* texts may stand on these */
	for (size_t i = 1; i < p->n; i++)
		if (!p->at[i].begins)
			place_add_line(&f->taken, p->at[i - 1].x, p->at[i - 1].y, p->at[i].x,
			               p->at[i].y);
}

/* The extent of grid and axes. */
static void find_area(struct field *f)
{
	struct place_box b = {INFINITY, -INFINITY, INFINITY, -INFINITY};
	for (size_t i = 0; i < f->d->n; i++) {
		const struct plot_part *p = &f->d->part[i];
		if (p->shape != PLOT_PATH || (!is_of(p, "c_grid") && !is_of(p, "c_axis")))
			continue;
		for (size_t k = 0; k < p->n; k++) {
			b.left = fmin(b.left, p->at[k].x);
			b.right = fmax(b.right, p->at[k].x);
			b.top = fmin(b.top, p->at[k].y);
			b.bottom = fmax(b.bottom, p->at[k].y);
		}
	}
	f->area = b.right > b.left && b.bottom > b.top
	                  ? b
	                  : (struct place_box){0, f->d->width, 0, f->d->height};
}

/* --- names at the ends of curves --- */

struct end {
	struct plot_part *label;
	double x, y;   /* of the last point */
	double to, at; /* where the label goes */
};

/* Finds the last point of the series that a text names, if the text is beside that point. */
static bool end_of(const struct plot_drawing *d, struct plot_part *label, struct end *out)
{
	const struct plot_vertex *last = NULL;
	if (label->shape != PLOT_TEXT || label->paint.meaning != PLOT_SERIES ||
	    label->anchor != 'l' || label->angle != 0)
		return false;
	for (size_t i = 0; i < d->n; i++) {
		const struct plot_part *p = &d->part[i];
		if (p->shape == PLOT_CIRCLE && p->paint.meaning == PLOT_NUMBER &&
		    p->paint.series == label->paint.series && (!last || p->at->x > last->x))
			last = p->at;
	}
	if (!last || fabs(last->y - middle(label)) > label->font || label->at->x <= last->x ||
	    label->at->x > last->x + 4 * label->font)
		return false;
	*out = (struct end){.label = label, .x = last->x, .y = last->y};
	return true;
}

static int by_height(const void *a, const void *b)
{
	const struct end *x = a, *y = b;
	return (x->y > y->y) - (x->y < y->y);
}

/* Moves labels apart. Labels that touch share the displacement, as in isotonic regression. */
static void spread(struct end *e, size_t n, double gap)
{
	double start[MAX_ENDS];
	size_t count[MAX_ENDS], groups = 0;
	for (size_t i = 0; i < n; i++) {
		start[groups] = e[i].y;
		count[groups++] = 1;
		while (groups > 1 &&
		       start[groups - 2] + gap * (double)count[groups - 2] > start[groups - 1]) {
			size_t a = count[groups - 2], b = count[groups - 1];
			double of_a = start[groups - 2];
			double of_b = start[groups - 1] - gap * (double)a;
			start[groups - 2] = (of_a * (double)a + of_b * (double)b) / (double)(a + b);
			count[groups - 2] = a + b;
			groups--;
		}
	}
	for (size_t g = 0, i = 0; g < groups; g++)
		for (size_t k = 0; k < count[g]; k++, i++)
			e[i].at = start[g] + gap * (double)k;
}

/* Keeps labels between `top` and `bottom`. If they do not fit, they respect `top`. */
static void confine(struct end *e, size_t n, double gap, double top, double bottom)
{
	for (size_t i = n; i-- > 0;)
		e[i].at = fmin(e[i].at, i + 1 < n ? e[i + 1].at - gap : bottom);
	for (size_t i = 0; i < n; i++)
		e[i].at = fmax(e[i].at, i > 0 ? e[i - 1].at + gap : top);
}

/* The top of the names' column: below level roofs that cross it, with a line for a roof's name. */
static double top_of(const struct field *f, const struct end *e, size_t n)
{
	double top = f->area.top, right = 0;
	for (size_t i = 0; i < n; i++)
		right = fmax(right, e[i].x);
	for (size_t i = 0; i < f->nnames; i++) {
		const struct segment *s = &f->name[i].line;
		bool over = n > 0 && is_level(s) && s->x1 > right + 4 * f->d->font &&
		            s->y0 < e[0].y + f->d->font;
		if (over)
			top = fmax(top, s->y0 + 2.2 * f->d->font);
	}
	return top;
}

/* The lowest of the level roofs that a point lies below; else `top`. A label stays below it, too.
 */
static double below_roofs(const struct field *f, const struct end *e, double top)
{
	for (size_t i = 0; i < f->nnames; i++) {
		const struct segment *s = &f->name[i].line;
		if (is_level(s) && s->y0 < e->y)
			top = fmax(top, s->y0 + 0.6 * e->label->font);
	}
	return top;
}

/*
 * Where a label goes: beside the curve's last point. If something is drawn there, it goes a little
 * further right, up or down, or in the column right of the plot if that is near. Its neighbours
 * leave it the heights from `top` to `bottom`.
 */
static void choose_place(const struct field *f, struct end *e, double top, double bottom)
{
	enum { FAR = 8, STEPS = 6, SHIFTS = 3 }; /* in ems; rows */
	double font = e->label->font, near = e->x + 3 * LABEL_GAP, home = e->at;
	double column = f->area.right + 3 * LABEL_GAP, least = INFINITY;
	for (int k = -2 * SHIFTS; k <= 2 * SHIFTS; k++)
		for (int i = 0; i <= STEPS; i++) {
			double x = i < STEPS ? near + i * font : column, y = home + 0.6 * k * font;
			struct place_box b = text_box(x, y, 'l', e->label->text, font);
			double cost = place_cost(&f->taken, b) + x - near + fabs(y - home);
			bool fits = k == 0 || (y >= top && y <= bottom);
			if (fits && x - near < FAR * font && x <= fmax(column, near) &&
			    cost < least) {
				least = cost;
				e->to = x;
				e->at = y;
			}
		}
}

static void add_leader(struct plot_drawing *d, const struct end *e)
{
	struct plot_part p = {.shape = PLOT_PATH, .n = 2, .width = 1};
	for (size_t i = 0; plot_class(i); i++)
		if (strcmp(plot_class(i)->variable, "c_leader") == 0)
			p.paint = (struct plot_paint){.meaning = PLOT_CLASS, .index = i};
	p.at = ARENA_ARRAY(d->a, struct plot_vertex, 2);
	p.at[0] = (struct plot_vertex){e->x + LABEL_GAP - 2, e->y, true};
	p.at[1] = (struct plot_vertex){e->to - 3, e->at, false};
	d->part = arena_grow(d->a, d->part, d->n, &d->room, sizeof *d->part);
	d->part[d->n++] = p;
}

/* Collects what stays in place, and the labels at the ends of curves, which the caller moves. */
static size_t look_around(struct field *f, struct end e[MAX_ENDS])
{
	size_t n = 0;
	for (size_t i = 0; i < f->d->n; i++) {
		struct plot_part *p = &f->d->part[i];
		if (p->shape == PLOT_PATH)
			add_path(f, p);
		else if (p->shape == PLOT_CIRCLE)
			place_add_point(&f->taken, p->at->x, p->at->y);
		else if (p->shape != PLOT_TEXT || is_name(f, p))
			continue;
		else if (n < MAX_ENDS && end_of(f->d, p, &e[n]))
			n++;
		else
			place_add_text(&f->taken, box_of(p));
	}
	return n;
}

static int by_place(const void *a, const void *b)
{
	struct plot_part *const *x = a, *const *y = b;
	return (*x > *y) - (*x < *y);
}

/* Sorts names in the page from top to bottom, because the buttons of series take their order. */
static void order(const struct end *e, size_t n)
{
	struct plot_part sorted[MAX_ENDS], *place[MAX_ENDS];
	for (size_t i = 0; i < n; i++) {
		sorted[i] = *e[i].label;
		place[i] = e[i].label;
	}
	qsort(place, n, sizeof *place, by_place);
	for (size_t i = 0; i < n; i++)
		*place[i] = sorted[i];
}

static void place_ends(struct field *f, struct end *e, size_t n)
{
	if (n == 0)
		return;
	qsort(e, n, sizeof *e, by_height);
	double gap = 1.25 * e[0].label->font, top = top_of(f, e, n), bottom = f->area.bottom;
	spread(e, n, gap);
	confine(e, n, gap, top, bottom);
	for (size_t i = 0; i < n; i++) {
		choose_place(f, &e[i], below_roofs(f, &e[i], i > 0 ? e[i - 1].at + gap : top),
		             i + 1 < n ? e[i + 1].at - gap : bottom);
		move(e[i].label, e[i].to, e[i].at, 'l');
		place_add_text(&f->taken, box_of(e[i].label));
	}
	order(e, n);
}

/* --- names of roofs: where they go --- */

struct caption {
	const char *text;
	double font;
};

struct spot {
	double x, y; /* the middle of its height */
	char anchor;
	double angle; /* in degrees, clockwise; turned texts are anchored in the middle */
};

/* Takes the spot if it costs less than the best so far. `malus` ranks spots that hide as much. */
static void try_spot(const struct field *f, struct spot s, const struct caption *t, double malus,
                     double *least, struct spot *best)
{
	struct place_box b = text_box(s.x, s.y, s.anchor, t->text, t->font);
	bool outside = b.left < f->area.left || b.right > f->d->width || b.top < 0 ||
	               b.bottom > f->area.bottom;
	double cost = place_cost(&f->taken, b) + malus + (outside ? OUTSIDE : 0);
	if (cost < *least) {
		*least = cost;
		*best = s;
	}
}

/* Would a reader take a name at this height for that of another level roof? */
static bool is_ambiguous(const struct field *f, const struct name *t, double y)
{
	double own = fabs(t->line.y0 - y);
	for (size_t i = 0; i < f->nnames; i++) {
		const struct segment *s = &f->name[i].line;
		if (is_level(s) && s->y0 != t->line.y0 && fabs(s->y0 - y) <= own)
			return true;
	}
	return false;
}

/*
 * Tries spots beside a level roof, or beside two that are close together: at both ends and in the
 * middle, above the upper roof and below the lower one, and a line of text further away.
 */
static void try_level(const struct field *f, const struct name *upper, const struct name *lower,
                      const struct caption *t, double *least, struct spot *best)
{
	double step = 1.7 * t->font;
	bool up = upper->dy < 0;
	double above = upper->line.y0 + (up ? upper->dy : -11);
	double below = lower->line.y0 + (lower->dy > 0 ? lower->dy : 13);
	double x0 = fmin(upper->line.x0, lower->line.x0) + 6, x1 = upper->line.x1 - 4;
	double side[] = {up ? above : below, up ? above - step : below + step, up ? below : above,
	                 up ? below + step : above - step};
	struct spot at[] = {{x0, 0, 'l', 0}, {x1, 0, 'r', 0}, {(x0 + x1) / 2, 0, 'c', 0}};
	if (upper->p->anchor == 'r') {
		at[0] = at[1];
		at[1] = (struct spot){x0, 0, 'l', 0};
	}
	for (size_t s = 0; s < ARRAY_LEN(side); s++)
		for (size_t i = 0; i < ARRAY_LEN(at); i++)
			if (upper != lower || !is_ambiguous(f, upper, side[s]))
				try_spot(f, (struct spot){at[i].x, side[s], at[i].anchor, 0}, t,
				         3 * (double)s + (i > 0 ? 2 : 0), least, best);
}

static struct place_turned turned(struct spot s, const struct caption *t)
{
	return (struct place_turned){s.x, s.y, s.angle, 1.08 * plot_text_ems(t->text) * t->font,
	                             t->font};
}

/* Tries spots along a slope and as steep: above the upper of two close ones, below the lower. */
static void try_slope(const struct field *f, const struct name *upper, const struct name *lower,
                      const struct caption *c, double *least, struct spot *best)
{
	enum { STEPS = 32 };
	for (int side = 0; side < 2; side++)
		for (int i = 1; i < STEPS; i++) {
			const struct segment *l = side == 0 ? &upper->line : &lower->line;
			double angle = atan2(l->y1 - l->y0, l->x1 - l->x0),
			       part = (double)i / STEPS;
			double off = (0.5 * c->font + 5) * (1 - 2 * side);
			struct spot s = {l->x0 + (l->x1 - l->x0) * part + off * sin(angle),
			                 l->y0 + (l->y1 - l->y0) * part - off * cos(angle), 'c',
			                 angle * 180 / PI};
			struct place_turned t = turned(s, c);
			double room = fmin(part, 1 - part) * hypot(l->x1 - l->x0, l->y1 - l->y0);
			bool fits = place_is_inside(&t, &f->area) && t.width / 2 < room + c->font;
			double cost = place_cost_turned(&f->taken, &t) + 8 * fabs(part - 0.5) +
			              12 * side + (fits ? 0 : OUTSIDE);
			if (cost < *least) {
				*least = cost;
				*best = s;
			}
		}
}

/* The best spot for one text beside a roof, or beside two close ones, and what it costs. */
static double find_spot(const struct field *f, const struct name *upper, const struct name *lower,
                        const struct caption *c, struct spot *best)
{
	double least = INFINITY;
	if (is_level(&upper->line))
		try_level(f, upper, lower, c, &least, best);
	else
		try_slope(f, upper, lower, c, &least, best);
	return least;
}

static struct caption caption_of(const struct name *t)
{
	return (struct caption){t->p->text, t->p->font};
}

static void put_spot(struct field *f, struct plot_part *p, struct spot s)
{
	struct caption c = {p->text, p->font};
	if (s.angle == 0) {
		move(p, s.x, s.y, s.anchor);
		place_add_text(&f->taken, box_of(p));
		return;
	}
	double turn = s.angle * PI / 180, down = RISE * p->font;
	struct place_turned t = turned(s, &c);
	*p->at = (struct plot_vertex){s.x - down * sin(turn), s.y + down * cos(turn), true};
	p->anchor = s.anchor;
	p->angle = s.angle;
	place_add_turned(&f->taken, &t);
}

/* Places a name. A text that would hide something gives way to its shorter form, if any. */
static void place_name(struct field *f, struct name *t)
{
	struct caption c = caption_of(t);
	struct spot best = {0};
	if (find_spot(f, t, t, &c, &best) > HIDES && t->brief && *t->brief) {
		c.text = t->p->text = t->brief;
		find_spot(f, t, t, &c, &best);
	}
	put_spot(f, t->p, best);
}

static const char *short_of(const struct name *t)
{
	return t->brief && *t->brief ? t->brief : t->p->text;
}

/* Gives two close roofs one text, in their order. If both find no room, that of the data sheet. */
static void place_pair(struct field *f, struct name *a, struct name *b)
{
	double x = (a->line.x0 + a->line.x1) / 2;
	bool first = height_at(&a->line, x) <= height_at(&b->line, x);
	struct name *upper = first ? a : b, *lower = first ? b : a;
	struct name *sheet = is_of(lower->p, "c_spec") ? lower : upper;
	struct caption both = caption_of(upper), one = caption_of(sheet);
	struct spot best = {0};
	both.text = arena_printf(f->d->a, "%s · %s", short_of(upper), short_of(lower));
	one.text = short_of(sheet);
	if (find_spot(f, upper, lower, &both, &best) > HIDES) {
		find_spot(f, upper, lower, &one, &best);
		both = one;
	}
	(sheet == upper ? lower : upper)->p->hidden = true;
	sheet->p->text = both.text;
	put_spot(f, sheet->p, best);
}

/* The name of a roof too close to this one for two separate names; NULL if there is none. */
static struct name *partner(struct field *f, const struct name *t)
{
	double x = (t->line.x0 + t->line.x1) / 2;
	for (size_t i = 0; i < f->nnames; i++) {
		struct name *o = &f->name[i];
		if (o != t && is_level(&t->line) == is_level(&o->line) &&
		    fabs(height_at(&o->line, x) - height_at(&t->line, x)) < ROW_EMS * t->p->font)
			return o;
	}
	return NULL;
}

/* Places the names of level roofs, or those of slopes. */
static void place_names(struct field *f, bool level)
{
	for (size_t i = 0; i < f->nnames; i++) {
		struct name *t = &f->name[i], *other = partner(f, t);
		if (is_level(&t->line) != level)
			continue;
		if (!other)
			place_name(f, t);
		else if (other > t)
			place_pair(f, t, other);
	}
}

void plot_labels(struct plot_drawing *d)
{
	struct field f = {.d = d, .taken = {.a = d->a}};
	struct end e[MAX_ENDS];
	find_area(&f);
	find_names(&f);
	size_t n = look_around(&f, e);
	place_ends(&f, e, n);
	place_names(&f, true);
	place_names(&f, false);        /* they slide further */
	for (size_t i = 0; i < n; i++) /* at the end, for a new part may move all others */
		add_leader(d, &e[i]);
}
