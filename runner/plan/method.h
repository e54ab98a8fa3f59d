/*
 * runner/plan/method.h - how the items of a surveyed plan are timed, and how long that takes.
 */
#ifndef RUNNER_PLAN_METHOD_H
#define RUNNER_PLAN_METHOD_H

#include "runner/plan/plan.h"

/* Sets the batch and timer of an item from its call_ns, and from whether it is heavy. */
void method_choose_timer(struct item *it, enum kernel_where where);

/* Expected time of one process over all items, s, from the survey. */
double method_launch_seconds(const struct plan *p);

#endif
