/*
 * runner/measure/expected.h - the expected outputs. The families' references compute them
 * on the host, in parallel, once for all variants of a case, before processes are forked.
 */
#ifndef RUNNER_MEASURE_EXPECTED_H
#define RUNNER_MEASURE_EXPECTED_H

#include "runner/device/exact.h"
#include "runner/plan/plan.h"

/*
 * Two inputs of the kind that is measured, then one with NaN and one with infinities. A product
 * whose sums are exact on the grid has one more, EXPECTED_GRID, which needs no values: all of its
 * outputs are compared on the device (check_exact()).
 */
enum {
	EXPECTED_TIMED = 2,
	EXPECTED_NAN = EXPECTED_TIMED,
	EXPECTED_INF,
	EXPECTED_SEEDS,
	EXPECTED_GRID = EXPECTED_SEEDS,
};

/*
 * The expected outputs of a case for the inputs of a launch, at n output indices: at all
 * of them if terms × outputs is small, else in the first, the last and random blocks.
 */
struct expected {
	const struct kernel_family *family;
	const struct kernel_case *kcase;
	bool pretended; /* computed by pretend_expect() */
	uint64_t seed[EXPECTED_SEEDS + 1];
	int nseeds;
	bool exact; /* there is a product, and it is exact on the grid */
	struct exact_product product;
	size_t *idx;
	size_t n;
	double *value[EXPECTED_SEEDS], *magnitude[EXPECTED_SEEDS];
};

/* Limits of the work for one case: checked outputs × terms of each. */
enum { CHECK_TERMS_RUN = 1 << 25, CHECK_TERMS_CHECK = 1 << 27, CHECK_MAX_OUTPUTS = 1 << 17 };

/*
 * Computes the expectations of all distinct cases of the plan for a launch, with `threads`
 * threads. Returns an array in the arena, indexed by item.expected. A measurement
 * (CHECK_TERMS_RUN) needs two inputs; a check needs all, if it makes all its calls.
 */
struct expected *expected_make(const struct plan *p, int64_t launch, size_t max_terms, int threads,
                               struct arena *a);

#endif
