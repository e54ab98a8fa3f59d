/*
 * site-gen/diagram/timeline.h - steps of chains one after the other, to scale: as many as fit into
 * one window of time.
 */
#ifndef SITE_GEN_DIAGRAM_TIMELINE_H
#define SITE_GEN_DIAGRAM_TIMELINE_H

#include "site-gen/diagram/canvas.h"

struct timeline_row {
	const char *name;
	double step;              /* s */
	const char *href, *title; /* of its number */
	const char *amount;       /* "2.21 µs" */
};

struct timeline {
	struct timeline_row *row;
	size_t n;
	double window; /* s */
	double work;   /* the part of each step that is drawn as work, s; 0: steps are whole */
	const char *work_says; /* what is as long as that */
};

void timeline_draw(struct canvas *c, const struct timeline *t, const struct canvas_said *said);

#endif
