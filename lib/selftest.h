/*
 * lib/selftest.h - what a run of `runner selftest` says of the instrument: how
 * often equal code was called different, and how often a known difference was
 * found, ten launches at a time; beside it, what two rules that look at the
 * samples of one process say of the very same samples.
 *
 * Such a run has one case with pad=0, null controls of it, and cases that do
 * `pad` per mille more work.
 */
#ifndef LIB_SELFTEST_H
#define LIB_SELFTEST_H

#include "lib/record.h"

enum { SELFTEST_BLOCK = 10 }; /* launches of one comparison: as many as a run has */

/* A difference within it is none. */
extern const double selftest_band;

/* How often each rule called a pair of cases different, out of how many. */
struct selftest_tally {
	int64_t pad;                             /* planted, per mille; 0: equal code */
	size_t pairs;                            /* comparisons of SELFTEST_BLOCK launches */
	size_t found;                            /* the 95 % interval is without 1 */
	size_t covered;                          /* it holds the planted 1 + pad / 1000 */
	size_t different, equivalent, undecided; /* the verdict, with its band */
	size_t processes;                        /* pairs of launches */
	size_t nvbench, mann_whitney;            /* of those, called different */
	double halfwidth, ratio;                 /* means: of the intervals, of what was found */
};

/* One comparison of SELFTEST_BLOCK launches. */
struct selftest_pair {
	struct stats_summary ratio; /* of times: the second over the first, or padded over not */
};

/* Is it such a run, with launches enough for a comparison? */
bool selftest_is(const struct run *r);

/* Equal code: every pair of copies. Planted: the padded case against every copy. */
struct selftest_tally selftest_judge(const struct run *r, int64_t pad, struct arena *a);

/*
 * How often intervals of equal code hold 1, 0 to 1: which of two copies is A is a
 * matter of taste in each launch, so every comparison is made with the sides of its
 * launches exchanged in every way (the permutation test of Fisher 1935, The Design of
 * Experiments, section 21). A count of the comparisons as they are is one draw of that,
 * and too few to tell 95 % from 98 %. Without a comparison: 0.
 */
double selftest_exchanged(const struct run *r, struct arena *a);

/* The planted differences of a run, ascending, 0 not among them; at most n. */
size_t selftest_pads(const struct run *r, int64_t *pad, size_t n);

/* Every comparison with its interval, in the order of the run; in the arena. */
size_t selftest_pairs(const struct run *r, int64_t pad, struct arena *a,
                      struct selftest_pair **out);

#endif
