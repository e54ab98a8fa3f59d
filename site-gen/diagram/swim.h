/*
 * site-gen/diagram/swim.h - rows of boxes over time, to scale, from time stamps: a row for each
 * role of a block, or for each chain of kernels. Boxes of a row that overlap share its height.
 */
#ifndef SITE_GEN_DIAGRAM_SWIM_H
#define SITE_GEN_DIAGRAM_SWIM_H

#include "site-gen/diagram/canvas.h"

enum { SWIM_MOST_ROWS = 12, SWIM_MOST_LANES = 8, SWIM_TONES = 4 };

struct swim_box {
	int row, tone;
	double from, to; /* ns */
	int lane;        /* of its row, from the top; set by swim_stack() */
};

struct swim {
	const char *row[SWIM_MOST_ROWS], *note[SWIM_MOST_ROWS];
	int lanes[SWIM_MOST_ROWS]; /* that share the height of the row */
	int nrows;
	struct swim_box *box;
	size_t n;
	double from, to; /* the window that is drawn, ns */
	const char *legend[SWIM_TONES];
	int nlegend; /* tones 0 … nlegend - 1 */
};

/* Gives boxes that overlap lanes of their own. Boxes of a row stand in the order of their from. */
void swim_stack(struct swim *s);

void swim_draw(struct canvas *c, const struct swim *s, const struct canvas_said *said);

#endif
