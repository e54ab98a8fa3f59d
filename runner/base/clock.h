/*
 * runner/base/clock.h - the host's clock.
 */
#ifndef RUNNER_BASE_CLOCK_H
#define RUNNER_BASE_CLOCK_H

#include <stdint.h>

/* Monotonic host time in ns; no daemon adjusts its rate. */
int64_t clock_ns(void);

#endif
