/*
 * site-gen/audit/boxes.h - drawings whose boxes are as long as numbers. Below them a table has a
 * row for each box: where it begins, and how long it is. These numbers were derived again when the
 * table was read; here the boxes of each drawing are held against them.
 *
 *   figure > svg > g.box[data-box=ROW] > title (the length), rect, text (the length, or a word)
 *          > … td.box-from, td.box-length, in the order of the rows
 */
#ifndef SITE_GEN_AUDIT_BOXES_H
#define SITE_GEN_AUDIT_BOXES_H

#include "lib/err.h"
#include "lib/str.h"

enum { AUDIT_MOST_BOXES = 192, AUDIT_MOST_ROWS = 96 };

/* A box of a drawing. */
struct audit_box {
	const char *at;
	int64_t row;
	size_t drawing;
	double x, width;
	struct str text; /* all of its texts, one a line */
	bool moved;      /* something else than its own x and width places it */
};

/* What the table says of a box. */
struct audit_box_row {
	double from, length;
	struct str text; /* the length */
};

/* What a page shows of the figure that is being read. Texts live as long as what gave them. */
struct audit_boxes {
	struct audit_box box[AUDIT_MOST_BOXES];
	size_t n, drawing; /* how many drawings have ended */
	struct audit_box_row row[AUDIT_MOST_ROWS];
	size_t nrows;
	struct str desc; /* of the drawing that was read last */
	enum audit_box_cell { AUDIT_NO_CELL, AUDIT_BOX_FROM, AUDIT_BOX_LENGTH } cell;
	bool too_many;
};

void audit_boxes_clear(struct audit_boxes *b);
void audit_boxes_add(struct audit_boxes *b, struct audit_box box);
/* The classes of a cell that begins: is it one of the table? */
void audit_boxes_cell(struct audit_boxes *b, struct str classes);
/* A number that was derived again; it counts if it is in such a cell. */
void audit_boxes_number(struct audit_boxes *b, double value, struct str text);
/* Call it at the end of the figure. False: `at` has the box, or is NULL. */
MUST_CHECK bool audit_boxes_hold(const struct audit_boxes *b, const char **at, struct err *e);

#endif
