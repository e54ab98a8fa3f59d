/*
 * site-gen/plot/plot.h - a chart to inline SVG, drawn by a gnuplot program that authors may change.
 *
 *   struct plot_chart    what is drawn: axes, series, points with their numbers, roofs
 *     -> variables.c     the same as variables and data blocks of gnuplot
 *     -> templates/plots/PROGRAM.gp, run by plotter.c: the whole look, once wide and once narrow
 *     -> drawing.c       gnuplot's SVG as a list of paths, circles, areas and texts
 *     -> labels.c        names that would hide something move out of the way
 *     -> markup.c        classes instead of colours; a link, with its title, for each number
 *
 * A program says what it draws by colour: each colour stands for a class of the style sheet, a
 * series, or a number (plot_paint). templates/plots/common.gp explains that to authors, and
 * docs/plots.md how to change or add a program. A program that leaves out a number, or draws in a
 * colour that stands for nothing, is an error that names it.
 *
 * Inside svg.plot (no colours, no style=; all strokes and fills come from CSS):
 *   path.grid, path.axis            fill: none
 *   text.tick, text.axis-title, text.note
 *   path.roof-spec                  a theoretical roof
 *   path.roof-measured              an achievable roof
 *   text.roof-spec-label, text.roof-measured-label
 *   path.ridge, text.ridge-label    where the roofs bend
 *   path.chosen, text.chosen-label  the x that was chosen
 *   path.line.s-<n>[.peer|.ceiling] a series; all parts of a grey one have .context
 *   path.area.s-<n>, circle.dot.s-<n>  what belongs to a series and is no number
 *   a > title + .pt.s-<n>           a number: circle or path.fill; .hollow: its state is marked;
 *                                   .heat: painted by its amount, not its series
 *   path.interval.s-<n>             the interval of a number
 *   text.label.s-<n>                the series' name
 *   text.value                      a number beside its point
 *   path.leader                     from a point to a label that had to move
 * Widths, dashes and opacities are those of the program. The links are out of the tab order: the
 * table of exact values under each plot has them again. Text stands on roofs and lines: give it a
 * halo (paint-order: stroke).
 */
#ifndef SITE_GEN_PLOT_PLOT_H
#define SITE_GEN_PLOT_PLOT_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"

struct plotter;

struct plot_point {
	double x, y;              /* y: the number itself, in SI units */
	double lo, hi;            /* its interval; lo == hi: it has none */
	int column;               /* place of its x among all, from 1 (plot_columns) */
	const char *href, *title; /* href NULL: it is no published number, and leads nowhere */
	const char *value;        /* "4.1 TB/s", for programs that print it beside the point */
	bool hollow;
	const double
	        *launches; /* the same quantity in each launch; and samples in ascending order */
	size_t nlaunches;
	const double *samples;
	size_t nsamples;
};

struct plot_series {
	const char *name, *short_name; /* the second on narrow pages */
	const char *variant;           /* of its case, or NULL */
	int colour;                    /* s-<n> */
	const char *role;              /* "kernel", "peer", "ceiling"; "context": grey, no name */
	struct plot_point *points;
	size_t n;
};

struct plot_axis {
	const char *title; /* with its unit */
	double lo, hi;     /* of the points, and of what else must be seen */
	double scale;      /* programs see value / scale */
	int log;           /* 0: linear, 2, 10 */
};

/*
 * A roof: level at `level`, or rising by `slope` (y per x) and then level. 0: it has no such part.
 * Each part has a name, and a shorter one for narrow pages and for where the first finds no room.
 */
struct plot_roof {
	double level, slope;
	const char *level_text, *level_short, *slope_text, *slope_short;
	const char *ridge_text; /* of the place where it bends */
};

/* A vertical line at an x that somebody chose among those that are drawn. No text: there is none.
 */
struct plot_mark {
	double x;
	const char *text;
};

enum plot_roofs { PLOT_SPEC, PLOT_MEASURED, PLOT_ROOFS };

/* A variable for one program, in the units it is to be drawn in; or, with `text`, a text. */
struct plot_extra {
	const char *name;
	double number;
	const char *text;
};

enum { PLOT_MAX_EXTRAS = 4, PLOT_MAX_POINTS = 60000 };

struct plot_chart {
	const char *program;      /* "plot": templates/plots/plot.gp */
	const char *title, *desc; /* for screen readers */
	struct plot_axis x, y;
	struct plot_series *series;
	size_t nseries;
	const char **column; /* texts of the different x; NULL: x is a number */
	size_t ncolumns;
	struct plot_roof roof[PLOT_ROOFS];
	struct plot_mark chosen;
	struct plot_extra extra[PLOT_MAX_EXTRAS];
	size_t nextras;
};

/*
 * Draws the charts of this process. `root` has templates/plots/; `cache` is a folder, created if
 * missing. The first chart that is not in the cache starts gnuplot; a forked process starts its
 * own.
 */
struct plotter *plotter_new(const char *root, const char *cache, struct arena *a);
/* Ends the processes of gnuplot. NULL is fine; the plotter may be used again. */
void plotter_rest(struct plotter *p);

/* True if a program has this name. If not, the error lists the programs. */
MUST_CHECK bool plotter_has(struct plotter *p, struct str program, struct err *e);
/* Does the program's text name this block of data ("$samples")? */
bool plotter_reads(struct plotter *p, const char *program, const char *block);

/* Appends both renderings. `id` is unique on the page. */
MUST_CHECK bool plot_svg(struct plotter *p, const struct plot_chart *c, const char *id,
                         struct arena *a, struct sb *to, struct err *e);

#endif
