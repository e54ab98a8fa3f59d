/*
 * site-gen/diagram/tile.h - a tile and the threads of a block: which thread holds or moves which
 * element, in one panel or two beside each other.
 *
 * A cell is what a thread has at a time: `vector` elements of a row.
 */
#ifndef SITE_GEN_DIAGRAM_TILE_H
#define SITE_GEN_DIAGRAM_TILE_H

#include <stdint.h>

#include "site-gen/diagram/canvas.h"

enum { TILE_MOST_CELLS = 4096, TILE_MOST_PANELS = 2, TILE_NOBODY = -1 };

struct tile_panel {
	const char *name;
	int16_t *thread; /* of each cell, row by row; TILE_NOBODY: no thread has it */
};

struct tile {
	int rows, across; /* in cells */
	int vector;       /* elements of a cell */
	bool folded;      /* the rows are one row, in pieces */
	int threads;
	int mark;                   /* the thread that the drawing is about */
	int need_rows, need_across; /* cells beyond hold nothing that is needed */
	struct tile_panel panel[TILE_MOST_PANELS];
	int n;
};

void tile_draw(struct canvas *c, const struct tile *t, const struct canvas_said *said);

#endif
