/*
 * runner/head.h - the records that say what is measured: the run's head and
 * its cases, from the plan, the device's facts and the build stamp.
 */
#ifndef RUNNER_HEAD_H
#define RUNNER_HEAD_H

#include "lib/record.h"
#include "runner/device.h"
#include "runner/plan.h"

/* "2026-01-01T00:00:00Z" */
const char *head_time(struct arena *a);

/*
 * Is `now` (seconds since 1970) after the commit that this program was built from? A run that
 * begins before its own sources has a clock that was set back.
 */
bool head_clock(int64_t now, int64_t committed, struct err *e);

void head_make(const struct plan *p, const struct calibration *c, const char *reason, int argc,
               char **argv, struct arena *a, struct run_head *out);

/*
 * May a run with this head be filed under the folder `out`? What a pretended device made up
 * may not go to data/, where committed records lie.
 */
bool head_may_lie_in(const struct run_head *h, const char *out, struct err *e);

void head_case(const struct item *it, struct arena *a, struct run_case *out);

/* The hash of this very program. */
const char *head_own_hash(struct arena *a);

#endif
