/*
 * runner/survey.h - a first pass over the plan, before anything is recorded:
 * calibrates the stopwatch, asks every variant whether it is available, and
 * how long a call takes, which decides timer and batch for all launches.
 */
#ifndef RUNNER_SURVEY_H
#define RUNNER_SURVEY_H

#include "runner/progress.h"
#include "runner/walk.h"

/* Fills calibration, and the plan's tick. */
bool survey_calibrate(struct plan *p, struct calibration *c, struct err *e);

/* Fills unavailable, call_ns, timer and batch of every item. */
bool survey(struct plan *p, struct signals *sig, struct arena *a, struct err *e);

#endif
