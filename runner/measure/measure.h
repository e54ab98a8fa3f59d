/*
 * runner/measure/measure.h - measuring one item, in a child process: checks it, times it
 * if it is correct, and checks it again.
 */
#ifndef RUNNER_MEASURE_MEASURE_H
#define RUNNER_MEASURE_MEASURE_H

#include "runner/measure/bench.h"

/* Finds out whether the item is available (o->why says why not) and how long a call takes. */
void measure_survey(struct bench *b, const struct item *it, struct outcome *o);

/* Checks correctness only: the calls in measure.c's table, at most settings.check_calls. */
void measure_check(struct bench *b, const struct item *it, struct outcome *o);

/*
 * Makes one call for a profiler, after a first call to warm up. The whole output must be
 * written and nothing else; its values are not checked and nothing is timed.
 */
void measure_profile(struct bench *b, const struct item *it, struct outcome *o);

/*
 * Makes the whole measurement. Fills in *l except for case, position, pid and time, which
 * the caller knows. Arrays live in b->arena until the next item.
 */
void measure_launch(struct bench *b, const struct item *it, struct outcome *o,
                    struct run_launch *l);

#endif
