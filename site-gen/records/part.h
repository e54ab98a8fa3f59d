/*
 * site-gen/records/part.h - the part of a source that a listing shows: the whole file, a
 * region, its kernels (__global__ functions), or some lines.
 *
 * A region lies between `// ANCHOR: name` and `// ANCHOR_END: name`, or in Python between
 * `# ANCHOR: name` and `# ANCHOR_END: name`; the markers are never shown. Kernels are found by
 * layout: a function's first line and its closing brace start in the first column.
 */
#ifndef SITE_GEN_RECORDS_PART_H
#define SITE_GEN_RECORDS_PART_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/base/placeholder.h"

struct part_source {
	const char *path; /* for messages */
	struct str text;  /* as measured, including markers */
};

/* Lines with their line numbers. Start from all zeros; part_free() releases the memory. */
struct part {
	struct sb code;    /* outdented unless it is the whole file */
	struct sb numbers; /* an int for each line: its line number, from 1 */
};

void part_free(struct part *x);

/* The whole file. */
void part_whole(struct str text, struct part *to);

/*
 * Cuts the part that the keys region=, part= or lines= of `p` name; the whole file if
 * there is no such key or `p` is NULL. False, with an error, if the part does not exist.
 */
MUST_CHECK bool part_cut(const struct placeholder *p, const struct part_source *s, struct part *to,
                         struct err *e);

/*
 * Checks that two parts can be compared in a diff. They cannot if a line of one part is
 * unchanged in the other file but outside the other part: the diff would wrongly show it
 * as removed or added. Nor can a whole function be compared with some of its lines.
 * False, with an error at the placeholder's key.
 */
MUST_CHECK bool part_match(const struct placeholder *p, const struct part_source *before,
                           const struct part *was, const struct part_source *after,
                           const struct part *is, struct arena *a, struct err *e);

#endif
