/*
 * site-gen/diagram/pipeline.h - roles that work at the same time: a row for each, boxes for what it
 * does when, arrows for the barriers between them. Without amounts times have no unit: it is a
 * schema.
 */
#ifndef SITE_GEN_DIAGRAM_PIPELINE_H
#define SITE_GEN_DIAGRAM_PIPELINE_H

#include "site-gen/diagram/canvas.h"

enum { PIPELINE_MOST_ROLES = 8, PIPELINE_MOST_STEPS = 96, PIPELINE_MOST_LINKS = 12 };
enum { PIPELINE_TONES = 3, PIPELINE_MARKED = PIPELINE_TONES };

struct pipeline_step {
	int role;
	double from, to;
	int tone;           /* 0 … 2, or PIPELINE_MARKED */
	const char *label;  /* may be "" */
	const char *amount; /* to - from, as text; NULL: a schema */
	int box;            /* then its row in the table of lengths */
};

struct pipeline_link {
	const char *name;
	int from, to; /* steps: from the end of the first to the begin of the second */
};

struct pipeline {
	const char *role[PIPELINE_MOST_ROLES], *note[PIPELINE_MOST_ROLES];
	int nroles;
	struct pipeline_step step[PIPELINE_MOST_STEPS];
	int nsteps;
	struct pipeline_link link[PIPELINE_MOST_LINKS];
	int nlinks;
	const char *legend[PIPELINE_TONES + 1]; /* what the tones mean */
	int legend_tone[PIPELINE_TONES + 1];
	int nlegend;
	const char *scale; /* what widths are; NULL: times, not to scale */
};

void pipeline_draw(struct canvas *c, const struct pipeline *p, const struct canvas_said *said);

#endif
