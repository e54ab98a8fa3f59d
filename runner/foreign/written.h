/*
 * runner/foreign/written.h - results that are not of the runner's kernels, as cases and launches
 * of a record.
 */
#ifndef RUNNER_FOREIGN_WRITTEN_H
#define RUNNER_FOREIGN_WRITTEN_H

#include "lib/record_foreign.h"
#include "runner/foreign/foreign.h"

/* What the cases of a record have in common. */
struct written {
	const char *family, *title; /* "hyperfine-sort"; as pages name it */
	const char *problem, *why;  /* how it was measured; what is known of the check */
	const char *checked;        /* as in struct run_foreign */
	bool gpu;
};

/* Makes the cases, in the arena: one for each result, in their order. */
struct run_case *written_cases(const struct written *w, const struct foreign *f, struct arena *a);

/* A launch of a case with nothing known but its status. */
struct run_launch written_launch(const struct run_case *of, int64_t number, const char *status);

/*
 * Gives a launch the values of a process. `path`, for the error, says where they are from. False
 * if a value is no time that a record can hold.
 */
MUST_CHECK bool written_samples(struct run_launch *l, const struct foreign_process *p,
                                const char *path, struct arena *a, struct err *e);

#endif
