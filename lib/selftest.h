/*
 * lib/selftest.h - judges the instrument from a run of `runner selftest`: how
 * often equal code was called different, and how often a planted difference was
 * found, comparing ten processes at a time. Two rules that look at the samples of
 * a single process are applied to the same samples for comparison.
 *
 * Such a run has one case with pad=0, null controls that repeat it, and cases
 * that do `pad` per mille more work.
 */
#ifndef LIB_SELFTEST_H
#define LIB_SELFTEST_H

#include "lib/record.h"

#define SELFTEST_BLOCK 10 /* processes in one comparison: as many as a run has */

/* Equivalence band of the selftest's verdicts (stats_verdict()). */
extern const double selftest_band;

/* How often each rule called a pair of cases different, out of how many. */
struct selftest_tally {
	int64_t pad;                             /* planted, per mille; 0: equal code */
	size_t pairs;                            /* comparisons of SELFTEST_BLOCK processes */
	size_t found;                            /* the 95 % interval excludes 1 */
	size_t covered;                          /* it contains the planted 1 + pad / 1000 */
	size_t different, equivalent, undecided; /* verdicts with selftest_band */
	size_t processes;                        /* pairs of single processes */
	size_t nvbench, mann_whitney;            /* how many of those each rule called different */
	double halfwidth, ratio;                 /* mean half-width and mean ratio over the pairs */
};

/* One comparison of SELFTEST_BLOCK processes. */
struct selftest_pair {
	struct stats_summary ratio; /* of times: second over first, or padded over unpadded */
};

/* True for a selftest run with enough processes for a comparison. */
bool selftest_is(const struct run *r);

/*
 * Tallies the verdicts. pad == 0 compares every pair of equal copies; otherwise
 * the case padded by `pad` is compared with every copy.
 */
struct selftest_tally selftest_judge(const struct run *r, int64_t pad, struct arena *a);

/*
 * How often the interval of a ratio of equal code contains 1, as a share from 0 to 1.
 * Which of two copies is called A is arbitrary in each process, so every comparison is
 * repeated with the sides exchanged in all possible ways (the permutation test of Fisher
 * 1935, The Design of Experiments, section 21). Counting only the comparisons as they
 * were measured would be a single draw, too few to tell 95 % from 98 %. Returns 0 if
 * there is no comparison.
 */
double selftest_exchanged(const struct run *r, struct arena *a);

/* The planted differences of a run in ascending order, without 0; at most n of them. */
size_t selftest_pads(const struct run *r, int64_t *pad, size_t n);

/* Every comparison with its interval, in the order of the run; allocated in the arena. */
size_t selftest_pairs(const struct run *r, int64_t pad, struct arena *a,
                      struct selftest_pair **out);

#endif
