/*
 * runner/device.h - what the runner asks of a device, as a table of
 * functions: one table for the CPU (device_cpu.c), one for CUDA
 * (device_cuda.c, absent from a build without nvcc), and one for a GPU that is
 * not there (device_pretended.c): $RIDGEPOINT_PRETEND, runner/pretend.h.
 *
 * Functions that return int give 0 or the device's error code (a
 * cudaError_t); after an error the process only reports and ends.
 */
#ifndef RUNNER_DEVICE_H
#define RUNNER_DEVICE_H

#include "kernels/kernel.h"
#include "lib/err.h"
#include "runner/machine.h"
#include "runner/plan.h"

enum {
	/*
	 * Guards lie on both sides of every buffer. Those of inputs are NaN in every
	 * element type, so that what is read there shows in the result; those of
	 * the output and of scratch are huge numbers, so that a copy that runs over
	 * the end of both its operands does not leave the same bytes behind.
	 */
	GUARD_BYTES = 1024,
	GUARD_BYTE = 0x7f,
	GUARD_IN_BYTE = 0xff,
	ALIGN_BYTES = 256,
	CALIBRATION_SAMPLES = 50,
};

struct job;

/* A stretch of device memory that must hold the same byte throughout. */
struct zone {
	char *p;
	size_t n;
	int byte;
};

/* An open device: one in a process, in a child only. */
struct device {
	const struct backend *backend;
	struct kernel_env env;
	char *mem; /* one allocation; jobs are placed in it, one after the other */
	size_t size;
	void *own;             /* the backend's */
	int64_t gates_expired; /* samples that began before all their work was enqueued */
	/* cycles of a multiprocessor while samples ran, and the time of that by the GPU */
	int64_t cycles, cycles_ns;
	uint64_t seed;   /* set before it is opened: of what a pretended device makes up */
	int64_t late_ns; /* how much longer than its samples the device was busy in rest() */
};

/* Raw readings of the stopwatch itself. */
struct calibration {
	double tick_ns;
	int64_t empty_pair_ns[CALIBRATION_SAMPLES], empty_kernel_ns[CALIBRATION_SAMPLES];
	int64_t graph_node_ns[CALIBRATION_SAMPLES], flush_ns[CALIBRATION_SAMPLES];
	size_t nempty_pair, nempty_kernel, ngraph_node, nflush;
};

struct backend {
	const char *name; /* "cuda", "cpu" */
	enum kernel_where where;

	/* Reads the facts, in a child process. */
	void (*facts)(struct facts *f);
	/* Opens the device and allocates `bytes`. */
	bool (*open)(struct device *d, const struct facts *f, size_t bytes, struct err *e);
	bool (*calibrate)(struct device *d, struct calibration *c, struct err *e);

	/* Enqueue: input elements, a byte pattern, a copy. */
	int (*fill)(struct device *d, void *p, const struct kernel_buffer *b, uint64_t seed,
	            unsigned buffer);
	int (*set)(struct device *d, void *p, int byte, size_t n);
	/* The zones' own bytes into them. */
	int (*mark)(struct device *d, const struct zone *guard, size_t n);

	int (*copy)(struct device *d, void *to, const void *from, size_t n);

	/* Waits for everything on the device, whatever stream it is on. */
	int (*finish)(struct device *d);

	/*
	 * Makes a call on a set in the variant's place, none of whose functions is
	 * called then that prepares, launches or releases; returns a device error or 0.
	 * NULL: the variant itself makes its calls.
	 */
	int (*call)(struct device *d, struct job *j, size_t set);
	/* The clock that calls without a stopwatch are timed by, ns; NULL: clock_ns(). */
	int64_t (*now)(struct device *d);

	/* These wait for their result. */
	int (*gather)(struct device *d, const void *p, enum kernel_dtype t, const size_t *idx,
	              size_t n, double *out);
	/* Counts elements that are nothing but their type's poison. */
	int (*unwritten)(struct device *d, const void *p, const struct kernel_buffer *b, size_t *n);
	int (*disturbed)(struct device *d, const struct zone *guard, size_t n, size_t *bytes);
	/* Counts elements that are no longer what fill() put there. */
	int (*changed)(struct device *d, const void *p, const struct kernel_buffer *b,
	               uint64_t seed, unsigned buffer, size_t *n);

	/*
	 * A timing session of a job. begin() builds what the timer needs;
	 * sample() takes n samples of `batch` calls, in ns, and *wall_ns, the
	 * host's time for all of them from their start to the end of all
	 * device work; end() frees. With load=sustained sample() leaves work under
	 * way, so that there is no pause: rest() ends that, and what sample() takes
	 * from then on it takes as if it were in bursts.
	 */
	int (*begin)(struct device *d, struct job *j, enum timer t, int64_t batch);
	int (*sample)(struct device *d, struct job *j, int64_t *ns, size_t n, int64_t *wall_ns);
	int (*rest)(struct device *d);
	void (*end)(struct device *d);

	/* Tells a profiler around this process where to look; NULL: there is none. */
	int (*profile)(struct device *d, bool on);
};

extern const struct backend backend_cpu;
extern const struct backend backend_cuda __attribute__((weak)); /* NULL address without nvcc */
extern const struct backend backend_pretended;

/*
 * The backend of `where`, or NULL if it was not built; of KERNEL_CUDA the pretended
 * one if that is asked for.
 */
const struct backend *backend_of(enum kernel_where where);

/* Can the backend of this variant call it: is it linked, or its device pretended? */
bool backend_calls(const struct kernel_variant *v);

/* Time by the clock that the device's calls are timed by without a stopwatch, ns. */
int64_t device_now(struct device *d);

/* Monotonic host time in ns. */
int64_t clock_ns(void);

#endif
