/*
 * runner/measure/survey.h - the first pass over a plan, before anything is recorded. It
 * calibrates the stopwatch, and finds out which variants are available, what they choose
 * and how long a call takes. That decides timer, batch and choice for all launches.
 */
#ifndef RUNNER_MEASURE_SURVEY_H
#define RUNNER_MEASURE_SURVEY_H

#include "lib/err.h"
#include "runner/base/progress.h"
#include "runner/measure/walk.h"

/* Calibrates the stopwatch; sets *c and the plan's tick_ns. */
MUST_CHECK bool survey_calibrate(struct plan *p, struct calibration *c, struct err *e);

/* Sets unavailable, library, choice, call_ns, timer and batch of every item. */
MUST_CHECK bool survey(struct plan *p, struct signals *sig, struct arena *a, struct err *e);

#endif
