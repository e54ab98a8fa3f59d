/* site-gen/records/run.h - what follows from a run file alone, without the repository. */
#ifndef SITE_GEN_RECORDS_RUN_H
#define SITE_GEN_RECORDS_RUN_H

#include "lib/err.h"
#include "site-gen/records/data.h"

#define DATA_RUNS_FOLDER "data/runs"
#define DATA_PROFILES_FOLDER "data/profiles"
#define DATA_TRACES_FOLDER "data/traces"
#define DATA_SASS_FOLDER "data/sass"

/*
 * Reads the bytes of a file, as they are stored, into r, whose path is set: its record, with the
 * launches that count, and why it publishes nothing, if so. `inflated` gets the size of its lines.
 * Uses only r and the arena, so several threads may read several files.
 */
MUST_CHECK bool run_lines(struct data_run *r, struct str stored, struct arena *a, size_t *inflated,
                          struct err *e);

/*
 * Derives the rest of such a run: its conditions, and for each case its summary and whether it is
 * correct and steady. States that depend on the repository are added later (judge.h).
 */
MUST_CHECK bool run_derive(struct data_run *r, struct arena *a, struct err *e);

/*
 * Why a whole record cannot be what the runner wrote (duplicate or missing launches,
 * inconsistent times, dropped samples); NULL if it can. Such a run publishes nothing,
 * but stays in the list of runs with this reason.
 */
const char *run_contradiction(const struct run *r, struct arena *a);

/* "2026-01-31T04:05:06Z" in seconds since 1970-01-01; false if malformed. */
bool run_seconds_of(const char *s, int64_t *out);

/* The launches of a case that count, in file order. */
struct data_launches {
	const struct run_launch **launch;
	size_t n, all, failed;
	const char *status; /* status of the last launch that failed; NULL: none failed */
};

/* Rule `steady`: adds the disturbances of a case whose summary is complete. */
void run_judge_steady(struct data_case *k, const struct run *r, const struct data_launches *of,
                      struct arena *a);
/* Was the clock held down by heat, a power brake or the like? */
bool run_slowed_down(const struct run_launch *l);

#endif
