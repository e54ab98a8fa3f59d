/*
 * site-gen/diagram/banks.h - a tile in shared memory under several layouts: which bank holds which
 * element, and what it costs a warp to read a column and to write a row.
 */
#ifndef SITE_GEN_DIAGRAM_BANKS_H
#define SITE_GEN_DIAGRAM_BANKS_H

#include "site-gen/diagram/canvas.h"
#include "site-gen/diagram/lanes.h"

enum { BANKS_MOST_SIDE = 64, BANKS_MOST_LAYOUTS = 4 };

struct banks_layout {
	const char *name;
	int64_t at[BANKS_MOST_SIDE][BANKS_MOST_SIDE]; /* byte address of element [row][col] */
	struct lanes_shared column, row; /* 32 lanes read column 0; 32 lanes write row 0 */
};

struct banks {
	int rows, cols, bytes; /* of the tile; of an element */
	struct banks_layout *layout;
	int n;
};

void banks_draw(struct canvas *c, const struct banks *b, const struct canvas_said *said);

#endif
