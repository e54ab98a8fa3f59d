/*
 * runner/compare.h - the three kinds of `runner compare`: each fills c->v with
 * rows and null ratios. False: c->e says why.
 */
#ifndef RUNNER_COMPARE_H
#define RUNNER_COMPARE_H

#include "runner/session.h"
#include "runner/versus.h"

enum { COMPARE_NULLS = 3 };

/* What was asked for, and the answer. */
struct comparing {
	const struct cmd_args *args;
	const struct invocation *inv;
	struct session *s; /* its arena holds everything here */
	struct err *e;
	const char *out, *device; /* device may be NULL: as there is one */
	long seed;                /* below 0: a fresh one */
	int64_t blocks;           /* launches of each of A, B and the control */
	struct versus v;
};

/*
 * Two run files of one machine: cases of the same id, unpaired. Null controls
 * are those the files hold.
 */
bool compare_files(struct comparing *c, const char *a, const char *b);

/*
 * Two selectors of variants in this build, at the cases both have: one run
 * file, in which every launch is three processes: A, B and the null control,
 * and the next one's in reverse.
 */
bool compare_variants(struct comparing *c, const char *a, const char *b);

/*
 * This build and another at the same selectors, in the same order. Machine
 * code that is equal is not measured further than it takes to see that.
 */
bool compare_builds(struct comparing *c, const char *program);

#endif
