/*
 * runner/cuda/kernels.h - the runner's own device code: it fills inputs, scans buffers,
 * holds a stream, and reads clocks. Each function enqueues work on `stream` and returns
 * a cudaError_t.
 */
#ifndef RUNNER_CUDA_KERNELS_H
#define RUNNER_CUDA_KERNELS_H

#include "kernels/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

struct zone;
struct exact_product;
struct exact_found;

/* Returns 0 if this program's device code can run on the current device. */
int device_code_loads(void);

/* Fills an input buffer from a seed; `buffer` is its number. */
int device_fill(void *p, const struct kernel_buffer *b, uint64_t seed, unsigned buffer,
                void *stream);

/* out[i] = element idx[i] of p, as a double. All arrays are in device memory. */
int device_gather(const void *p, enum kernel_dtype t, const size_t *idx, size_t n, double *out,
                  void *stream);

/* Adds to *count the number of elements that are still their type's poison. */
int device_unwritten(const void *p, const struct kernel_buffer *b, unsigned long long *count,
                     void *stream);

/* Writes each zone's byte into the zone. The array of zones is in device memory. */
int device_mark(const struct zone *zone, size_t n, void *stream);

/* Adds to *count the number of bytes that differ from their zone's byte. Zones as above. */
int device_disturbed(const struct zone *zone, size_t n, unsigned long long *count, void *stream);

/* Adds to *count the number of elements that differ from what device_fill() writes. */
int device_changed(const void *p, const struct kernel_buffer *b, uint64_t seed, unsigned buffer,
                   unsigned long long *count, void *stream);

/* Adds to *sum the hashes of all elements (element_hash()). */
int device_digest(const void *p, const struct kernel_buffer *b, unsigned long long *sum,
                  void *stream);

/*
 * Compares all outputs of a product with the integers that they should be. Adds to found->wrong,
 * and lowers found->first; both are in device memory.
 */
int device_product(const struct exact_product *x, const void *a, const void *b, const void *out,
                   struct exact_found *found, void *stream);

/*
 * Holds the stream until flag[0], in host memory, reaches `ticket`, for at most 2 s.
 * flag[1] counts how often that time expired.
 */
int device_gate(volatile unsigned *flag, unsigned ticket, void *stream);

/* An SM's cycle counter and the GPU's timer, read one right after the other. */
struct clock_reading {
	unsigned long long cycles, ns;
	unsigned sm, step;
};

/* Starts `blocks` blocks, each of which reads its SM's clocks into an element of out[]. */
int device_clocks(struct clock_reading *out, int blocks, void *stream);

/*
 * Starts `blocks` blocks, no two of which fit on one SM. Each waits until all of them run, and then
 * for the next step of the GPU's timer, at which it reads its SM's clocks into an element of out[];
 * `step` is the width of that step in ns.
 */
int device_clocks_at_step(struct clock_reading *out, int blocks, void *stream);

/* Launches a kernel that does nothing, to calibrate the stopwatch. */
int device_empty(void *stream);

#ifdef __cplusplus
}
#endif
#endif
