/*
 * runner/measure/stop.h - the stop rule, which decides when a launch has enough samples
 * of a case. It looks only at n = 12, 19, 29, 44, … (n ← ⌊1.5 n⌋ + 1), because a rule
 * that looks often stops too early by chance, and not before the window has passed.
 */
#ifndef RUNNER_MEASURE_STOP_H
#define RUNNER_MEASURE_STOP_H

#include "runner/plan/plan.h"

/* Number of samples at the next look after n; at the first look for n == 0. At most max_samples. */
size_t stop_next_look(const struct settings *s, size_t n);

/*
 * Why to stop after n samples and elapsed_ms; NULL: go on. "halfwidth": the median is known
 * to s->halfwidth and the window was long enough to read the clocks. "samples": max_samples
 * is reached. "cap": time is up. `work` has room for n doubles.
 */
const char *stop_reason(const struct settings *s, const int64_t *ns, size_t n, double tick_ns,
                        int64_t elapsed_ms, double *work);

#endif
