/*
 * site-gen/plot/draw.h - small drawings as SVG in the page, made without gnuplot. Their
 * colours come from the classes in static/site.css, which pages/number_draw.h lists.
 * Letters are not scaled: the outer drawing is as wide as its place and has points at
 * percentages; only an inner drawing, which has the curves, is stretched.
 */
#ifndef SITE_GEN_PLOT_DRAW_H
#define SITE_GEN_PLOT_DRAW_H

#include <stdbool.h>

#include "lib/arena.h"
#include "lib/str.h"

enum {
	DRAW_AREA = 1000, /* width and height of an inner drawing in its own units */
	DRAW_TOP = 10,    /* px above it */
	DRAW_LEFT = 15,   /* per cent of the width for the amounts of a y axis */
};

struct draw_axis {
	double lo, hi, scale; /* scale: of the printed unit */
	const char *unit;
	double step;
	int decimals;
};

/* 0 … 1 */
double draw_at(const struct draw_axis *x, double v);
/* At least ±0.5 % around `mid`, so that noise does not look like spread; some air at both ends. */
struct draw_axis draw_axis_over(double lo, double hi, double mid, const char *si, struct arena *a);
/* Ticks below the area, `bottom` px from the top; lines through it. */
void draw_x_axis(const struct draw_axis *x, int bottom, struct arena *a, struct sb *to);
/* Lines across the area, each with its amount at the left. */
void draw_y_axis(const struct draw_axis *y, int bottom, struct arena *a, struct sb *to);
void draw_open(struct sb *to, int height, const char *label);
/* From `left` per cent of the width to its end. */
void draw_area(struct sb *to, int left, int bottom);
/* "4.31 TB/s" */
const char *draw_amount(double v, const char *si, struct arena *a);

/* One run in a history, oldest first. */
struct draw_run {
	const char *label; /* "2026-11-21" */
	bool has;          /* a number */
	double value, lo, hi;
	bool marked;        /* its state is not ok */
	const char *change; /* what else is new since the run before; NULL: nothing */
};
void draw_history(const struct draw_run *r, size_t n, const char *si, struct arena *a,
                  struct sb *to);

#endif
