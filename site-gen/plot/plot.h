/*
 * site-gen/plot/plot.h - a chart to inline SVG: laid out here, drawn by gnuplot
 * (a fixed program, numbers in data files, in a private folder and under
 * limits), then rewritten so that classes paint it, points link to their
 * numbers and a screen reader can read it. Rendered twice, for wide and for
 * narrow pages, by one process; cached by content.
 *
 * Inside svg.plot (no colours, no style=; all strokes and fills come from CSS):
 *   path.grid, path.axis            fill: none
 *   text.tick, text.axis-title
 *   path.roof-spec                  a theoretical roof (dash it)
 *   path.roof-measured              an achievable roof
 *   text.roof-spec-label, text.roof-measured-label
 *   path.ridge, text.ridge-label    where the roofs bend
 *   path.line.s-<n>[.peer|.ceiling] a series; fill: none; peers dashed, say
 *   a > title + circle.pt.s-<n>     a number; .hollow: its state is not ok
 *   text.label.s-<n>                the series' name at its end
 *   text.value                      a number beside its point
 *   path.leader                     from a point to a label that had to move
 * The links are out of the tab order: the table of exact values under each plot has them again.
 * Text stands on roofs and lines: give it a halo (paint-order: stroke).
 */
#ifndef SITE_GEN_PLOT_PLOT_H
#define SITE_GEN_PLOT_PLOT_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"

struct plot_xy {
	double x, y;
};

struct plot_point {
	double x, y;
	const char *href, *title; /* href NULL: it is no published number, and leads nowhere */
	const char *value;        /* printed beside the point; NULL: not */
	bool hollow;
};

struct plot_series {
	const char *name, *short_name; /* direct labels; the second on narrow pages */
	int colour;
	const char *role; /* "kernel", "peer", "ceiling" */
	struct plot_point *points;
	size_t n;
	bool scatter; /* points without a line from one to the next */
};

/* A roof or a ridge; x and y may lie outside the axes, the line is cut there. */
struct plot_line {
	const char *class;
	struct plot_xy at[3];
	size_t n;
};

/*
 * Text at a point of the axes, moved by (dx, dy) units to the right and down.
 * If it names a line, it may slide along that, and a level one to its other side, to where it
 * hides no point and no other text; it stays nearer to its line than to any other level one.
 * Names of lines with less than a line of text between them become one name, in their order.
 */
struct plot_label {
	const char *class, *text;
	const char *narrow; /* shorter, for narrow pages; NULL: the same; "": none there */
	double x, y, dx, dy;
	char anchor;            /* 'l', 'c', 'r' */
	struct plot_xy line[2]; /* straight as drawn, and (x, y) on it; both 0: it stays */
};

struct plot_axis {
	const char *title; /* with its unit */
	double lo, hi;
	double scale; /* tick text = value / scale */
	int log;      /* 0: linear, 2, 10 */
};

enum { PLOT_MAX_LINES = 8, PLOT_MAX_LABELS = 12, PLOT_MAX_ROWS = 20 };

struct plot_chart {
	const char *title, *desc; /* for screen readers */
	struct plot_axis x, y;
	bool rows; /* series are rows of one point, their y is 1, 2, … from below; y has no axis */
	struct plot_series *series;
	size_t nseries;
	struct plot_line line[PLOT_MAX_LINES];
	size_t nlines;
	const struct plot_line *bar; /* more of them, under the points: intervals, say */
	size_t nbars;
	struct plot_label label[PLOT_MAX_LABELS];
	size_t nlabels;
	double keep_below; /* names of series stay below this y; 0: no bound */
};

/*
 * Appends both renderings. `id` is unique on the page; `program` is the path
 * of plot.gp; `cache` is a folder that is made when missing.
 */
bool plot_svg(const struct plot_chart *c, const char *id, const char *program, const char *cache,
              struct arena *a, struct sb *to, struct err *e);

/* --- between plot.c, layout.c and gnuplot.c --- */

enum plot_size { PLOT_WIDE, PLOT_NARROW, PLOT_SIZES };

/* Something drawn, in the order drawn: the class it gets on the page. */
struct plot_mark {
	const char *class; /* "line s-3" */
	int colour;        /* -1: none; else s-<n> is added */
	const char *role;  /* added unless "kernel"; may be NULL */
	const char *text;  /* of a text */
	const struct plot_point *point;
};

/* One rendering: data files for gnuplot, and what its elements mean. */
struct plot_layout {
	int width, height, font;
	struct sb frame, lines, points, leaders, left, centre, right;
	struct plot_mark *mark; /* by the number that travels as colour */
	size_t nmarks, cap;
	struct arena *a;
};

void plot_layout_make(const struct plot_chart *c, enum plot_size size, struct arena *a,
                      struct plot_layout *out);
void plot_layout_free(struct plot_layout *l);

/* The SVG of each size, as gnuplot wrote it: from the cache, or by running it. */
bool gnuplot_run(const struct plot_layout layout[PLOT_SIZES], const char *program,
                 const char *cache, struct arena *a, struct str svg[PLOT_SIZES], struct err *e);

#endif
