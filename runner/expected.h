/*
 * runner/expected.h - what outputs should be: computed by the families'
 * references on the host, in parallel, before a process is forked, once for all
 * variants of a case.
 */
#ifndef RUNNER_EXPECTED_H
#define RUNNER_EXPECTED_H

#include "runner/plan.h"

/* Two inputs of the kind measured with, then one with NaN and one with infinities. */
enum { EXPECTED_TIMED = 2, EXPECTED_NAN = EXPECTED_TIMED, EXPECTED_INF, EXPECTED_SEEDS };

/*
 * What one case should give for the inputs of a launch, at n output indices:
 * all of them where terms × outputs is small, else the first, the last and
 * random blocks.
 */
struct expected {
	const struct kernel_family *family;
	const struct kernel_case *kcase;
	bool pretended; /* pretend_expect() says what should be */
	uint64_t seed[EXPECTED_SEEDS];
	int nseeds;
	size_t *idx;
	size_t n;
	double *value[EXPECTED_SEEDS], *magnitude[EXPECTED_SEEDS];
};

/* Calls of a check: measure.c has the table of them. */
enum { CHECK_CALLS = 8 };

/* Work one case may cost: outputs looked at × terms each. */
enum { CHECK_TERMS_RUN = 1 << 25, CHECK_TERMS_CHECK = 1 << 27, CHECK_MAX_OUTPUTS = 1 << 17 };

/*
 * Expectations of all distinct cases of the plan for a launch, indexed by
 * item.expected, computed with `threads` threads. Arena-owned. Those of a
 * measurement (CHECK_TERMS_RUN) are for two inputs, those of a check for all, if
 * it makes all its calls.
 */
struct expected *expected_make(const struct plan *p, int64_t launch, size_t max_terms, int threads,
                               struct arena *a);

#endif
