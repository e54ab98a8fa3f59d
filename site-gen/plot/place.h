/*
 * site-gen/plot/place.h - the parts of a chart drawn so far, as obstacles for a text,
 * and the cost of hiding them. Names of roofs go where they hide least.
 */
#ifndef SITE_GEN_PLOT_PLACE_H
#define SITE_GEN_PLOT_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/arena.h"

/* In units of the drawing, from its top left. */
struct place_box {
	double left, right, top, bottom;
};

/* A box around (x, y), turned clockwise by an angle in degrees. */
struct place_turned {
	double x, y, angle, width, height;
};

struct place_dot {
	double x, y, radius, weight;
};

struct place_field {
	struct arena *a;
	struct place_box *box; /* texts */
	size_t nboxes, box_room;
	struct place_dot *dot; /* points, and curves as rows of dots */
	size_t ndots, dot_room;
};

void place_add_text(struct place_field *f, struct place_box b);
/* A point that must be seen. */
void place_add_point(struct place_field *f, double x, double y);
/* A line that a text should not cross. */
void place_add_line(struct place_field *f, double x0, double y0, double x1, double y1);

/* 0 if a text in b hides nothing; the more, the worse. */
double place_cost(const struct place_field *f, struct place_box b);

/* The same of turned texts. */
void place_add_turned(struct place_field *f, const struct place_turned *t);
double place_cost_turned(const struct place_field *f, const struct place_turned *t);
bool place_is_inside(const struct place_turned *t, const struct place_box *area);

#endif
