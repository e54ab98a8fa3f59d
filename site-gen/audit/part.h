/*
 * site-gen/audit/part.h - the parts of a page that stand for one of its devices
 * (kinds/device_part.h): a number in such a part must be a number of that device, and a number
 * of a data sheet must be one that applies to it. A row of the scoreboard may name another device
 * and show its numbers (pages/board.h).
 */
#ifndef SITE_GEN_AUDIT_PART_H
#define SITE_GEN_AUDIT_PART_H

#include "lib/err.h"
#include "site-gen/audit/html.h"
#include "site-gen/records/data.h"

/* The part that is being read; starts as zeros. */
struct audit_part {
	struct str device; /* slug; .n == 0: outside of all parts */
	size_t depth;      /* of the elements that enclose the part */
	struct str
	        row; /* the device of a row that names another one, tr.elsewhere; .n == 0: none */
	size_t row_depth;
};

/* Reads a start tag. False: it links to a number, or shows a fact (data-n), of another device. */
MUST_CHECK bool audit_part_start(struct audit_part *p, const struct audit_html *h,
                                 const struct data *d, struct err *e);
/* Reads an end tag. */
void audit_part_end(struct audit_part *p, const struct audit_html *h);

#endif
