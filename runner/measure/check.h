/*
 * runner/measure/check.h - the check of an output. It is compared, in device memory, with
 * the expectations of runner/measure/expected.h.
 */
#ifndef RUNNER_MEASURE_CHECK_H
#define RUNNER_MEASURE_CHECK_H

#include "lib/record.h"
#include "runner/device/job.h"
#include "runner/measure/expected.h"

/* The result of a check; `why` is empty if it passed. */
struct verdict {
	struct run_check check;
	size_t unwritten, disturbed, changed;
	char why[240];
};

/*
 * Compares the output of `set` with the expectation for x->seed[seed], the seed of the
 * last job_fill(). Also scans the whole output for elements that were never written, the
 * inputs for changed elements, and the guards for overwritten bytes. GPUs that meet
 * (KERNEL_MEETS) and of which the same is expected must have the same bits. The output is read
 * as the next kernel in the stream would find it: results that another stream or thread
 * writes later are missing. Returns a device error or 0.
 */
int check_output(struct job *j, size_t set, int seed, const struct expected *x, struct arena *a,
                 struct verdict *out);

/*
 * Compares all outputs of a product with the exact result for x->seed[EXPECTED_GRID], the seed of
 * the last job_fill(), bit for bit on the device; then scans like check_output().
 */
int check_exact(struct job *j, size_t set, const struct expected *x, struct verdict *out);

/*
 * Checks a call on an input that begins like x->seed[s] and ends like x->seed[t], for
 * which there is no reference. The first time (*got is NULL) it stores the answer in
 * *got, in the arena. The second time the answer must be the same within both calls'
 * tolerance. It differs if one of the calls was left out, or used another input.
 */
int check_again(struct job *j, size_t set, int s, int t, const struct expected *x, struct arena *a,
                double **got, struct verdict *out);

/* A hash of all outputs of `set`, equal for outputs that are equal bit for bit. */
int check_digest(struct job *j, size_t set, uint64_t *digest);

/* The part of check_output() that needs no expectation: all is written, and nothing else. */
int check_written(struct job *j, size_t set, struct verdict *out);

/* Joins two verdicts: keeps the worse one and adds up the numbers of outputs checked. */
void verdict_join(struct verdict *into, const struct verdict *other);

/*
 * The largest |got - value| / magnitude over n outputs, and its index in *where. Returns
 * -1, no finite error, in three cases: the value is NaN or infinite and the output is not
 * the same; the value is finite and the output is not; the two differ where the magnitude
 * is 0. Declared for tests.
 */
double check_error(const double *got, const double *value, const double *magnitude, size_t n,
                   size_t *where);

/*
 * Two more measures of the same outputs, over those whose value is finite: the norm of
 * the errors over the norm of the values (0 if both are 0), and the error that 99 % of
 * the outputs stay below, in units in the last place of type t[i] at the value. -1 if
 * some output is not a finite number, or if no value is finite. Declared for tests.
 */
void check_measures(const double *got, const double *value, const enum kernel_dtype *t, size_t n,
                    struct arena *a, struct run_check *out);

#endif
