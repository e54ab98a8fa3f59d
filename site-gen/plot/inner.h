/*
 * site-gen/plot/inner.h - data between the steps from a chart to markup: variables, SVG, drawing.
 */
#ifndef SITE_GEN_PLOT_INNER_H
#define SITE_GEN_PLOT_INNER_H

#include "site-gen/plot/plot.h"

enum plot_size { PLOT_WIDE, PLOT_NARROW, PLOT_SIZES };

/* --- colours (colours.c) --- */

enum plot_meaning {
	PLOT_CLASS,  /* index: of plot_class() */
	PLOT_SERIES, /* index: of chart->series */
	PLOT_NUMBER, /* a point: `series` and `index` of it */
};

/* The meaning of a colour. */
struct plot_paint {
	enum plot_meaning meaning;
	size_t index, series;
	bool heat; /* a number painted by its amount */
};

/* A fixed class: its variable in programs, and what paths and texts of it are called on the page.
 */
struct plot_class {
	const char *variable, *path, *text; /* NULL: there are no such */
};

const struct plot_class *plot_class(size_t i); /* NULL: there are no more */
unsigned plot_colour_of_class(size_t i);
unsigned plot_colour_of_series(size_t i);
unsigned plot_colour_of_point(size_t i); /* counted over all series */
/* False: the colour stands for nothing in this chart. */
bool plot_paint_of(const struct plot_chart *c, unsigned colour, struct plot_paint *out);
/* How far `heat` is from the colour of a point. */
unsigned plot_heat(void);

/* --- variables.c --- */

/* The chart as gnuplot reads it: variables and data blocks, the same for all sizes. */
void plot_variables(const struct plot_chart *c, struct sb *to);
/* Turns the substitutes for characters of gnuplot's syntax (variables.c) back. */
void plot_unmask(struct str masked, struct sb *to);
/* About how wide a text is, in ems. */
double plot_text_ems(const char *s);

/* --- plotter.c --- */

/* The SVG of each size, as gnuplot wrote it: from the cache, or by running it. */
MUST_CHECK bool plotter_draw(struct plotter *p, const char *program, struct str variables,
                             struct arena *a, struct str svg[PLOT_SIZES], struct err *e);
/* "templates/plots/plot.gp" */
const char *plotter_path(const struct plotter *p, const char *program, struct arena *a);

/* --- drawing.c: all in units of the drawing, from its top left --- */

enum plot_shape { PLOT_PATH, PLOT_CIRCLE, PLOT_AREA, PLOT_TEXT };

struct plot_vertex {
	double x, y;
	bool begins; /* no line leads here */
};

struct plot_part {
	enum plot_shape shape;
	struct plot_paint paint;
	struct plot_vertex *at; /* one of a circle and a text */
	size_t n;
	double radius;      /* of a circle */
	double width;       /* of a path's stroke */
	struct str dash;    /* "6,4"; empty: none */
	struct str opacity; /* of an area; empty: full */
	const char *text;   /* (x, y): the end of its baseline that `anchor` names */
	char anchor;        /* 'l', 'c', 'r' */
	double angle, font;
	bool hidden; /* its words stand in another text now */
};

struct plot_drawing {
	const struct plot_chart *chart;
	const char *program; /* its path, for errors */
	double width, height, font;
	struct plot_part *part;
	size_t n, room;
	struct arena *a;
};

/* False if the SVG holds something unknown, or lacks a number of the chart. */
MUST_CHECK bool plot_drawing_read(struct str svg, struct plot_drawing *d, struct err *e);

/* --- labels.c --- */

/* Moves names of series and roofs to where they hide least; adds leaders. */
void plot_labels(struct plot_drawing *d);

/* --- markup.c --- */

void plot_markup(const struct plot_drawing *d, enum plot_size size, const char *id, struct sb *to);

#endif
