/*
 * The integer product that exact checks compare with (runner/device/exact.h). It is as plain as a
 * product of 8192 cubed allows that is computed twice in every process: 128 x 128 outputs a block,
 * 8 x 8 a thread, four products an instruction (dp4a), no tensor core and no TMA. It needs no
 * memory of its own: a block compares its outputs where they are.
 *
 * That is 2^37 instructions, 64 a clock and SM: 10 ms on an H100 if nothing else took time.
 */
#include <cuda_runtime.h>

#include "runner/cuda/kernels.h"
#include "runner/device/exact.h"

enum {
	TILE = 128,
	WORDS = 16, /* words of four terms that a block has in shared memory */
	EACH = 8,   /* rows, and columns, of a thread: four, and four half a tile on */
	THREADS = 256,
	SIDE = TILE / EACH,
	PAD = 4,
};

/* Terms k … k + 3 of row i, as bytes; those outside of the matrix are 0. */
template <enum kernel_dtype T>
static __device__ uint32_t four(const void *p, const struct kernel_matrix &m, size_t t, size_t i,
                                size_t k, size_t depth)
{
	const size_t bytes = T == KERNEL_F32 ? 4 : T == KERNEL_BF16 ? 2 : 1;
	uint32_t word = 0;
#pragma unroll
	for (int e = 0; e < 4; e++)
		if (k + e < depth)
			word |= (exact_integer(T,
			                       element_bits(bytes, p, exact_at(&m, t, i, k + e))) &
			         0xff)
			        << 8 * e;
	return word;
}

/*
 * Brings WORDS words of TILE rows into shared memory; neighbouring threads read neighbours.
 * `row_of` says where rows lie; NULL: where their numbers say.
 */
template <enum kernel_dtype T>
static __device__ void bring(uint32_t (*to)[TILE + PAD], const void *p,
                             const struct kernel_matrix &m, size_t t, size_t from, size_t rows,
                             const int32_t *row_of, size_t k, size_t depth)
{
	const bool along = m.col == 1;
#pragma unroll 2
	for (int at = threadIdx.x; at < TILE * WORDS; at += THREADS) {
		const int row = along ? at / WORDS : at % TILE;
		const int word = along ? at % WORDS : at / TILE;
		const size_t i = from + row;
		to[word][row] =
		        i < rows ? four<T>(p, m, t, row_of ? row_of[i] : i, k + 4 * word, depth)
		                 : 0;
	}
}

/* The rows (or columns) of a thread: e from 0 to EACH - 1. */
static __device__ int place(int thread, int e)
{
	return e / 4 * (TILE / 2) + thread * 4 + e % 4;
}

static __device__ void words_of(int (&to)[EACH], const uint32_t (&row)[TILE + PAD], int thread)
{
#pragma unroll
	for (int e = 0; e < EACH; e += 4) {
		const int4 v = *(const int4 *)&row[place(thread, e)];
		to[e] = v.x, to[e + 1] = v.y, to[e + 2] = v.z, to[e + 3] = v.w;
	}
}

static __device__ void multiply(int (&sum)[EACH][EACH], const uint32_t (*a)[TILE + PAD],
                                const uint32_t (*b)[TILE + PAD])
{
#pragma unroll 4
	for (int w = 0; w < WORDS; w++) {
		int x[EACH], y[EACH];
		words_of(x, a[w], threadIdx.x / SIDE);
		words_of(y, b[w], threadIdx.x % SIDE);
#pragma unroll
		for (int i = 0; i < EACH; i++)
#pragma unroll
			for (int j = 0; j < EACH; j++)
				sum[i][j] = __dp4a(x[i], y[j], sum[i][j]);
	}
}

/* Compares a thread's outputs, of which (row, col) is the block's first. */
static __device__ void compare(const struct exact_product &x, const void *out, size_t t, size_t row,
                               size_t rows, size_t col, const int (&sum)[EACH][EACH],
                               struct exact_found *found)
{
	const size_t bytes = x.out == KERNEL_F32 || x.out == KERNEL_I32 ? 4
	                     : x.out == KERNEL_BF16                     ? 2
	                                                                : 1;
	for (int e = 0; e < EACH * EACH; e++) {
		const size_t i = row + place(threadIdx.x / SIDE, e / EACH);
		const size_t j = col + place(threadIdx.x % SIDE, e % EACH);
		if (i >= rows || j >= x.p.cols)
			continue;
		const size_t at = exact_at(&x.p.out, t, i, j);
		if (exact_right(x.out, element_bits(bytes, out, at),
		                x.p.times * sum[e / EACH][e % EACH], x.unit))
			continue;
		atomicAdd(&found->wrong, 1ull);
		atomicMin(&found->first, (unsigned long long)at);
	}
}

template <enum kernel_dtype A, enum kernel_dtype B>
static __global__ void __launch_bounds__(THREADS, 2)
        exact(struct exact_product x, const void *a, const void *b, const void *out,
              struct exact_found *found)
{
	__shared__ __align__(16) uint32_t left[WORDS][TILE + PAD], right[WORDS][TILE + PAD];
	const size_t col = (size_t)blockIdx.x * TILE;
	for (size_t t = blockIdx.z; t < x.p.count; t += gridDim.z) {
		size_t rows;
		const size_t row = exact_rows(&x, t, &rows) + (size_t)blockIdx.y * TILE;
		if (row >= rows)
			continue;
		int sum[EACH][EACH] = {};
		for (size_t k = 0; k < x.p.depth; k += 4 * WORDS) {
			bring<A>(left, a, x.p.a, t, row, rows, x.g.row, k, x.p.depth);
			bring<B>(right, b, x.p.b, t, col, x.p.cols, nullptr, k, x.p.depth);
			__syncthreads();
			multiply(sum, left, right);
			__syncthreads();
		}
		compare(x, out, t, row, rows, col, sum, found);
	}
}

template <enum kernel_dtype A> static auto choose(enum kernel_dtype b)
{
	return b == KERNEL_F32    ? exact<A, KERNEL_F32>
	       : b == KERNEL_BF16 ? exact<A, KERNEL_BF16>
	                          : exact<A, KERNEL_E4M3>;
}

extern "C" int device_product(const struct exact_product *x, const void *a, const void *b,
                              const void *out, struct exact_found *found, void *stream)
{
	const size_t most = 65535, down = (x->most + TILE - 1) / TILE;
	const dim3 grid((unsigned)((x->p.cols + TILE - 1) / TILE), (unsigned)down,
	                (unsigned)(x->p.count < most ? x->p.count : most));
	auto *kernel = x->a == KERNEL_F32    ? choose<KERNEL_F32>(x->b)
	               : x->a == KERNEL_BF16 ? choose<KERNEL_BF16>(x->b)
	                                     : choose<KERNEL_E4M3>(x->b);
	if (down > most)
		return cudaErrorInvalidValue;
	kernel<<<grid, THREADS, 0, (cudaStream_t)stream>>>(*x, a, b, out, found);
	return cudaGetLastError();
}
