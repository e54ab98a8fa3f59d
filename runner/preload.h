/*
 * runner/preload.h - what variants load once for all processes of a run
 * (kernel_variant.preload).
 */
#ifndef RUNNER_PRELOAD_H
#define RUNNER_PRELOAD_H

#include "runner/plan.h"

/*
 * Calls the preload() of each variant of the plan that is available, first in a
 * child, as a trial: only if that leaves it with one thread and without CUDA all are
 * called in this process, without the steps that a trial left out. What is not
 * done here, every process does for itself; one line on stderr says so.
 * $RIDGEPOINT_PRELOAD=0 leaves all of it to the processes.
 * False: this process, unlike the child, has threads or CUDA now.
 */
bool preload(const struct plan *p, struct err *e);

#endif
