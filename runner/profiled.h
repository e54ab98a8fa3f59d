/*
 * runner/profiled.h - what has been profiled already, so that a profiler, which
 * takes seconds for each case, is asked only for what is missing.
 */
#ifndef RUNNER_PROFILED_H
#define RUNNER_PROFILED_H

#include "runner/plan.h"

/*
 * Takes those items out of the plan that have counters of the same machine code
 * in a whole file of folder `dir`/<device>. No such folder: none has.
 */
bool profiled_leave_out(struct plan *p, const char *dir, struct arena *a, struct err *e);

#endif
