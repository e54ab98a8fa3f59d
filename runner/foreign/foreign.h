/*
 * runner/foreign/foreign.h - the results of another harness, read from its file: what it timed,
 * each value as it stands there, and what it says of itself and of the machine.
 *
 * A *process* here is what the record calls a launch. A harness that repeats within one process
 * has one process with many values; hyperfine, which starts its command anew for each, has as many
 * processes. Nothing is averaged, dropped or derived.
 */
#ifndef RUNNER_FOREIGN_FOREIGN_H
#define RUNNER_FOREIGN_FOREIGN_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/record.h"

struct foreign_process {
	double *seconds; /* each above 0 */
	size_t n;
};

/* One thing that was timed. */
struct foreign_case {
	const char *variant; /* made a name: "bm_copy" */
	const char *title;   /* as the harness calls it: "BM_Copy<float>" */
	const char *whole; /* the same with its parameters, if it has them there; else the title */
	const char *idea;  /* what each value is: "real time, mean of 1000 iterations" */
	const char *cache; /* "cold" or "hot"; NULL: the harness does not say */
	struct run_pair param[RECORD_MAX_PARAMS];
	size_t nparams;
	const char *unavailable; /* why the harness has no time of it; NULL: it has */
	struct foreign_process *process;
	size_t nprocesses;
};

/* What a file says. Texts that it does not say are NULL, numbers RECORD_NONE. */
struct foreign {
	const char *version, *commit, *command;
	const char *start;  /* UTC: "2026-01-01T00:00:00Z" */
	struct run_gpu gpu; /* name NULL: the file names no GPU */
	const char *cpu, *os;
	int64_t cores;
	struct foreign_case *c;
	size_t n;
};

/*
 * Reads the text of a harness's file; `harness` is a name of lib/record_foreign.h. `path` is for
 * errors, which name line and column. Everything lives in the arena.
 */
MUST_CHECK bool foreign_read(const char *harness, struct str text, const char *path,
                             struct arena *a, struct foreign *out, struct err *e);

/* How times are found in what a program printed. */
struct foreign_rule {
	const char *title;   /* of its one result; NULL: lines "ridgepoint: NAME P=V... 1.5 ms" */
	const char *pattern; /* POSIX extended; group 1 is the number, group 2 its unit */
	const char *unit;    /* where the pattern has no group 2: "ns", "us", "ms" or "s" */
};

/*
 * Reads what one process of a program printed; each line with a time is a value of that process.
 * `path` is for errors, as above. Without a time there is an error.
 */
MUST_CHECK bool foreign_printed(const struct foreign_rule *rule, struct str text, const char *path,
                                struct arena *a, struct foreign *out, struct err *e);

/* True if both have the same name and parameters. */
bool foreign_same(const struct foreign_case *x, const struct foreign_case *y);

/*
 * A name of letters, digits, '-', '_' and '.', in small letters, at most 64: "BM_Copy<float>" is
 * "bm_copy-float". NULL if nothing is left of it.
 */
const char *foreign_name(struct str text, struct arena *a);

/*
 * "2026-01-01", or a time with or without fraction and zone, as UTC seconds:
 * "2026-01-01T00:00:00Z". NULL if it is none.
 */
const char *foreign_time(const char *text, struct arena *a);

#endif
