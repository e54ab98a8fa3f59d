/*
 * runner/records/profiled.h - the cases that existing counter files already cover. The
 * profiler takes seconds for each case, so `runner profile --missing` runs only the rest.
 */
#ifndef RUNNER_RECORDS_PROFILED_H
#define RUNNER_RECORDS_PROFILED_H

#include "lib/err.h"
#include "runner/plan/plan.h"

/*
 * Removes from the plan the items whose machine code has counters in a complete file of
 * the folder `dir`/<device>. If there is no such folder, removes nothing.
 */
MUST_CHECK bool profiled_leave_out(struct plan *p, const char *dir, struct arena *a, struct err *e);

#endif
