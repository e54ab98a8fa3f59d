/*
 * A CUDA GPU as a device: its facts, its memory, and scans of buffers. stopwatch.c has
 * the stopwatch.
 */
#include "runner/cuda/backend.h"

#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/slug.h"
#include "runner/device/job.h"
#include "runner/machine/nvml.h"

enum { HELP_BYTES = 4 << 20 }; /* for indices, gathered values, zones, a counter */

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
	slug_device("", f->name, f->slug, sizeof f->slug);
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

static int open_all(struct device *d, struct cuda *c, size_t bytes)
{
	int rc = cudaSetDevice(0);
	if (!rc)
		rc = cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking);
	if (!rc)
		rc = stopwatch_open(c);
	if (!rc)
		rc = cudaHostAlloc((void **)&c->flag, 2 * sizeof *c->flag, cudaHostAllocMapped);
	if (!rc)
		rc = cudaHostGetDevicePointer((void **)&c->flag_device, c->flag, 0);
	if (!rc)
		rc = cudaMalloc((void **)&c->help, HELP_BYTES);
	if (!rc)
		rc = cudaHostAlloc((void **)&c->stage, HELP_BYTES, cudaHostAllocDefault);
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

/* Copies from the host to help memory, and back. */
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
	/* through pinned memory, which copies much faster than pageable memory */
	for (size_t i = 0; i < n && !rc; i += step) {
		size_t m = n - i < step ? n - i : step;
		memcpy(c->stage, idx + i, m * sizeof *idx);
		rc = help_in(d, index, c->stage, m * sizeof *idx);
		if (!rc)
			rc = device_gather(p, t, index, m, value, c->stream);
		if (!rc)
			rc = help_out(d, c->stage, value, m * sizeof *out);
		memcpy(out + i, c->stage, m * sizeof *out);
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

/* Copies the zones to help memory. */
static int zones_in(struct device *d, const struct zone *guard, size_t n, struct zone **zones)
{
	*zones = (struct zone *)(void *)(((struct cuda *)d->own)->help + ALIGN_BYTES);
	if (n * sizeof *guard > HELP_BYTES - ALIGN_BYTES)
		return cudaErrorInvalidValue;
	return help_in(d, *zones, guard, n * sizeof *guard);
}

static int cuda_mark(struct device *d, const struct zone *guard, size_t n)
{
	struct zone *zones;
	int rc = zones_in(d, guard, n, &zones);
	return rc ? rc : device_mark(zones, n, stream_of(d));
}

static int cuda_disturbed(struct device *d, const struct zone *guard, size_t n, size_t *bytes)
{
	struct cuda *c = d->own;
	unsigned long long *sum = (unsigned long long *)(void *)c->help;
	struct zone *zones;
	unsigned long long got = 0;
	int rc = cudaMemsetAsync(sum, 0, sizeof *sum, c->stream);
	if (!rc)
		rc = zones_in(d, guard, n, &zones);
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

static int cuda_profile(struct device *d, bool on)
{
	int rc = cuda_finish(d);
	if (!rc)
		rc = on ? cudaProfilerStart() : cudaProfilerStop();
	return rc;
}

const struct backend backend_cuda = {
        .name = "cuda",
        .where = KERNEL_CUDA,
        .facts = cuda_facts,
        .open = cuda_open,
        .calibrate = stopwatch_calibrate,
        .fill = cuda_fill,
        .set = cuda_set,
        .mark = cuda_mark,
        .copy = cuda_copy,
        .finish = cuda_finish,
        .gather = cuda_gather,
        .unwritten = cuda_unwritten,
        .disturbed = cuda_disturbed,
        .changed = cuda_changed,
        .begin = stopwatch_begin,
        .sample = stopwatch_sample,
        .rest = stopwatch_rest,
        .end = stopwatch_end,
        .profile = cuda_profile,
};
