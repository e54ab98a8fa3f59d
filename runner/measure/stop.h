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

/*
 * Why samples with load=steady end after n of them, which took sum_ns; NULL: go on. "window":
 * s->window_ms are over, the same for all cases. "samples": there is no room for more.
 */
const char *stop_window(const struct settings *s, size_t n, int64_t sum_ns);

/*
 * The burst of a heavy case (runner/plan/heavy.h), of which s->burst_ms of load are allowed:
 * how many samples to take next after n of them, at most `group`. load_ns is what warm-up and
 * samples took so far, each_ns the longest sample. 0: enough, and *stop says why. "samples":
 * there are s->min_samples. "budget": another would not end in time. There is no second look,
 * since a longer burst would meet a lower clock.
 */
size_t stop_burst_next(const struct settings *s, size_t n, size_t group, int64_t load_ns,
                       int64_t each_ns, const char **stop);

#endif
