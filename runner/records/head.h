/*
 * runner/records/head.h - the head and case records of a run, made from the plan, the
 * device's facts and the build stamp.
 */
#ifndef RUNNER_RECORDS_HEAD_H
#define RUNNER_RECORDS_HEAD_H

#include "lib/err.h"
#include "lib/record.h"
#include "runner/device/device.h"
#include "runner/plan/plan.h"

/* The command line, which a run records. Every command receives it as ctx. */
struct invocation {
	int argc;
	char **argv;
};

/* A fresh id of a record: UTC time, its device or architecture, and 8 hex digits of the seed. */
const char *head_fresh_id(const char *slug, uint64_t seed, struct arena *a);

/* The time now, UTC: "2026-01-01T00:00:00Z", in the arena. */
const char *head_time(struct arena *a);

/*
 * Checks that `now` (seconds since 1970) is after the commit that this program was built
 * from. A run that begins before its own sources has a wrong clock.
 */
MUST_CHECK bool head_clock(int64_t now, int64_t committed, struct err *e);

/* Makes the run's head, in the arena. */
MUST_CHECK bool head_make(const struct plan *p, const struct calibration *c, const char *reason,
                          const struct invocation *inv, struct arena *a, struct run_head *h,
                          struct err *e);

/*
 * Checks that a run with this head may be written below the folder `out`. A pretended
 * device's numbers are made up and may not go to data/, the home of committed records.
 */
MUST_CHECK bool head_may_lie_in(const struct run_head *h, const char *out, struct err *e);

/* Makes the case record of an item, in the arena. */
void head_case(const struct item *it, struct arena *a, struct run_case *out);

/* SHA-256 of the program that runs, as hex in the arena; "" if it cannot be read. */
const char *head_own_hash(struct arena *a);

/* Checks that hash: a record without it cannot be read back. */
MUST_CHECK bool head_knows_runner(const char *runner_sha256, struct err *e);

#endif
