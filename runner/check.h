/*
 * runner/check.h - is the output right? Expectations are computed on the
 * host, in parallel, before a process is forked, once for all variants of a
 * case; outputs are compared where they lie.
 */
#ifndef RUNNER_CHECK_H
#define RUNNER_CHECK_H

#include "lib/record.h"
#include "runner/job.h"

/*
 * What one case should give for the two input seeds of a launch, at n output
 * indices: all of them where terms × outputs is small, else the first, the
 * last and random blocks.
 */
struct expected {
	const struct kernel_family *family;
	const struct kernel_case *kcase;
	uint64_t seed[2];
	size_t *idx;
	size_t n;
	double *value[2], *magnitude[2];
};

/* Work one case may cost: outputs looked at × terms each. */
enum { CHECK_TERMS_RUN = 1 << 25, CHECK_TERMS_CHECK = 1 << 27, CHECK_MAX_OUTPUTS = 1 << 17 };

/*
 * Expectations of all distinct cases of the plan for a launch, indexed by
 * item.expected, computed with `threads` threads. Arena-owned.
 */
struct expected *expected_make(const struct plan *p, int64_t launch, size_t max_terms, int threads,
                               struct arena *a);

/* What a check found; `why` is empty if it passed. */
struct verdict {
	struct run_check check;
	size_t unwritten, disturbed;
	char why[240];
};

/*
 * Compares the output of `set` with what its seed (set % 2 at the time of
 * job_fill) demands, scans the whole output for elements never written and
 * the guards for bytes overwritten. Returns a device error or 0.
 */
int check_output(struct job *j, size_t set, int seed, const struct expected *x, struct arena *a,
                 struct verdict *out);

/* Keeps the worse of two verdicts, and the sum of what was looked at. */
void verdict_join(struct verdict *into, const struct verdict *other);

/*
 * The largest |got - value| / magnitude over n outputs, and where. NaN or a
 * difference where the magnitude is 0 gives -1: no finite error.
 */
double check_error(const float *got, const double *value, const double *magnitude, size_t n,
                   size_t *where);

#endif
