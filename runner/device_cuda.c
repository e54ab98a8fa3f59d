/*
 * A CUDA GPU as a device. The stopwatch is a pair of events on the stream; a
 * gate holds the stream until the host has enqueued a group of samples, so
 * that the host's own pace is never inside a sample.
 */
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/device.h"
#include "runner/device_kernels.h"
#include "runner/job.h"
#include "runner/nvml.h"

enum {
	GROUP = 32,  /* samples enqueued behind one gate, at most */
	QUEUE = 500, /* entries behind one gate: a stream's queue holds about 1000 */
	NODES = 100,
	TICK_PAIRS = 1000,
	HELP_BYTES = 4 << 20, /* indices, gathered values, zones, a counter */
};

struct cuda {
	cudaStream_t stream;
	cudaEvent_t from[GROUP], to[GROUP];
	unsigned *flag, *flag_device, ticket;
	char *help;
	cudaGraphExec_t graph; /* NULL: calls in the stream */
	int64_t batch;         /* calls, or graphs, a sample */
	int64_t entries;       /* of the stream's queue that a sample takes */
};

/* --- facts --- */

static int64_t attribute(enum cudaDeviceAttr what)
{
	int v;
	return cudaDeviceGetAttribute(&v, what, 0) == cudaSuccess ? v : RECORD_NONE;
}

static void read_nvml(struct facts *f)
{
	const char *why;
	struct nvml *n = nvml_open(f->pci, &why);
	if (n)
		nvml_facts(n, f);
	else
		facts_miss(f, "nvml", why);
	nvml_close(n);
}

static void read_device(struct facts *f, const struct cudaDeviceProp *p)
{
	size_t free_bytes = 0, total = 0;
	int version = 0;
	cudaMemGetInfo(&free_bytes, &total);
	snprintf(f->name, sizeof f->name, "%.95s", p->name);
	snprintf(f->capability, sizeof f->capability, "%d.%d", p->major, p->minor);
	machine_slug("", f->name, f->slug, sizeof f->slug);
	f->sms = attribute(cudaDevAttrMultiProcessorCount);
	f->cache_bytes = attribute(cudaDevAttrL2CacheSize);
	f->bus_bits = attribute(cudaDevAttrGlobalMemoryBusWidth);
	f->memory_bytes = (int64_t)total;
	f->free_bytes = (int64_t)free_bytes;
	f->cuda_driver = cudaDriverGetVersion(&version) == cudaSuccess ? version : RECORD_NONE;
	f->cuda_runtime = cudaRuntimeGetVersion(&version) == cudaSuccess ? version : RECORD_NONE;
	cudaDeviceGetPCIBusId(f->pci, sizeof f->pci, 0);
}

static void cuda_facts(struct facts *f)
{
	struct cudaDeviceProp p;
	int n = 0;
	*f = (struct facts){.sm_clock_max_mhz = RECORD_NONE,
	                    .memory_clock_max_mhz = RECORD_NONE,
	                    .power_limit_mw = RECORD_NONE,
	                    .ecc = RECORD_NONE};
	cudaError_t rc = cudaGetDeviceCount(&n);
	if (rc == cudaSuccess)
		rc = cudaGetDeviceProperties(&p, 0);
	if (rc == cudaSuccess && (rc = device_code_loads()) != cudaSuccess)
		snprintf(f->why, sizeof f->why, "%.80s %d.%d: %.80s", p.name, p.major, p.minor,
		         cudaGetErrorString(rc));
	else if (rc != cudaSuccess)
		snprintf(f->why, sizeof f->why, "%.190s", cudaGetErrorString(rc));
	if (rc != cudaSuccess)
		return;
	f->usable = true;
	read_device(f, &p);
	read_nvml(f);
}

/* --- opening --- */

static int make_events(struct cuda *c)
{
	int rc = 0;
	for (int i = 0; i < GROUP && !rc; i++) {
		rc = cudaEventCreate(&c->from[i]);
		if (!rc)
			rc = cudaEventCreate(&c->to[i]);
	}
	return rc;
}

static int open_all(struct device *d, struct cuda *c, size_t bytes)
{
	int rc = cudaSetDevice(0);
	if (!rc)
		rc = cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking);
	if (!rc)
		rc = make_events(c);
	if (!rc)
		rc = cudaHostAlloc((void **)&c->flag, 2 * sizeof *c->flag, cudaHostAllocMapped);
	if (!rc)
		rc = cudaHostGetDevicePointer((void **)&c->flag_device, c->flag, 0);
	if (!rc)
		rc = cudaMalloc((void **)&c->help, HELP_BYTES);
	if (!rc)
		rc = cudaMalloc((void **)&d->mem, bytes);
	return rc;
}

static bool cuda_open(struct device *d, const struct facts *f, size_t bytes, struct err *e)
{
	struct cuda *c = calloc(1, sizeof *c);
	if (!c)
		return err_set(e, "out of memory");
	*d = (struct device){.backend = &backend_cuda, .size = bytes, .own = c};
	int rc = open_all(d, c, bytes);
	if (rc)
		return err_set(e, "cannot open the GPU with %zu bytes: %s", bytes,
		               cudaGetErrorString(rc));
	c->flag[0] = c->flag[1] = 0;
	d->env = (struct kernel_env){
	        .stream = c->stream, .sms = (int)f->sms, .l2_bytes = (size_t)f->cache_bytes};
	return true;
}

/* --- memory --- */

static cudaStream_t stream_of(struct device *d)
{
	return ((struct cuda *)d->own)->stream;
}

static int cuda_fill(struct device *d, void *p, const struct kernel_buffer *b, uint64_t seed,
                     unsigned buffer)
{
	return device_fill(p, b, seed, buffer, stream_of(d));
}

static int cuda_set(struct device *d, void *p, int byte, size_t n)
{
	return cudaMemsetAsync(p, byte, n, stream_of(d));
}

static int cuda_copy(struct device *d, void *to, const void *from, size_t n)
{
	return cudaMemcpyAsync(to, from, n, cudaMemcpyDeviceToDevice, stream_of(d));
}

static int cuda_finish(struct device *d)
{
	(void)d;
	int rc = cudaDeviceSynchronize();
	return rc ? rc : (int)cudaGetLastError();
}

/* Host to help memory, and back. */
static int help_in(struct device *d, void *to, const void *from, size_t n)
{
	return cudaMemcpyAsync(to, from, n, cudaMemcpyHostToDevice, stream_of(d));
}

static int help_out(struct device *d, void *to, const void *from, size_t n)
{
	int rc = cudaMemcpyAsync(to, from, n, cudaMemcpyDeviceToHost, stream_of(d));
	return rc ? rc : (int)cudaStreamSynchronize(stream_of(d));
}

static int cuda_gather(struct device *d, const void *p, enum kernel_dtype t, const size_t *idx,
                       size_t n, double *out)
{
	struct cuda *c = d->own;
	const size_t step = HELP_BYTES / (sizeof *idx + sizeof *out);
	size_t *index = (size_t *)(void *)c->help;
	double *value = (double *)(void *)(index + step);
	int rc = 0;
	for (size_t i = 0; i < n && !rc; i += step) {
		size_t m = n - i < step ? n - i : step;
		rc = help_in(d, index, idx + i, m * sizeof *idx);
		if (!rc)
			rc = device_gather(p, t, index, m, value, c->stream);
		if (!rc)
			rc = help_out(d, out + i, value, m * sizeof *out);
	}
	return rc;
}

static int cuda_unwritten(struct device *d, const void *p, const struct kernel_buffer *b, size_t *n)
{
	struct cuda *c = d->own;
	unsigned long long *sum = (unsigned long long *)(void *)c->help;
	unsigned long long got = 0;
	int rc = cudaMemsetAsync(sum, 0, sizeof *sum, c->stream);
	if (!rc)
		rc = device_unwritten(p, b, sum, c->stream);
	if (!rc)
		rc = help_out(d, &got, sum, sizeof got);
	*n = got;
	return rc;
}

static int cuda_disturbed(struct device *d, const struct zone *guard, size_t n, size_t *bytes)
{
	struct cuda *c = d->own;
	unsigned long long *sum = (unsigned long long *)(void *)c->help;
	struct zone *zones = (struct zone *)(void *)(c->help + ALIGN_BYTES);
	unsigned long long got = 0;
	if (n * sizeof *guard > HELP_BYTES - ALIGN_BYTES)
		return cudaErrorInvalidValue;
	int rc = cudaMemsetAsync(sum, 0, sizeof *sum, c->stream);
	if (!rc)
		rc = help_in(d, zones, guard, n * sizeof *guard);
	if (!rc)
		rc = device_disturbed(zones, n, sum, c->stream);
	if (!rc)
		rc = help_out(d, &got, sum, sizeof got);
	*bytes = got;
	return rc;
}

static int cuda_changed(struct device *d, const void *p, const struct kernel_buffer *b,
                        uint64_t seed, unsigned buffer, size_t *n)
{
	struct cuda *c = d->own;
	unsigned long long *sum = (unsigned long long *)(void *)c->help;
	unsigned long long got = 0;
	int rc = cudaMemsetAsync(sum, 0, sizeof *sum, c->stream);
	if (!rc)
		rc = device_changed(p, b, seed, buffer, sum, c->stream);
	if (!rc)
		rc = help_out(d, &got, sum, sizeof got);
	*n = got;
	return rc;
}

/* --- the stopwatch --- */

static int capture(struct cuda *c, int (*call)(void *), void *arg, int64_t n)
{
	cudaGraph_t graph = NULL;
	int rc = cudaStreamBeginCapture(c->stream, cudaStreamCaptureModeThreadLocal), end;
	if (rc)
		return rc;
	for (int64_t i = 0; i < n && !rc; i++)
		rc = call(arg);
	end = cudaStreamEndCapture(c->stream, &graph);
	rc = rc ? rc : end;
	if (!rc)
		rc = cudaGraphInstantiate(&c->graph, graph, 0);
	if (!rc)
		rc = cudaGraphUpload(c->graph, c->stream);
	if (graph)
		cudaGraphDestroy(graph);
	return rc;
}

static int call_job(void *job)
{
	return job_call(job);
}

static int call_empty(void *stream)
{
	return device_empty(stream);
}

static int call_nothing(void *ignored)
{
	(void)ignored;
	return 0;
}

static int cuda_begin(struct device *d, struct job *j, enum timer t, int64_t batch)
{
	struct cuda *c = d->own;
	int rc = cudaCtxResetPersistingL2Cache();
	c->batch = t == TIMER_GRAPH ? 1 : batch;
	c->entries = c->batch * (t == TIMER_GRAPH ? 1 : item_entries(j->it));
	if (!rc && t == TIMER_GRAPH)
		rc = capture(c, call_job, j, batch);
	return rc ? rc : cuda_finish(d);
}

/* n ≤ GROUP samples of `batch` calls, or of the captured graph. */
static int sample_group(struct device *d, int (*call)(void *), void *arg, int64_t *ns, size_t n,
                        int64_t *wall_ns)
{
	struct cuda *c = d->own;
	unsigned expired = c->flag[1];
	int rc = device_gate(c->flag_device, ++c->ticket, c->stream);
	for (size_t i = 0; i < n && !rc; i++) {
		rc = cudaEventRecord(c->from[i], c->stream);
		for (int64_t k = 0; k < c->batch && !rc; k++)
			rc = c->graph ? (int)cudaGraphLaunch(c->graph, c->stream) : call(arg);
		if (!rc)
			rc = cudaEventRecord(c->to[i], c->stream);
	}
	int64_t start = clock_ns();
	__atomic_store_n(c->flag, c->ticket, __ATOMIC_RELEASE);
	int end = cuda_finish(d);
	*wall_ns += clock_ns() - start;
	rc = rc ? rc : end;
	if (!rc && __atomic_load_n(&c->flag[1], __ATOMIC_ACQUIRE) != expired)
		d->gates_expired += (int64_t)n;
	for (size_t i = 0; i < n && !rc; i++) {
		float ms = 0;
		rc = cudaEventElapsedTime(&ms, c->from[i], c->to[i]);
		ns[i] = (int64_t)((double)ms * 1e6 + 0.5);
	}
	return rc;
}

static int sample_any(struct device *d, int (*call)(void *), void *arg, int64_t *ns, size_t n,
                      int64_t *wall_ns)
{
	struct cuda *c = d->own;
	size_t most = QUEUE / (size_t)(c->entries + 2), step = most < GROUP ? most : GROUP;
	step = step < 1 ? 1 : step;
	int rc = 0;
	*wall_ns = 0;
	for (size_t i = 0; i < n && !rc; i += step)
		rc = sample_group(d, call, arg, ns + i, n - i < step ? n - i : step, wall_ns);
	return rc;
}

static int cuda_sample(struct device *d, struct job *j, int64_t *ns, size_t n, int64_t *wall_ns)
{
	return sample_any(d, call_job, j, ns, n, wall_ns);
}

static void cuda_end(struct device *d)
{
	struct cuda *c = d->own;
	if (c->graph)
		cudaGraphExecDestroy(c->graph);
	c->graph = NULL;
}

static int cuda_profile(struct device *d, bool on)
{
	int rc = cuda_finish(d);
	if (!rc)
		rc = on ? cudaProfilerStart() : cudaProfilerStop();
	return rc;
}

/* --- calibration --- */

static int ns_order(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* The smallest step between different readings of the same thing. */
static int find_tick(struct device *d, double *tick_ns)
{
	int64_t ns[TICK_PAIRS], wall;
	int rc = sample_any(d, call_nothing, NULL, ns, TICK_PAIRS, &wall);
	qsort(ns, TICK_PAIRS, sizeof *ns, ns_order);
	*tick_ns = 1e6;
	for (size_t i = 1; i < TICK_PAIRS; i++)
		if (ns[i] > ns[i - 1] && (double)(ns[i] - ns[i - 1]) < *tick_ns)
			*tick_ns = (double)(ns[i] - ns[i - 1]);
	return rc;
}

static int find_graph_node(struct device *d, struct calibration *k)
{
	struct cuda *c = d->own;
	int64_t wall;
	int rc = capture(c, call_empty, c->stream, NODES);
	if (!rc)
		rc = sample_any(d, call_nothing, NULL, k->graph_node_ns, CALIBRATION_SAMPLES,
		                &wall);
	cuda_end(d);
	for (size_t i = 0; i < CALIBRATION_SAMPLES; i++)
		k->graph_node_ns[i] /= NODES;
	return rc;
}

static int call_flush(void *arg)
{
	struct device *d = arg;
	return cuda_set(d, d->mem, 0, d->env.l2_bytes * 2);
}

static bool cuda_calibrate(struct device *d, struct calibration *k, struct err *e)
{
	struct cuda *c = d->own;
	int64_t wall, warm[CALIBRATION_SAMPLES];
	*k = (struct calibration){.nempty_pair = CALIBRATION_SAMPLES,
	                          .nempty_kernel = CALIBRATION_SAMPLES,
	                          .ngraph_node = CALIBRATION_SAMPLES,
	                          .nflush = CALIBRATION_SAMPLES};
	int rc = 0;
	c->batch = c->entries = 1;
	for (int64_t start = clock_ns(); !rc && clock_ns() - start < 50000000;) /* 50 ms */
		rc = sample_any(d, call_flush, d, warm, CALIBRATION_SAMPLES, &wall);
	if (!rc)
		rc = find_tick(d, &k->tick_ns);
	if (!rc)
		rc = sample_any(d, call_nothing, NULL, k->empty_pair_ns, k->nempty_pair, &wall);
	if (!rc)
		rc = sample_any(d, call_empty, c->stream, k->empty_kernel_ns, k->nempty_kernel,
		                &wall);
	if (!rc)
		rc = find_graph_node(d, k);
	if (!rc)
		rc = sample_any(d, call_flush, d, k->flush_ns, k->nflush, &wall);
	return !rc || err_set(e, "cannot calibrate: %s", cudaGetErrorString(rc));
}

const struct backend backend_cuda = {
        .name = "cuda",
        .where = KERNEL_CUDA,
        .facts = cuda_facts,
        .open = cuda_open,
        .calibrate = cuda_calibrate,
        .fill = cuda_fill,
        .set = cuda_set,
        .copy = cuda_copy,
        .finish = cuda_finish,
        .gather = cuda_gather,
        .unwritten = cuda_unwritten,
        .disturbed = cuda_disturbed,
        .changed = cuda_changed,
        .begin = cuda_begin,
        .sample = cuda_sample,
        .end = cuda_end,
        .profile = cuda_profile,
};
