/*
 * site-gen/diagram/levels.h - a map of a device: the levels of its memory as boxes, and between
 * them pipes that are as wide as what was measured through them. A box may say how long a load
 * from its level takes.
 */
#ifndef SITE_GEN_DIAGRAM_LEVELS_H
#define SITE_GEN_DIAGRAM_LEVELS_H

#include "site-gen/diagram/canvas.h"

enum { LEVELS_MOST = 6 };

struct levels_pipe {
	double width;             /* in the metric of all pipes */
	const char *href, *title; /* of its number */
	const char *amount;       /* "4.63 TB/s"; NULL: nothing was measured */
	const char *what;         /* what was measured */
};

struct levels_latency {
	const char *href, *title; /* of its number */
	const char *amount;       /* "131 ns"; NULL: nothing was measured */
};

/* From the level that is farthest from the arithmetic to the nearest. */
struct levels {
	const char *name[LEVELS_MOST], *note[LEVELS_MOST]; /* note: a second line, or "" */
	struct levels_pipe pipe[LEVELS_MOST];              /* pipe[i] leads from level i to i + 1 */
	struct levels_latency latency[LEVELS_MOST];
	int n;
};

void levels_draw(struct canvas *c, const struct levels *l, const struct canvas_said *said);

#endif
