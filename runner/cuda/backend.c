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

#include "kernels/made.h"
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
	struct nvml *n = nvml_open(f, 1, &why);
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

/* --- several GPUs --- */

/* Notes how a GPU differs from the first one. */
static void compare_kinds(struct facts *f, int gpu, const struct cudaDeviceProp *p)
{
	char capability[8];
	int sms = 0;
	snprintf(capability, sizeof capability, "%d.%d", p->major, p->minor);
	cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, gpu);
	bool same = strcmp(f->name, p->name) == 0 && strcmp(f->capability, capability) == 0 &&
	            sms == f->sms && (int64_t)p->l2CacheSize == f->cache_bytes;
	if (!same && !f->unequal[0])
		snprintf(f->unequal, sizeof f->unequal,
		         "GPU %d is %.60s with %d multiprocessors, GPU 0 is %.60s with %lld", gpu,
		         p->name, sms, f->name, (long long)f->sms);
}

static int read_card(struct facts *f, int gpu)
{
	struct cudaDeviceProp p;
	struct facts_gpu *one = &f->gpu[gpu];
	size_t free_bytes = 0, total = 0;
	int rc = cudaSetDevice(gpu);
	if (!rc)
		rc = cudaGetDeviceProperties(&p, gpu);
	if (!rc)
		rc = cudaMemGetInfo(&free_bytes, &total);
	if (!rc)
		rc = cudaDeviceGetPCIBusId(one->pci, sizeof one->pci, gpu);
	one->free_bytes = (int64_t)free_bytes;
	one->nvlink_lanes = RECORD_NONE;
	if (!rc)
		compare_kinds(f, gpu, &p);
	return rc;
}

/* What GPU `from` may do with the memory of GPU `to`, as the driver says. */
static struct facts_link read_link(int from, int to)
{
	int access = 0, atomics = 0;
	cudaDeviceCanAccessPeer(&access, from, to);
	cudaDeviceGetP2PAttribute(&atomics, cudaDevP2PAttrNativeAtomicSupported, from, to);
	return (struct facts_link){access, access, atomics, RECORD_NONE};
}

/* The facts of as many as `gpus` GPUs. One that cannot be read counts as absent. */
static void read_several(struct facts *f, int gpus, int present)
{
	const char *why;
	gpus = gpus < present ? gpus : present;
	f->gpus = 0;
	while (f->gpus < gpus && read_card(f, f->gpus) == cudaSuccess)
		f->gpus++;
	cudaSetDevice(0);
	for (int g = 0; g < f->gpus; g++)
		for (int to = 0; to < f->gpus; to++)
			if (to != g)
				f->link[g][to] = read_link(g, to);
	cudaGetLastError(); /* what was asked in vain is no error of what follows */
	struct nvml *n = nvml_open(f, f->gpus, &why);
	if (n)
		nvml_links(n, f);
	nvml_close(n);
}

static void cuda_facts(struct facts *f, int gpus)
{
	struct cudaDeviceProp p;
	int n = 0;
	*f = (struct facts){.sm_clock_max_mhz = RECORD_NONE,
	                    .memory_clock_max_mhz = RECORD_NONE,
	                    .power_limit_mw = RECORD_NONE,
	                    .ecc = RECORD_NONE,
	                    .gpus = 1};
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
	if (gpus > 1)
		read_several(f, gpus, n);
}

/* --- opening --- */

int cuda_select(const struct cuda *c, int gpu)
{
	return c->open > 1 ? (int)cudaSetDevice(gpu) : 0;
}

static int open_gpu(struct device *d, struct cuda *c, int gpu, size_t bytes)
{
	int rc = cudaSetDevice(gpu);
	for (int other = 0; other < c->open && !rc; other++)
		if (other != gpu)
			rc = cudaDeviceEnablePeerAccess(other, 0);
	if (!rc)
		rc = cudaStreamCreateWithFlags(&c->gpu[gpu].stream, cudaStreamNonBlocking);
	if (!rc)
		rc = cudaMalloc((void **)&c->gpu[gpu].help, HELP_BYTES);
	if (!rc)
		rc = cudaMalloc((void **)&d->mem[gpu], bytes);
	d->stream[gpu] = c->gpu[gpu].stream;
	return rc;
}

static int open_all(struct device *d, struct cuda *c, size_t bytes)
{
	const unsigned shared = cudaHostAllocMapped | cudaHostAllocPortable;
	int rc = 0;
	for (int g = 0; g < c->open && !rc; g++)
		rc = open_gpu(d, c, g, bytes);
	if (!rc)
		rc = cudaSetDevice(0);
	if (!rc)
		rc = stopwatch_open(c);
	if (!rc)
		rc = cudaHostAlloc((void **)&c->flag, 2 * sizeof *c->flag, shared);
	if (!rc)
		rc = cudaHostGetDevicePointer((void **)&c->flag_device, c->flag, 0);
	if (!rc)
		rc = cudaHostAlloc((void **)&c->stage, HELP_BYTES, cudaHostAllocPortable);
	return rc;
}

static bool cuda_open(struct device *d, const struct facts *f, size_t bytes, struct err *e)
{
	struct cuda *c = calloc(1, sizeof *c);
	if (!c)
		return err_set(e, "out of memory");
	c->open = d->gpus > 1 ? d->gpus : 1;
	c->gpus = 1;
	c->bytes = bytes;
	*d = (struct device){.backend = &backend_cuda, .gpus = c->open, .size = bytes, .own = c};
	int rc = open_all(d, c, bytes);
	if (rc)
		return err_set(e, "cannot open the GPU with %zu bytes: %s", bytes,
		               cudaGetErrorString(rc));
	c->flag[0] = c->flag[1] = 0;
	d->env = (struct kernel_env){.stream = c->gpu[0].stream,
	                             .sms = (int)f->sms,
	                             .l2_bytes = (size_t)f->cache_bytes,
	                             .gpus = 1,
	                             .streams = d->stream};
	return true;
}

/* --- memory --- */

/* The GPU in whose memory p lies; makes its device the current one. */
static struct cuda_gpu *gpu_of(struct device *d, const void *p)
{
	struct cuda *c = d->own;
	int g = c->open - 1;
	while (g > 0 && !((const char *)p >= d->mem[g] && (const char *)p < d->mem[g] + c->bytes))
		g--;
	cuda_select(c, g);
	return &c->gpu[g];
}

static int cuda_fill(struct device *d, void *p, const struct kernel_buffer *b, uint64_t seed,
                     unsigned buffer)
{
	const int32_t *made = kernel_made_is(b);
	if (made)
		return cudaMemcpyAsync(p, made, b->count * sizeof *made, cudaMemcpyHostToDevice,
		                       gpu_of(d, p)->stream);
	return device_fill(p, b, seed, buffer, gpu_of(d, p)->stream);
}

static int cuda_set(struct device *d, void *p, int byte, size_t n)
{
	return cudaMemsetAsync(p, byte, n, gpu_of(d, p)->stream);
}

static int cuda_copy(struct device *d, void *to, const void *from, size_t n)
{
	return cudaMemcpyAsync(to, from, n, cudaMemcpyDeviceToDevice, gpu_of(d, to)->stream);
}

static int cuda_finish(struct device *d)
{
	struct cuda *c = d->own;
	int rc = 0;
	for (int g = c->open - 1; g >= 0; g--) { /* down to 0, which stays the current one */
		int selected = cuda_select(c, g), end = cudaDeviceSynchronize();
		rc = rc ? rc : selected ? selected : end;
	}
	return rc ? rc : (int)cudaGetLastError();
}

/* Copies from the host to help memory, and back. */
static int help_in(const struct cuda_gpu *g, void *to, const void *from, size_t n)
{
	return cudaMemcpyAsync(to, from, n, cudaMemcpyHostToDevice, g->stream);
}

static int help_out(const struct cuda_gpu *g, void *to, const void *from, size_t n)
{
	int rc = cudaMemcpyAsync(to, from, n, cudaMemcpyDeviceToHost, g->stream);
	return rc ? rc : (int)cudaStreamSynchronize(g->stream);
}

static int cuda_gather(struct device *d, const void *p, enum kernel_dtype t, const size_t *idx,
                       size_t n, double *out)
{
	struct cuda *c = d->own;
	const struct cuda_gpu *g = gpu_of(d, p);
	const size_t step = HELP_BYTES / (sizeof *idx + sizeof *out);
	size_t *index = (size_t *)(void *)g->help;
	double *value = (double *)(void *)(index + step);
	int rc = 0;
	/* through pinned memory, which copies much faster than pageable memory */
	for (size_t i = 0; i < n && !rc; i += step) {
		size_t m = n - i < step ? n - i : step;
		memcpy(c->stage, idx + i, m * sizeof *idx);
		rc = help_in(g, index, c->stage, m * sizeof *idx);
		if (!rc)
			rc = device_gather(p, t, index, m, value, g->stream);
		if (!rc)
			rc = help_out(g, c->stage, value, m * sizeof *out);
		memcpy(out + i, c->stage, m * sizeof *out);
	}
	return rc;
}

/* Starts a sum in the help memory of a GPU, and reads it once what adds to it is enqueued. */
static int sum_begin(const struct cuda_gpu *g, unsigned long long **sum)
{
	*sum = (unsigned long long *)(void *)g->help;
	return cudaMemsetAsync(*sum, 0, sizeof **sum, g->stream);
}

static int sum_end(const struct cuda_gpu *g, int rc, const unsigned long long *sum, size_t *n)
{
	unsigned long long got = 0;
	if (!rc)
		rc = help_out(g, &got, sum, sizeof got);
	*n = got;
	return rc;
}

static int cuda_unwritten(struct device *d, const void *p, const struct kernel_buffer *b, size_t *n)
{
	const struct cuda_gpu *g = gpu_of(d, p);
	unsigned long long *sum;
	int rc = sum_begin(g, &sum);
	if (!rc)
		rc = device_unwritten(p, b, sum, g->stream);
	return sum_end(g, rc, sum, n);
}

/* The next zones of one GPU: at guard[*from], *n of them, copied to its help memory. */
static int zones_next(struct device *d, const struct zone *guard, size_t all, size_t *from,
                      size_t *n, struct zone **zones)
{
	const struct cuda_gpu *g = gpu_of(d, guard[ *from += *n].p);
	for (*n = 1; *from + *n < all && gpu_of(d, guard[*from + *n].p) == g; ++*n)
		;
	gpu_of(d, guard[*from].p);
	*zones = (struct zone *)(void *)(g->help + ALIGN_BYTES);
	if (*n * sizeof *guard > HELP_BYTES - ALIGN_BYTES)
		return cudaErrorInvalidValue;
	return help_in(g, *zones, guard + *from, *n * sizeof *guard);
}

static int cuda_mark(struct device *d, const struct zone *guard, size_t n)
{
	struct zone *zones;
	size_t from = 0, k = 0;
	int rc = 0;
	while (!rc && from + k < n) {
		rc = zones_next(d, guard, n, &from, &k, &zones);
		if (!rc)
			rc = device_mark(zones, k, gpu_of(d, guard[from].p)->stream);
	}
	return rc;
}

static int cuda_disturbed(struct device *d, const struct zone *guard, size_t n, size_t *bytes)
{
	struct zone *zones;
	size_t from = 0, k = 0, got;
	int rc = 0;
	*bytes = 0;
	while (!rc && from + k < n) {
		unsigned long long *sum;
		const struct cuda_gpu *g = gpu_of(d, guard[from + k].p);
		rc = sum_begin(g, &sum);
		if (!rc)
			rc = zones_next(d, guard, n, &from, &k, &zones);
		if (!rc)
			rc = device_disturbed(zones, k, sum, g->stream);
		rc = sum_end(g, rc, sum, &got);
		*bytes += got;
	}
	return rc;
}

/* Elements that are not those that the case gives. */
static int changed_from(const struct cuda_gpu *g, const void *p, const int32_t *made, size_t count,
                        size_t *n)
{
	int32_t *got = malloc(count * sizeof *got);
	int rc = got ? 0 : (int)cudaErrorMemoryAllocation;
	if (!rc)
		rc = cudaMemcpyAsync(got, p, count * sizeof *got, cudaMemcpyDeviceToHost,
		                     g->stream);
	if (!rc)
		rc = cudaStreamSynchronize(g->stream);
	for (size_t i = 0; i < count && !rc; i++)
		*n += got[i] != made[i];
	free(got);
	return rc;
}

static int cuda_changed(struct device *d, const void *p, const struct kernel_buffer *b,
                        uint64_t seed, unsigned buffer, size_t *n)
{
	const struct cuda_gpu *g = gpu_of(d, p);
	unsigned long long *sum;
	*n = 0;
	if (kernel_made_is(b))
		return changed_from(g, p, kernel_made_is(b), b->count, n);
	int rc = sum_begin(g, &sum);
	if (!rc)
		rc = device_changed(p, b, seed, buffer, sum, g->stream);
	return sum_end(g, rc, sum, n);
}

static int cuda_digest(struct device *d, const void *p, const struct kernel_buffer *b,
                       uint64_t *sum)
{
	const struct cuda_gpu *g = gpu_of(d, p);
	unsigned long long *there;
	size_t got = 0;
	int rc = sum_begin(g, &there);
	if (!rc)
		rc = device_digest(p, b, there, g->stream);
	rc = sum_end(g, rc, there, &got);
	*sum += got;
	return rc;
}

static int cuda_product(struct device *d, const struct exact_product *x, void *const *buf,
                        struct exact_found *found)
{
	const struct cuda_gpu *g = gpu_of(d, buf[x->p.out.buffer]);
	struct exact_found *there = (struct exact_found *)(void *)g->help;
	struct exact_product on_device = *x;
	*found = (struct exact_found){0, ~0ull};
	/* the device has them in buffers, which nobody may change either */
	on_device.g.begin = x->grouped ? buf[x->g.begin_buffer] : NULL;
	on_device.g.row = x->grouped && x->g.row ? buf[x->g.row_buffer] : NULL;
	int rc = help_in(g, there, found, sizeof *found);
	if (!rc)
		rc = device_product(&on_device, buf[x->p.a.buffer], buf[x->p.b.buffer],
		                    buf[x->p.out.buffer], there, g->stream);
	return rc ? rc : help_out(g, found, there, sizeof *found);
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
        .digest = cuda_digest,
        .product = cuda_product,
        .captures = stopwatch_captures,
        .hold = stopwatch_hold,
        .begin = stopwatch_begin,
        .sample = stopwatch_sample,
        .rest = stopwatch_rest,
        .end = stopwatch_end,
        .profile = cuda_profile,
        .trace_begin = tracing_begin,
        .trace_call = tracing_call,
        .trace_end = tracing_end,
};
