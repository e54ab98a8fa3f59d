/*
 * runner/device_cuda.h - what the two halves of the CUDA backend share: the
 * device (device_cuda.c) and its stopwatch (device_cuda_time.c).
 */
#ifndef RUNNER_DEVICE_CUDA_H
#define RUNNER_DEVICE_CUDA_H

#include <cuda_runtime_api.h>

#include "runner/device.h"
#include "runner/device_kernels.h"

enum {
	GROUP = 32,   /* samples enqueued at once, at most */
	CHUNK = 8,    /* the same where two such groups take turns, without a pause */
	CLOCKS = 256, /* multiprocessors whose clock is read, at most */
};

struct cuda {
	cudaStream_t stream;
	cudaEvent_t from[GROUP], to[GROUP], done[2];
	unsigned *flag, *flag_device, ticket;
	char *help;            /* of the device: HELP_BYTES */
	void *stage;           /* as much of the host, which the device reaches itself */
	cudaGraphExec_t graph; /* NULL: calls in the stream */
	int64_t batch;         /* calls, or graphs, a sample */
	int64_t entries;       /* of the stream's queue that a sample takes */
	bool host;             /* only the host's part of a call is timed */
	/* [chunk % 2][before or after][multiprocessor], in the host's memory */
	struct clock_reading (*clocks)[2][CLOCKS], (*clocks_device)[2][CLOCKS];
	/* load=sustained: chunks enqueued, samples read, when the last chunk was done */
	bool chain;
	size_t made, read;
	int64_t last_ns, chunk_ns, sample_ns;
};

/* Events and the memory of clock readings. */
int stopwatch_open(struct cuda *c);

/* The stopwatch's rows of the backend's table: runner/device.h. */
int stopwatch_begin(struct device *d, struct job *j, enum timer t, int64_t batch);
int stopwatch_sample(struct device *d, struct job *j, int64_t *ns, size_t n, int64_t *wall_ns);
int stopwatch_rest(struct device *d);
void stopwatch_end(struct device *d);
bool stopwatch_calibrate(struct device *d, struct calibration *k, struct err *e);

#endif
