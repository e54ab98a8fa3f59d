#include "site-gen/plot/place.h"

#include <math.h>
#include <string.h>

/* Weights: a unit of area on another text, a point, a dot of a line. */
static const double TEXT_WEIGHT = 2, POINT_WEIGHT = 200, LINE_WEIGHT = 4;
static const double POINT_RADIUS = 4, LINE_RADIUS = 0.5, LINE_STEP = 4;
static const double PI = 3.14159265358979323846;

void place_add_text(struct place_field *f, struct place_box b)
{
	f->box = arena_grow(f->a, f->box, f->nboxes, &f->box_room, sizeof *f->box);
	f->box[f->nboxes++] = b;
}

static void add_dot(struct place_field *f, struct place_dot d)
{
	f->dot = arena_grow(f->a, f->dot, f->ndots, &f->dot_room, sizeof *f->dot);
	f->dot[f->ndots++] = d;
}

void place_add_point(struct place_field *f, double x, double y)
{
	add_dot(f, (struct place_dot){x, y, POINT_RADIUS, POINT_WEIGHT});
}

void place_add_line(struct place_field *f, double x0, double y0, double x1, double y1)
{
	enum { MOST = 1000 };
	double steps = ceil(hypot(x1 - x0, y1 - y0) / LINE_STEP);
	for (int i = 0; i <= steps && i <= MOST; i++) {
		double t = steps > 0 ? i / steps : 0;
		add_dot(f, (struct place_dot){x0 + t * (x1 - x0), y0 + t * (y1 - y0), LINE_RADIUS,
		                              LINE_WEIGHT});
	}
}

double place_cost(const struct place_field *f, struct place_box b)
{
	double cost = 0;
	for (size_t i = 0; i < f->nboxes; i++) {
		const struct place_box *o = &f->box[i];
		double w = fmin(b.right, o->right) - fmax(b.left, o->left);
		double h = fmin(b.bottom, o->bottom) - fmax(b.top, o->top);
		if (w > 0 && h > 0)
			cost += TEXT_WEIGHT * w * h;
	}
	for (size_t i = 0; i < f->ndots; i++) {
		const struct place_dot *d = &f->dot[i];
		if (d->x > b.left - d->radius && d->x < b.right + d->radius &&
		    d->y > b.top - d->radius && d->y < b.bottom + d->radius)
			cost += d->weight;
	}
	return cost;
}

/* --- turned texts: as a row of points along the text, one for each height --- */

static struct place_dot along(const struct place_turned *t, double part)
{
	double turn = t->angle * PI / 180, far = (part - 0.5) * (t->width - t->height);
	return (struct place_dot){t->x + far * cos(turn), t->y + far * sin(turn), 0, 0};
}

static int steps_of(const struct place_turned *t)
{
	return (int)ceil(fmax(t->width / t->height, 1)) + 1;
}

static struct place_box around(struct place_dot d, double height)
{
	double half = height / 2;
	return (struct place_box){d.x - half, d.x + half, d.y - half, d.y + half};
}

void place_add_turned(struct place_field *f, const struct place_turned *t)
{
	for (int i = 0, n = steps_of(t); i < n; i++)
		place_add_text(f, around(along(t, i / (n - 1.0)), t->height));
}

double place_cost_turned(const struct place_field *f, const struct place_turned *t)
{
	const struct place_field texts = {.box = f->box, .nboxes = f->nboxes};
	double cost = 0, turn = t->angle * PI / 180;
	for (int i = 0, n = steps_of(t); i < n; i++)
		cost += place_cost(&texts, around(along(t, i / (n - 1.0)), t->height));
	for (size_t i = 0; i < f->ndots; i++) {
		const struct place_dot *d = &f->dot[i];
		double x = d->x - t->x, y = d->y - t->y;
		if (fabs(x * cos(turn) + y * sin(turn)) < t->width / 2 + d->radius &&
		    fabs(y * cos(turn) - x * sin(turn)) < t->height / 2 + d->radius)
			cost += d->weight;
	}
	return cost;
}

bool place_is_inside(const struct place_turned *t, const struct place_box *area)
{
	for (int i = 0; i < 2; i++) {
		struct place_box b = around(along(t, i), t->height);
		if (b.left < area->left || b.right > area->right || b.top < area->top ||
		    b.bottom > area->bottom)
			return false;
	}
	return true;
}
