/*
 * runner/device/pretended_trace.h - time stamps as a pretended GPU makes them: a loader and an
 * adder in each block, which take tiles by ticket. They describe no kernel of ours.
 */
#ifndef RUNNER_DEVICE_PRETENDED_TRACE_H
#define RUNNER_DEVICE_PRETENDED_TRACE_H

#include "runner/device/device.h"
#include "runner/device/stamps.h"

/*
 * Fills in the trace of a call of `ns` on `sms` SMs, a block on each. SMs differ in their clocks'
 * starts; every third is slower, and takes fewer tiles. Returns NULL, or as stamps_record().
 * Declared for tests.
 */
const char *pretended_trace(unsigned sms, double ns, struct arena *a, struct run_trace *out);

/* The functions of struct backend. */
int pretended_trace_begin(struct device *d, struct job *j, const char **why);
int pretended_trace_call(struct device *d, struct job *j, struct arena *a, struct run_trace *out,
                         const char **why);
int pretended_trace_end(struct device *d);

#endif
