/*
 * runner/device_kernels.h - the runner's own device code: inputs, scans, and
 * the gate that holds a stream. Each enqueues on `stream` and returns a
 * cudaError_t.
 */
#ifndef RUNNER_DEVICE_KERNELS_H
#define RUNNER_DEVICE_KERNELS_H

#include "kernels/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

struct zone;

/* Can the code of this program run on the current device? */
int device_code_loads(void);

int device_fill(void *p, const struct kernel_buffer *b, uint64_t seed, unsigned buffer,
                void *stream);

/* out[i] = element idx[i] of p; all on the device. */
int device_gather(const void *p, enum kernel_dtype t, const size_t *idx, size_t n, double *out,
                  void *stream);

/* Adds to *count the elements that are their type's poison. */
int device_unwritten(const void *p, const struct kernel_buffer *b, unsigned long long *count,
                     void *stream);

/* Writes into the zones their bytes; zones on the device. */
int device_mark(const struct zone *zone, size_t n, void *stream);

/* Adds to *count the bytes in the zones that are not the zone's; zones on the device. */
int device_disturbed(const struct zone *zone, size_t n, unsigned long long *count, void *stream);

/* Adds to *count the elements that are not what device_fill() writes. */
int device_changed(const void *p, const struct kernel_buffer *b, uint64_t seed, unsigned buffer,
                   unsigned long long *count, void *stream);

/*
 * Holds the stream until flag[0] (host memory) reaches `ticket`, 2 s at most;
 * flag[1] counts how often that was not long enough.
 */
int device_gate(volatile unsigned *flag, unsigned ticket, void *stream);

/* A multiprocessor's cycle counter and the GPU's timer, read one after the other. */
struct clock_reading {
	unsigned long long cycles, ns;
	unsigned sm, unused;
};

/* Reads them on about as many multiprocessors as `blocks`, one into each of out[]. */
int device_clocks(struct clock_reading *out, int blocks, void *stream);

/* Does nothing. */
int device_empty(void *stream);

#ifdef __cplusplus
}
#endif
#endif
