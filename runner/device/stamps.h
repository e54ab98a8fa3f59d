/*
 * runner/device/stamps.h - from the time stamps in a device's memory (kernels/trace.h) to those of
 * a record.
 */
#ifndef RUNNER_DEVICE_STAMPS_H
#define RUNNER_DEVICE_STAMPS_H

#include "kernels/trace.h"
#include "lib/record_trace.h"

/* An SM's cycle counter when the GPU's timer stepped to `ns`, by `step` ns. */
struct stamps_clock {
	uint64_t cycles, ns;
	unsigned sm, step;
};

/* What a traced call left. */
struct stamps {
	/* readings of the SMs' clocks: nclocks before the call, then as many after it */
	const struct stamps_clock *clock;
	size_t nclocks;
	const struct trace_ring *ring;
	size_t nrings;
	const struct trace_stamp *stamp; /* [ring * room + number of the stamp] */
	size_t room;
};

/*
 * Fills in the clocks, rings, counts, kept stamps and names of a trace, in the arena. Returns NULL,
 * or why the stamps are no trace.
 */
const char *stamps_record(const struct stamps *s, struct arena *a, struct run_trace *out);

#endif
