#include <cuda_runtime.h>

#include "runner/device_kernels.h"
#include "runner/element.h"

struct zone { /* as in runner/device.h */
	char *p;
	size_t n;
	int byte;
};

static const unsigned THREADS = 256, MAX_BLOCKS = 4096;

static const unsigned long long GATE_NS = 2000000000ull;

static unsigned blocks_for(size_t n)
{
	size_t b = (n + THREADS - 1) / THREADS;
	return b < 1 ? 1 : b > MAX_BLOCKS ? MAX_BLOCKS : (unsigned)b;
}

static __device__ size_t first()
{
	return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ size_t stride()
{
	return (size_t)gridDim.x * blockDim.x;
}

static __global__ void fill(void *p, size_t bytes, struct kernel_buffer b, uint64_t seed,
                            unsigned buffer)
{
	for (size_t i = first(); i < b.count; i += stride())
		element_put(bytes, p, i, element_input(&b, seed, buffer, i));
}

static __global__ void gather(const void *p, enum kernel_dtype t, const size_t *idx, size_t n,
                              double *out)
{
	for (size_t i = first(); i < n; i += stride())
		out[i] = element_get(t, p, idx[i]);
}

static __global__ void unwritten(const void *p, size_t bytes, size_t n, uint32_t poison,
                                 unsigned long long *count)
{
	unsigned long long mine = 0;
	for (size_t i = first(); i < n; i += stride())
		mine += element_bits(bytes, p, i) == poison;
	if (mine)
		atomicAdd(count, mine);
}

/* One block a zone. */
static __global__ void disturbed(const struct zone *zone, unsigned long long *count)
{
	struct zone z = zone[blockIdx.x];
	unsigned long long mine = 0;
	for (size_t i = threadIdx.x; i < z.n; i += blockDim.x)
		mine += (unsigned char)z.p[i] != z.byte;
	if (mine)
		atomicAdd(count, mine);
}

static __global__ void changed(const void *p, size_t bytes, struct kernel_buffer b, uint64_t seed,
                               unsigned buffer, unsigned long long *count)
{
	unsigned long long mine = 0;
	for (size_t i = first(); i < b.count; i += stride())
		mine += element_bits(bytes, p, i) != element_input(&b, seed, buffer, i);
	if (mine)
		atomicAdd(count, mine);
}

static __global__ void gate(volatile unsigned *flag, unsigned ticket)
{
	unsigned long long start, now;
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
	do {
		asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
	} while ((int)(flag[0] - ticket) < 0 && now - start < GATE_NS);
	if ((int)(flag[0] - ticket) < 0) {
		flag[1]++; /* one thread, and the host reads it when the stream is done */
		__threadfence_system();
	}
}

static __global__ void clocks(struct clock_reading *out)
{
	struct clock_reading r = {};
	asm volatile("mov.u32 %0, %%smid;" : "=r"(r.sm));
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(r.ns));
	asm volatile("mov.u64 %0, %%clock64;" : "=l"(r.cycles));
	out[blockIdx.x] = r;
}

static __global__ void empty()
{
}

extern "C" int device_code_loads(void)
{
	cudaFuncAttributes a;
	return cudaFuncGetAttributes(&a, (const void *)empty);
}

extern "C" int device_fill(void *p, const struct kernel_buffer *b, uint64_t seed, unsigned buffer,
                           void *stream)
{
	fill<<<blocks_for(b->count), THREADS, 0, (cudaStream_t)stream>>>(
	        p, kernel_dtype_bytes(b->dtype), *b, seed, buffer);
	return cudaGetLastError();
}

extern "C" int device_gather(const void *p, enum kernel_dtype t, const size_t *idx, size_t n,
                             double *out, void *stream)
{
	gather<<<blocks_for(n), THREADS, 0, (cudaStream_t)stream>>>(p, t, idx, n, out);
	return cudaGetLastError();
}

extern "C" int device_unwritten(const void *p, const struct kernel_buffer *b,
                                unsigned long long *count, void *stream)
{
	const size_t bytes = kernel_dtype_bytes(b->dtype);
	unwritten<<<blocks_for(b->count), THREADS, 0, (cudaStream_t)stream>>>(
	        p, bytes, b->count, element_of_bytes(bytes, kernel_dtype_poison(b->dtype)), count);
	return cudaGetLastError();
}

extern "C" int device_disturbed(const struct zone *zone, size_t n, unsigned long long *count,
                                void *stream)
{
	disturbed<<<(unsigned)n, THREADS, 0, (cudaStream_t)stream>>>(zone, count);
	return cudaGetLastError();
}

extern "C" int device_changed(const void *p, const struct kernel_buffer *b, uint64_t seed,
                              unsigned buffer, unsigned long long *count, void *stream)
{
	changed<<<blocks_for(b->count), THREADS, 0, (cudaStream_t)stream>>>(
	        p, kernel_dtype_bytes(b->dtype), *b, seed, buffer, count);
	return cudaGetLastError();
}

extern "C" int device_gate(volatile unsigned *flag, unsigned ticket, void *stream)
{
	gate<<<1, 1, 0, (cudaStream_t)stream>>>(flag, ticket);
	return cudaGetLastError();
}

extern "C" int device_clocks(struct clock_reading *out, int blocks, void *stream)
{
	clocks<<<blocks, 1, 0, (cudaStream_t)stream>>>(out);
	return cudaGetLastError();
}

extern "C" int device_empty(void *stream)
{
	empty<<<1, 1, 0, (cudaStream_t)stream>>>();
	return cudaGetLastError();
}
