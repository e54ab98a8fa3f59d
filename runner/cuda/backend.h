/*
 * runner/cuda/backend.h - the state of an open GPU, which the two halves of the CUDA
 * backend share: the device (backend.c) and its stopwatch (stopwatch.c).
 */
#ifndef RUNNER_CUDA_BACKEND_H
#define RUNNER_CUDA_BACKEND_H

#include <cuda_runtime_api.h>

#include "lib/err.h"
#include "runner/cuda/kernels.h"
#include "runner/device/device.h"

enum {
	GROUP = 32,   /* most samples enqueued at once */
	CHUNK = 8,    /* the same under sustained load, where two chunks alternate */
	CLOCKS = 256, /* most SMs whose clock is read */
};

struct cuda {
	cudaStream_t stream;
	cudaEvent_t from[GROUP], to[GROUP], done[2];
	unsigned *flag, *flag_device, ticket;
	char *help;            /* work space on the device, HELP_BYTES */
	void *stage;           /* as many bytes of pinned host memory, for copies */
	cudaGraphExec_t graph; /* NULL: calls go directly into the stream */
	int64_t batch;         /* calls or graph launches per sample */
	int64_t entries;       /* queue entries of the stream per sample */
	bool host;             /* time only the host's part of a call */
	/* [chunk % 2][before or after][SM], in host memory */
	struct clock_reading (*clocks)[2][CLOCKS], (*clocks_device)[2][CLOCKS];
	/* load=sustained: chunks enqueued, samples read, time when the last chunk was done */
	bool chain;
	size_t made, read;
	int64_t last_ns, chunk_ns, sample_ns;
	struct clocked chunk; /* clocks of the chunk whose samples are being read */
};

/* Creates the events and the memory for clock readings. Returns a cudaError_t. */
int stopwatch_open(struct cuda *c);

/* The stopwatch's functions of struct backend; runner/device/device.h describes them. */
int stopwatch_begin(struct device *d, struct job *j, enum timer t, int64_t batch);
int stopwatch_sample(struct device *d, struct job *j, int64_t *ns, size_t n, int64_t *wall_ns);
int stopwatch_rest(struct device *d);
void stopwatch_end(struct device *d);
MUST_CHECK bool stopwatch_calibrate(struct device *d, struct calibration *k, struct err *e);

#endif
