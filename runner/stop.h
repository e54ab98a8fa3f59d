/*
 * runner/stop.h - when a launch has enough samples of a case. The rule looks
 * only at n = 12, 19, 29, 44, … (n ← ⌊1.5 n⌋ + 1), so that looking often
 * does not itself shrink the interval, and not before the window has passed.
 */
#ifndef RUNNER_STOP_H
#define RUNNER_STOP_H

#include "runner/plan.h"

/* The look after n samples; the first one for n == 0. At most max_samples. */
size_t stop_next_look(const struct settings *s, size_t n);

/*
 * Why to stop after n samples and elapsed_ms: "halfwidth" (the median is
 * known to s->halfwidth and the window is long enough to have seen the
 * clocks), "samples" (max_samples), "cap" (time). NULL: go on.
 * `work` is room for n doubles.
 */
const char *stop_reason(const struct settings *s, const int64_t *ns, size_t n, double tick_ns,
                        int64_t elapsed_ms, double *work);

#endif
