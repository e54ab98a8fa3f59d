/*
 * site-gen/records/part.h - the part of a source that a listing shows: all of it, a
 * region, its kernels (__global__ functions), or some lines.
 *
 * A region lies between `// ANCHOR: name` and `// ANCHOR_END: name`; no part has
 * those markers. Kernels are found by the project's layout: what a function opens
 * with, and the brace that closes it, stand in the first column.
 */
#ifndef SITE_GEN_RECORDS_PART_H
#define SITE_GEN_RECORDS_PART_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/base/placeholder.h"

struct part_source {
	const char *path; /* for messages */
	struct str text;  /* as measured, markers and all */
};

/* Lines, and where they stand in the file. Zero-initialised; part_free() releases it. */
struct part {
	struct sb code;    /* outdented, if it is no whole file */
	struct sb numbers; /* an int for each line, from 1 */
};

void part_free(struct part *x);

/* The whole file. */
void part_whole(struct str text, struct part *to);

/*
 * What the keys region, part or lines of `p` ask for; without one of them, or
 * without a placeholder, the whole file. False: there is no such part.
 */
bool part_cut(const struct placeholder *p, const struct part_source *s, struct part *to,
              struct err *e);

/*
 * May the two parts stand against each other? Not if a line of one is unchanged
 * in the other file, but outside of the other part: a diff would show it as
 * removed or added, which it was not. Nor a whole function against some of its
 * lines. False: an error at the placeholder's key.
 */
bool part_match(const struct placeholder *p, const struct part_source *before,
                const struct part *was, const struct part_source *after, const struct part *is,
                struct arena *a, struct err *e);

#endif
