/*
 * runner/check.h - is the output right? It is compared where it lies with what
 * runner/expected.h says.
 */
#ifndef RUNNER_CHECK_H
#define RUNNER_CHECK_H

#include "lib/record.h"
#include "runner/expected.h"
#include "runner/job.h"

/* What a check found; `why` is empty if it passed. */
struct verdict {
	struct run_check check;
	size_t unwritten, disturbed, changed;
	char why[240];
};

/*
 * Compares the output of `set` with what x->seed[seed], the one of the last
 * job_fill(), demands, scans the whole output for elements never written, the
 * inputs for elements changed and the guards for bytes overwritten. The output is
 * looked at as the next kernel in the stream would find it: what is still to be
 * written then, by another stream or a thread, is missing. Returns a device error or 0.
 */
int check_output(struct job *j, size_t set, int seed, const struct expected *x, struct arena *a,
                 struct verdict *out);

/*
 * Of an input that no reference knows, since it begins like x->seed[s] and ends like
 * x->seed[t]: reads into *got what comes of it, the first time (*got is NULL). The
 * second time the same must have come, within both calls' tolerance: it has not if
 * one of the two was not made, or took its input for another.
 */
int check_again(struct job *j, size_t set, int s, int t, const struct expected *x, struct arena *a,
                double **got, struct verdict *out);

/* The part of check_output() that needs no expectation: all written, nothing beside it. */
int check_written(struct job *j, size_t set, struct verdict *out);

/* Keeps the worse of two verdicts, and the sum of what was looked at. */
void verdict_join(struct verdict *into, const struct verdict *other);

/*
 * The largest |got - value| / magnitude over n outputs, and where. Where the
 * value is NaN or infinite the output must be the same. If it is not, or is
 * no number where the value is one, or differs where the magnitude is 0, the
 * result is -1: no finite error.
 */
double check_error(const double *got, const double *value, const double *magnitude, size_t n,
                   size_t *where);

/*
 * The same outputs in two more measures, over those whose value is finite:
 * the norm of the errors over the norm of the values (0 if both are 0), and
 * the error that 99 % of them stay below, in units in the last place of
 * its type t[i] at the value. -1: an output is no number, or no value is finite.
 */
void check_measures(const double *got, const double *value, const enum kernel_dtype *t, size_t n,
                    struct arena *a, struct run_check *out);

#endif
