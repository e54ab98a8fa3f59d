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
 * Checks a call. With `marks`: times calls, then makes one whose time stamps go to *t, and whose
 * output is checked, too; without them it only times calls, into t->plain_ns. *t lives in b->arena
 * until the next item.
 */
void measure_trace(struct bench *b, const struct item *it, bool marks, struct outcome *o,
                   struct run_trace *t);

/*
 * Makes the whole measurement. Fills in *l except for case, position, pid and time, which
 * the caller knows. Arrays live in b->arena until the next item.
 */
void measure_launch(struct bench *b, const struct item *it, struct outcome *o,
                    struct run_launch *l);

#endif
