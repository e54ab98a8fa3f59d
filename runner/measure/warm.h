/*
 * runner/measure/warm.h - the length of a case's warm-up, learned from its own launches.
 *
 * Most cases are steady after a millisecond. But a GPU that draws much power lowers its
 * clock 15 ms later, and nobody knows beforehand which cases that changes. So the first
 * WARM_TRIALS launches of a case have the whole warm-up, and also compute the median that
 * a short one would have given. If in each the two agree within WARM_SAME, later launches
 * have the short warm-up. In those, the medians of the first and the second half of the
 * samples must agree within WARM_STEADY; the short warm-up can then have shifted the
 * whole median by half of that. After one launch that does not agree, the case always
 * gets the whole warm-up.
 */
#ifndef RUNNER_MEASURE_WARM_H
#define RUNNER_MEASURE_WARM_H

#include "runner/plan/plan.h"

enum { WARM_TRIALS = 2 };

#define WARM_SAME 0.002
#define WARM_STEADY 0.003

/* Warm-up of the next launch, ms: set->warmup_ms or set->short_warmup_ms. */
int64_t warm_ms(const struct warm *w, const struct settings *set);

/*
 * Relative change that tells whether the warm-up was long enough. After a whole warm-up,
 * how much the median would change with the short one; after a short one, how much the
 * medians of the two halves of the samples differ. INFINITY if unknown: fewer than two
 * samples, or a whole warm-up of which not all samples were kept (`kept` at most).
 * `work` has room for as many doubles as there are samples.
 */
double warm_moved(const struct run_launch *l, bool whole, size_t kept, const struct settings *set,
                  double *work);

/* Learns from the warm_moved() of a launch that passed, for warm_ms() of the next one. */
void warm_learn(struct warm *w, const struct settings *set, double moved);

#endif
