/*
 * site-gen/diagram/canvas.h - shapes and texts of a diagram, as inline SVG, with the widths of the
 * blog's own sans-serif font.
 *
 * A diagram is drawn twice: CANVAS_WIDE and CANVAS_NARROW units wide, of which a page shows one.
 * A unit is a pixel on a page that has the room. Nothing here has a colour: static/diagram.css
 * paints by class.
 *
 *   .use .use-b     what is wanted; the second to tell neighbours apart
 *   .waste          what is moved along and not wanted
 *   .rest           what is not touched
 *   .hot            what the diagram is about
 *   .tone-0 … 3     parts that are only to be told apart
 *   .edge .thin     lines; .arrow: one with a head (canvas_arrow)
 *   text            .head names a part; .in stands in a dark shape, .on in a light one; .mono
 */
#ifndef SITE_GEN_DIAGRAM_CANVAS_H
#define SITE_GEN_DIAGRAM_CANVAS_H

#include <stdbool.h>

#include "lib/arena.h"
#include "lib/str.h"
#include "site-gen/lua/words.h"

enum { CANVAS_WIDE = 736, CANVAS_NARROW = 358 };
enum { CANVAS_FONT = 12, CANVAS_LINE = 16 }; /* size of texts; distance of their lines */

struct canvas {
	struct sb *to;
	struct arena *a;
	const struct words *words; /* the page's language */
	bool narrow;
	double width;
};

/* Which end of a text stands at its place. */
enum canvas_anchor { CANVAS_LEFT, CANVAS_MIDDLE, CANVAS_RIGHT };

/* What screen readers hear of a drawing; `id` is unique on the page. */
struct canvas_said {
	const char *id, *title, *desc;
};

/* Opens one of the two drawings. */
void canvas_open(struct canvas *c, double height, const struct canvas_said *said);
void canvas_close(struct canvas *c);

/* The width of a text in units; its size is CANVAS_FONT. */
double canvas_text_width(const char *s);
/* The text, or its beginning with "…" if it is wider than `room`. */
const char *canvas_fit(struct canvas *c, const char *s, double room);
/* Breaks a text into at most `most` lines that fit into `room`. Returns their number. */
int canvas_break(struct canvas *c, const char *s, double room, const char **line, int most);

void canvas_rect(struct canvas *c, const char *class, double x, double y, double w, double h,
                 double round);
void canvas_line(struct canvas *c, const char *class, double x1, double y1, double x2, double y2);
/* A line with a head at its second end. */
void canvas_arrow(struct canvas *c, const char *class, double x1, double y1, double x2, double y2);
/* A vertical curve from (x1, y1) down to (x2, y2). */
void canvas_curve(struct canvas *c, const char *class, double x1, double y1, double x2, double y2);
void canvas_text(struct canvas *c, const char *class, double x, double y, enum canvas_anchor at,
                 const char *s);
/* What n colours mean: a square of each class and its words, in rows from y down. */
void canvas_legend(struct canvas *c, double x, double y, const char *const *class,
                   const char *const *words, int n);
/* The height of that legend. */
double canvas_legend_height(const struct canvas *c, double x, const char *const *words, int n);
/* What is drawn until canvas_link_end() is a link (href NULL: none) with this title. */
void canvas_link(struct canvas *c, const char *href, const char *title);
void canvas_link_end(struct canvas *c, const char *href);
/* What is drawn until canvas_box_end() is box `n` of a drawing to scale, as long as the title. */
void canvas_box(struct canvas *c, int n, const char *title);
void canvas_box_end(struct canvas *c);

#endif
