/*
 * runner/cuda/backend.h - the state of the open GPUs, which the two halves of the CUDA
 * backend share: the device (backend.c) and its stopwatch (stopwatch.c).
 */
#ifndef RUNNER_CUDA_BACKEND_H
#define RUNNER_CUDA_BACKEND_H

#include <cuda_runtime_api.h>

#include "kernels/trace.h"
#include "lib/err.h"
#include "runner/cuda/kernels.h"
#include "runner/device/device.h"

enum {
	GROUP = 32,   /* most samples enqueued at once */
	CHUNK = 8,    /* the same under sustained load, where two chunks alternate */
	CLOCKS = 256, /* most SMs whose clock is read */
};

/* [chunk % 2][before or after][SM] */
typedef struct clock_reading clock_readings[2][CLOCKS];

/* One GPU. All that is enqueued on its stream is made on its device. */
struct cuda_gpu {
	cudaStream_t stream;
	cudaEvent_t from[GROUP], to[GROUP], done[2];
	cudaEvent_t here;                       /* of align() */
	char *help;                             /* work space on the device, HELP_BYTES */
	cudaGraphExec_t graph;                  /* its part of the calls; NULL: none */
	clock_readings *clocks, *clocks_device; /* in host memory */
};

struct cuda {
	struct cuda_gpu gpu[KERNEL_MAX_GPUS];
	int open;     /* GPUs that are open */
	int gpus;     /* that the job under way uses */
	size_t bytes; /* of each GPU's memory */
	unsigned *flag, *flag_device, ticket;
	void *stage;     /* HELP_BYTES of pinned host memory, for copies */
	bool graphs;     /* calls are in graphs; false: they go directly into the streams */
	int64_t batch;   /* calls or graph launches per sample */
	int64_t entries; /* queue entries of a stream per sample */
	bool host;       /* time only the host's part of a call */
	/* load=sustained: chunks enqueued, samples read, time when the last chunk was done */
	bool chain;
	size_t made, read;
	int64_t last_ns, chunk_ns, sample_ns;
	struct clocked chunk;         /* clocks of the chunk whose samples are being read */
	struct cuda_tracing *tracing; /* between tracing_begin() and tracing_end(), else NULL */
};

/* Makes a GPU's device the current one, if there are several. Returns a cudaError_t. */
int cuda_select(const struct cuda *c, int gpu);

/* Creates the events and the memory for clock readings. Returns a cudaError_t. */
int stopwatch_open(struct cuda *c);

/* The stopwatch's functions of struct backend; runner/device/device.h describes them. */
int stopwatch_begin(struct device *d, struct job *j, enum timer t, int64_t batch);
int stopwatch_sample(struct device *d, struct job *j, int64_t *ns, size_t n, int64_t *wall_ns);
int stopwatch_rest(struct device *d);
void stopwatch_end(struct device *d);
int stopwatch_captures(struct device *d, struct job *j, bool *can);
int stopwatch_hold(struct device *d, struct job *j, int held, bool *early);
MUST_CHECK bool stopwatch_calibrate(struct device *d, struct calibration *k, struct err *e);

/* The linker's array of the sources with marks; absent from a program without them. */
extern const struct trace_unit __start_trace_units[] __attribute__((weak, visibility("hidden")));
extern const struct trace_unit __stop_trace_units[] __attribute__((weak, visibility("hidden")));

/* The same for time stamps from inside kernels (tracing.c). */
int tracing_begin(struct device *d, struct job *j, const char **why);
int tracing_call(struct device *d, struct job *j, struct arena *a, struct run_trace *out,
                 const char **why);
int tracing_end(struct device *d);

#endif
