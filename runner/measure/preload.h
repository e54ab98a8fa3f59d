/*
 * runner/measure/preload.h - loading libraries once for all processes of a run
 * (kernel_variant.preload).
 */
#ifndef RUNNER_MEASURE_PRELOAD_H
#define RUNNER_MEASURE_PRELOAD_H

#include "lib/err.h"
#include "runner/plan/plan.h"

/*
 * Calls the preload() of each available variant of the plan, first in a child, as a trial.
 * If the trial leaves threads behind or starts CUDA, nothing is preloaded; else this
 * process does the same, without the steps that the trial left out. Later processes do
 * for themselves whatever is not preloaded; one line on stderr says so.
 * $RIDGEPOINT_PRELOAD=0 turns preloading off.
 * False if this process, unlike the trial, now has threads or CUDA.
 */
MUST_CHECK bool preload(const struct plan *p, struct err *e);

#endif
