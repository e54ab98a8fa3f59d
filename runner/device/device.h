/*
 * runner/device/device.h - the device interface: a table of functions for each kind of
 * device. There is one for the CPU (cpu.c), one for CUDA (runner/cuda/backend.c, absent
 * from a build without nvcc), and one for the pretended GPU (pretended.c), which
 * $RIDGEPOINT_PRETEND selects (runner/machine/pretend.h).
 *
 * Functions that return int return 0 or the device's error code (a cudaError_t). After
 * an error the process can only report it and end.
 */
#ifndef RUNNER_DEVICE_DEVICE_H
#define RUNNER_DEVICE_DEVICE_H

#include "kernels/kernel.h"
#include "lib/err.h"
#include "lib/record_trace.h"
#include "runner/machine/machine.h"
#include "runner/device/exact.h"
#include "runner/plan/plan.h"

enum {
	CALIBRATION_SAMPLES = 50,
};

struct job;

/* A range of device memory in which every byte must be `byte`. */
struct zone {
	char *p;
	size_t n;
	int byte;
};

/* So many samples, and an SM's clock cycles while they ran, in so many ns by the GPU's timer. */
struct clocked {
	size_t samples;
	int64_t cycles, ns; /* 0: not read */
};

enum { CLOCKED_MAX = 1024 };

/* An open device. Only child processes open one, and each opens one at most. */
struct device {
	const struct backend *backend;
	struct kernel_env env;
	int gpus;                   /* set before opening; 0 counts as 1 */
	char *mem[KERNEL_MAX_GPUS]; /* an allocation of each, which one job at a time uses */
	size_t size;                /* of each */
	void *stream[KERNEL_MAX_GPUS];
	void *own;             /* the backend's */
	int64_t gates_expired; /* samples that began before all their work was enqueued */
	/* readings of an SM's clock around groups of samples; the timing forgets earlier ones */
	struct clocked clocked[CLOCKED_MAX];
	size_t nclocked;
	/* [sample][GPU]: how much earlier than the slowest GPU this one was done; NULL: not asked
	 */
	int64_t *skew_ns;
	size_t nskew;
	uint64_t seed;   /* set before opening: seeds the pretended device's noise */
	int64_t late_ns; /* time in rest() for which the device was busy beyond its samples */
};

/* Adds a group of samples. Beyond CLOCKED_MAX groups, it becomes part of the last one. */
void device_clocked(struct device *d, struct clocked g);

/* Raw readings of the stopwatch's own cost. */
struct calibration {
	double tick_ns;
	int64_t empty_pair_ns[CALIBRATION_SAMPLES], empty_kernel_ns[CALIBRATION_SAMPLES];
	int64_t graph_node_ns[CALIBRATION_SAMPLES], flush_ns[CALIBRATION_SAMPLES];
	size_t nempty_pair, nempty_kernel, ngraph_node, nflush;
};

struct backend {
	const char *name; /* "cuda", "cpu" */
	enum kernel_where where;

	/*
	 * Reads the facts of the device, and of as many as `gpus` of its like. It may start CUDA,
	 * so call it in a child process.
	 */
	void (*facts)(struct facts *f, int gpus);
	/* Opens d->gpus GPUs, each of which may access the others' memory; allocates `bytes` on
	 * each. */
	MUST_CHECK bool (*open)(struct device *d, const struct facts *f, size_t bytes,
	                        struct err *e);
	MUST_CHECK bool (*calibrate)(struct device *d, struct calibration *c, struct err *e);

	/* These enqueue work: fill with input elements, set all bytes, mark guards, copy. */
	int (*fill)(struct device *d, void *p, const struct kernel_buffer *b, uint64_t seed,
	            unsigned buffer);
	int (*set)(struct device *d, void *p, int byte, size_t n);
	/* Writes each zone's byte into the zone. */
	int (*mark)(struct device *d, const struct zone *guard, size_t n);

	int (*copy)(struct device *d, void *to, const void *from, size_t n);

	/* Waits for all work on the device, on any stream. */
	int (*finish)(struct device *d);

	/*
	 * Sees whether a call can be captured into graphs. If not, its streams are as before.
	 * NULL: nothing forbids it.
	 */
	int (*captures)(struct device *d, struct job *j, bool *can);
	/*
	 * Makes one call that GPU `held` cannot begin for a while, and looks whether another GPU
	 * ended it meanwhile. NULL: there is one GPU.
	 */
	int (*hold)(struct device *d, struct job *j, int held, bool *early);

	/*
	 * Replaces the variant's calls: makes one call on a set. The variant's prepare(),
	 * launch() and release() are then never called. NULL: call the variant itself.
	 */
	int (*call)(struct device *d, struct job *j, size_t set);
	/*
	 * With call(): what the item's variant chose in this process. The text lives as long as
	 * the device. NULL: nothing is chosen.
	 */
	const char *(*chosen)(struct device *d, const struct item *it);
	/* Clock for timing calls without the stopwatch, ns. NULL: clock_ns(). */
	int64_t (*now)(struct device *d);

	/* The following wait for their result. gather() reads elements idx[] of p as doubles. */
	int (*gather)(struct device *d, const void *p, enum kernel_dtype t, const size_t *idx,
	              size_t n, double *out);
	/* Counts elements that are still their type's poison. */
	int (*unwritten)(struct device *d, const void *p, const struct kernel_buffer *b, size_t *n);
	/* Counts the bytes in zones that differ from the zone's byte. */
	int (*disturbed)(struct device *d, const struct zone *guard, size_t n, size_t *bytes);
	/* Counts elements that differ from what fill() wrote. */
	int (*changed)(struct device *d, const void *p, const struct kernel_buffer *b,
	               uint64_t seed, unsigned buffer, size_t *n);

	/* Adds to *sum a hash of each element's bits and place; in any order it is the same. */
	int (*digest)(struct device *d, const void *p, const struct kernel_buffer *b,
	              uint64_t *sum);
	/*
	 * Compares all outputs of a product with the integers that they should be, given the
	 * inputs on the grid that are in these buffers.
	 */
	int (*product)(struct device *d, const struct exact_product *x, void *const *buf,
	               struct exact_found *found);

	/*
	 * A timing session of a job. begin() builds what the timer needs, such as a
	 * graph; end() frees it. sample() takes n samples of `batch` calls each, in ns. It
	 * also sets *wall_ns, the host's time from the start of the samples to the end of
	 * all device work. With load=sustained, sample() leaves work running so that the
	 * device never pauses; rest() ends that work, and later samples come in bursts.
	 */
	int (*begin)(struct device *d, struct job *j, enum timer t, int64_t batch);
	int (*sample)(struct device *d, struct job *j, int64_t *ns, size_t n, int64_t *wall_ns);
	int (*rest)(struct device *d);
	void (*end)(struct device *d);

	/* Leaves the device without work for so long. NULL: the host sleeps. */
	void (*idle)(struct device *d, int64_t ns);

	/* Starts or stops a profiler that runs this process. NULL: the device has none. */
	int (*profile)(struct device *d, bool on);

	/*
	 * Time stamps from inside kernels (kernels/trace.cuh); NULL: the device has none. From
	 * trace_begin() to trace_end() the marks of the item's variant have room for one call,
	 * which a call of its own found out; or *why says why there is none. trace_call() makes
	 * a call and copies its stamps into the arena, all but the case and the check.
	 */
	int (*trace_begin)(struct device *d, struct job *j, const char **why);
	int (*trace_call)(struct device *d, struct job *j, struct arena *a, struct run_trace *out,
	                  const char **why);
	int (*trace_end)(struct device *d);
};

extern const struct backend backend_cpu;
extern const struct backend backend_cuda __attribute__((weak)); /* NULL address without nvcc */
extern const struct backend backend_pretended;

/*
 * The backend of `where`; NULL if this build has none. For KERNEL_CUDA, the pretended one
 * if $RIDGEPOINT_PRETEND asks for it.
 */
const struct backend *backend_of(enum kernel_where where);

/* Time in ns by the backend's now(), or by clock_ns() if it has none. */
int64_t device_now(struct device *d);

/* Leaves the device, which has no work, idle for so long. */
void device_idle(struct device *d, int64_t ns);

#endif
