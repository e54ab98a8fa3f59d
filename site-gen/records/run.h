/* site-gen/records/run.h - one run file, without the repository around it. */
#ifndef SITE_GEN_RECORDS_RUN_H
#define SITE_GEN_RECORDS_RUN_H

#include "site-gen/records/data.h"

#define DATA_RUNS_FOLDER "data/runs"
#define DATA_PROFILES_FOLDER "data/profiles"

/* Fewer processes than this say too little of how processes differ. */
enum { DATA_STEADY_LAUNCHES = 10 };

/*
 * Fills r (whose path is set) from the file's bytes: the record, the summary
 * of each case, whether it is correct and steady. States that depend on the
 * repository are not yet in it. Touches nothing but r and the arena, so
 * several threads may read several files.
 */
bool data_run_read(struct data_run *r, struct str bytes, struct arena *a, struct err *e);

/*
 * Why a record that is whole cannot be what the runner wrote, or NULL: launches
 * twice or missing, times that do not fit, samples dropped. Such a run
 * publishes nothing; it stays in the list of runs, with this reason.
 */
const char *data_run_contradiction(const struct run *r, struct arena *a);

/* "2026-01-31T04:05:06Z" in seconds since 1970-01-01; false: it is no such time. */
bool data_seconds_of(const char *s, int64_t *out);

/* The launches of a case that count, in file order. */
struct data_launches {
	const struct run_launch **launch;
	size_t n, all, failed;
	const char *status; /* of the last one that failed; NULL: none did */
};

/* Rule `steady`: adds what disturbed the case, whose summary is made. */
void data_judge_steady(struct data_case *k, const struct run *r, const struct data_launches *of,
                       struct arena *a);
/* The clock was held down by heat, a power brake or the like; by the power cap. */
bool data_slowed_down(const struct run_launch *l);
bool data_power_limited(const struct run_launch *l);

/* Groups the cases of all runs, which are sorted, into d->numbers; tells each its newer run. */
void data_number_runs(struct data *d);

#endif
