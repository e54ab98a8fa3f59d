#include "runner/cuda/kernels.h"

#include <cuda_runtime.h>

#include "runner/device/element.h"

struct zone { /* must match runner/device/device.h */
	char *p;
	size_t n;
	int byte;
};

static const unsigned THREADS = 256, MAX_BLOCKS = 4096;

static const unsigned long long GATE_NS = 2000000000ull, MEET_NS = 20000ull;

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

/*
 * Kernels fill and scan buffers in packs of 16 bytes, since each case has gigabytes of
 * them and goes through them several times.
 */
template <size_t BYTES> struct pack {
	enum { N = 16 / BYTES };
	uint32_t word[4];

	__device__ uint32_t get(int e) const
	{
		const uint32_t bits = word[e * BYTES / 4] >> 8 * (e * BYTES % 4);
		return BYTES == 4 ? bits : bits & ((1u << 8 * (BYTES % 4)) - 1);
	}
	__device__ void put(int e, uint32_t bits) /* element e must be zero before */
	{
		word[e * BYTES / 4] |= bits << 8 * (e * BYTES % 4);
	}
	__device__ void load(const void *p, size_t i)
	{
		const uint4 v = ((const uint4 *)p)[i];
		word[0] = v.x, word[1] = v.y, word[2] = v.z, word[3] = v.w;
	}
	__device__ void store(void *p, size_t i) const
	{
		((uint4 *)p)[i] = make_uint4(word[0], word[1], word[2], word[3]);
	}
};

/* The bits of element i of any input. One copy for all callers: 16 in a loop compile slowly. */
static __device__ __noinline__ uint32_t any_input(const struct kernel_buffer &b, uint64_t seed,
                                                  unsigned buffer, size_t i)
{
	return element_input(&b, seed, buffer, i);
}

/*
 * The same. Most inputs are real numbers of a few kinds: uniform ones, full ones for products, and
 * the grid on which these are proved. For them the compiler knows the kind; INPUT_KINDS stands for
 * all others.
 */
template <size_t BYTES, int KIND>
static __device__ uint32_t input_of(const struct kernel_buffer &b, uint64_t seed, unsigned buffer,
                                    size_t i)
{
	struct kernel_buffer known = {};
	if (KIND == INPUT_KINDS)
		return any_input(b, seed, buffer, i);
	known.draw = KERNEL_REAL;
	known.dtype = BYTES == 2 ? KERNEL_BF16 : KERNEL_F32;
	return element_input(&known, input_seed((enum input_kind)KIND, seed), buffer, i);
}

template <size_t BYTES, int KIND>
static __global__ void fill(void *p, struct kernel_buffer b, uint64_t seed, unsigned buffer)
{
	const size_t packs = b.count / pack<BYTES>::N;
	for (size_t i = first(); i < packs; i += stride()) {
		pack<BYTES> v = {};
#pragma unroll
		for (int e = 0; e < pack<BYTES>::N; e++)
			v.put(e, input_of<BYTES, KIND>(b, seed, buffer, i * pack<BYTES>::N + e));
		v.store(p, i);
	}
	for (size_t i = packs * pack<BYTES>::N + first(); i < b.count; i += stride())
		element_put(BYTES, p, i, any_input(b, seed, buffer, i));
}

static __global__ void gather(const void *p, enum kernel_dtype t, const size_t *idx, size_t n,
                              double *out)
{
	for (size_t i = first(); i < n; i += stride())
		out[i] = element_get(t, p, idx[i]);
}

template <size_t BYTES>
static __global__ void unwritten(const void *p, size_t n, uint32_t poison,
                                 unsigned long long *count)
{
	const size_t packs = n / pack<BYTES>::N;
	unsigned long long mine = 0;
	for (size_t i = first(); i < packs; i += stride()) {
		pack<BYTES> v;
		v.load(p, i);
#pragma unroll
		for (int e = 0; e < pack<BYTES>::N; e++)
			mine += v.get(e) == poison;
	}
	for (size_t i = packs * pack<BYTES>::N + first(); i < n; i += stride())
		mine += element_bits(BYTES, p, i) == poison;
	if (mine)
		atomicAdd(count, mine);
}

/* One block a zone. */
static __global__ void mark(const struct zone *zone)
{
	struct zone z = zone[blockIdx.x];
	for (size_t i = threadIdx.x; i < z.n; i += blockDim.x)
		z.p[i] = (char)z.byte;
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

template <size_t BYTES, int KIND>
static __global__ void changed(const void *p, struct kernel_buffer b, uint64_t seed,
                               unsigned buffer, unsigned long long *count)
{
	const size_t packs = b.count / pack<BYTES>::N;
	unsigned long long mine = 0;
	for (size_t i = first(); i < packs; i += stride()) {
		pack<BYTES> v;
		v.load(p, i);
#pragma unroll
		for (int e = 0; e < pack<BYTES>::N; e++)
			mine += v.get(e) !=
			        input_of<BYTES, KIND>(b, seed, buffer, i * pack<BYTES>::N + e);
	}
	for (size_t i = packs * pack<BYTES>::N + first(); i < b.count; i += stride())
		mine += element_bits(BYTES, p, i) != any_input(b, seed, buffer, i);
	if (mine)
		atomicAdd(count, mine);
}

static __global__ void digest(const void *p, size_t bytes, size_t n, unsigned long long *sum)
{
	unsigned long long mine = 0;
	for (size_t i = first(); i < n; i += stride())
		mine += element_hash(bytes, p, i);
	atomicAdd(sum, mine);
}

static __global__ void gate(volatile unsigned *flag, unsigned ticket)
{
	unsigned long long start, now;
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
	do {
		asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
	} while ((int)(flag[0] - ticket) < 0 && now - start < GATE_NS);
	if ((int)(flag[0] - ticket) < 0) {
		flag[1]++; /* needs no atomic: one thread writes, the host reads afterwards */
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

/* One block fills an SM, so if all of them run at the same time, each SM has one. */
static __global__ void clocks_at_step(struct clock_reading *out)
{
	struct clock_reading r = {};
	unsigned long long start, last, now;
	asm volatile("mov.u32 %0, %%smid;" : "=r"(r.sm));
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
	do {
		asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
	} while (now - start < MEET_NS);
	do {
		last = now;
		asm volatile("mov.u64 %0, %%clock64;" : "=l"(r.cycles));
		asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
	} while (now == last);
	r.ns = now;
	r.step = (unsigned)(now - last);
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

/* Kernels for the kinds that are known, of elements of 2 and 4 bytes, and for all others. */
#define OF_KIND(kernel, bytes, kind)                            \
	((kind) == INPUT_UNIFORM ? kernel<bytes, INPUT_UNIFORM> \
	 : (kind) == INPUT_FULL  ? kernel<bytes, INPUT_FULL>    \
	 : (kind) == INPUT_GRID  ? kernel<bytes, INPUT_GRID>    \
	                         : kernel<bytes, INPUT_KINDS>)
#define OF_BUFFER(kernel, b, kind)                                        \
	(kernel_dtype_bytes((b)->dtype) == 4   ? OF_KIND(kernel, 4, kind) \
	 : kernel_dtype_bytes((b)->dtype) == 2 ? OF_KIND(kernel, 2, kind) \
	                                       : kernel<1, INPUT_KINDS>)

static enum input_kind kind_of(const struct kernel_buffer *b, uint64_t seed)
{
	return b->draw == KERNEL_REAL ? input_kind(seed) : INPUT_KINDS;
}

extern "C" int device_fill(void *p, const struct kernel_buffer *b, uint64_t seed, unsigned buffer,
                           void *stream)
{
	const enum input_kind kind = kind_of(b, seed);
	auto *kernel = OF_BUFFER(fill, b, kind);
	kernel<<<blocks_for(b->count), THREADS, 0, (cudaStream_t)stream>>>(p, *b, seed, buffer);
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
	auto *kernel = bytes == 4 ? unwritten<4> : bytes == 2 ? unwritten<2> : unwritten<1>;
	kernel<<<blocks_for(b->count), THREADS, 0, (cudaStream_t)stream>>>(
	        p, b->count, element_of_bytes(bytes, kernel_dtype_poison(b->dtype)), count);
	return cudaGetLastError();
}

extern "C" int device_mark(const struct zone *zone, size_t n, void *stream)
{
	mark<<<(unsigned)n, THREADS, 0, (cudaStream_t)stream>>>(zone);
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
	const enum input_kind kind = kind_of(b, seed);
	auto *kernel = OF_BUFFER(changed, b, kind);
	kernel<<<blocks_for(b->count), THREADS, 0, (cudaStream_t)stream>>>(p, *b, seed, buffer,
	                                                                   count);
	return cudaGetLastError();
}

extern "C" int device_digest(const void *p, const struct kernel_buffer *b, unsigned long long *sum,
                             void *stream)
{
	digest<<<blocks_for(b->count), THREADS, 0, (cudaStream_t)stream>>>(
	        p, kernel_dtype_bytes(b->dtype), b->count, sum);
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

extern "C" int device_clocks_at_step(struct clock_reading *out, int blocks, void *stream)
{
	const auto most = cudaFuncAttributeMaxDynamicSharedMemorySize;
	int device, bytes, rc = cudaGetDevice(&device);
	if (!rc)
		rc = cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin,
		                            device);
	if (!rc)
		rc = cudaFuncSetAttribute(clocks_at_step, most, bytes);
	if (rc)
		return rc;
	clocks_at_step<<<blocks, 1, bytes, (cudaStream_t)stream>>>(out);
	return cudaGetLastError();
}

extern "C" int device_empty(void *stream)
{
	empty<<<1, 1, 0, (cudaStream_t)stream>>>();
	return cudaGetLastError();
}
