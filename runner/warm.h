/*
 * runner/warm.h - how long a case is warmed up, learned from its own launches.
 *
 * Most cases are steady after a millisecond; a GPU that draws much power lowers
 * its clock 15 ms later, and what that changes is known to nobody before. So
 * the first WARM_TRIALS launches of a case have the whole warm-up, and tell what
 * they would have said after a short one: if each says the same within
 * WARM_SAME, the launches after them have the short one. There the first half
 * of the samples must agree with the second within WARM_STEADY, half of which
 * a short warm-up can have shifted the median by; one launch that does not
 * agree gives the case its whole warm-up back for good.
 */
#ifndef RUNNER_WARM_H
#define RUNNER_WARM_H

#include "runner/plan.h"

enum { WARM_TRIALS = 2 };

#define WARM_SAME 0.002
#define WARM_STEADY 0.003

/* The warm-up of the next launch, ms: set->warmup_ms, or the short one. */
int64_t warm_ms(const struct warm *w, const struct settings *set);

/*
 * By how much of it the median of a launch's samples would be another, after
 * the short warm-up instead of the whole; or, of a launch that had the short
 * one, by how much the halves of its samples differ. INFINITY: not known, since
 * there are no samples or, with `kept` of them, more warm-up than is kept.
 * `work` is room for as many doubles as there are samples.
 */
double warm_moved(const struct run_launch *l, bool whole, size_t kept, const struct settings *set,
                  double *work);

/* A launch that was right has `moved`: what the next one gets. */
void warm_learn(struct warm *w, const struct settings *set, double moved);

#endif
