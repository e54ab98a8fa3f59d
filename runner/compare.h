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
 * are those the files hold; the band is that of runs which lie apart
 * (against_band), or what cases of the same machine code moved by.
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

/* The case of this id, if the run could measure it; or NULL. */
const struct run_case *compare_case(const struct run *r, const char *id);

/* Is the hash of the machine code of both known, and the same? */
bool compare_same_code(const struct run_case *x, const struct run_case *y);

/* Launches of a case on one side, as they are counted. */
struct compare_side {
	const char *name;   /* "A" or "B" */
	size_t n, failed;   /* launches */
	const char *status; /* of the first that failed */
};

/* Adds the launches of the case in a run. */
void compare_count(struct compare_side *s, const struct run *r, const char *id);

/* Why the side's times decide nothing, unless it has `want` launches (0: any) that passed; or NULL. */
const char *compare_broken(const struct compare_side *s, size_t want, struct arena *a);

#endif
