/*
 * kernels/step/one.cuh - a product with one vector: a warp has two rows, of
 * which a lane asks for sixteen times 16 bytes at once. It is gemv/row with
 * another end: what becomes of two sums is the caller's.
 */
#ifndef KERNELS_STEP_ONE_CUH
#define KERNELS_STEP_ONE_CUH

#include "kernels/gemv/linear.cuh"
#include "kernels/step/step.h"

enum {
    ONE_WARPS = 4,
    ONE_THREADS = ONE_WARPS * WARP,
    ONE_BLOCKS = 4, /* on an SM: so many registers are left to a thread */
    ONE_LOADS = 8,  /* of each of two rows, in flight at once */
    ONE_STEP = WARP * WIDTH,
    ONE_HIDDEN = 4096, /* elements that the norm has room for */
    ONE_AHEAD = 8192,  /* bytes of a row that are asked for ahead */
};

/* A product. Pair p has the rows p * step and p * step + apart. */
struct product_rows {
    const uint16_t *w, *x, *gain; /* gain: NULL, or x is normalised first */
    int n, k;                     /* rows, and elements of each */
    int step, apart;
    float shrink;
};

static inline struct product_rows rows_of(const uint16_t *w, const uint16_t *x,
                                          int n, int k)
{
    return {w, x, nullptr, n, k, 2, 1, 0};
}

struct one_shared {
    float part[ONE_WARPS];
    alignas(16) uint16_t h[ONE_HIDDEN];
};

static __device__ inline struct one_shared *one_shared_of_block(void)
{
    __shared__ struct one_shared shared;

    return &shared;
}

/* Two elements of x, normalised. */
static __device__ __forceinline__ uint32_t normal_pair(uint32_t x,
                                                       uint32_t gain, float by)
{
    return bf16_pair(bf16_first(x) * by * bf16_first(gain),
                     bf16_second(x) * by * bf16_second(gain));
}

static __device__ __forceinline__ float squares(uint4 v)
{
    return dot_eight(v, v, 0);
}

static __device__ __forceinline__ uint4 normal_eight(uint4 x, uint4 gain,
                                                     float by)
{
    return make_uint4(
        normal_pair(x.x, gain.x, by), normal_pair(x.y, gain.y, by),
        normal_pair(x.z, gain.z, by), normal_pair(x.w, gain.w, by));
}

static __device__ __forceinline__ float norm_factor(float sum, int hidden,
                                                    float shrink)
{
    return shrink / sqrtf(sum / (float)hidden + 1e-5f);
}

// ANCHOR: norm
/* All threads of a block: norm(x) to shared memory. */
static __device__ inline const uint16_t *normalise(const product_rows &r)
{
    struct one_shared *const to = one_shared_of_block();
    float sum = 0;

    for (int i = threadIdx.x * WIDTH; i < r.k; i += ONE_THREADS * WIDTH)
        sum += squares(eight(r.x + i));
    sum = sum_warp(sum);
    if (threadIdx.x % WARP == 0)
        to->part[threadIdx.x / WARP] = sum;
    __syncthreads(); /* the sums of all warps are there */
    sum = 0;
    for (int w = 0; w < ONE_WARPS; w++)
        sum += to->part[w];
    const float by = norm_factor(sum, r.k, r.shrink);

    for (int i = threadIdx.x * WIDTH; i < r.k; i += ONE_THREADS * WIDTH)
        *(uint4 *)(to->h + i) =
            normal_eight(eight(r.x + i), eight(r.gain + i), by);
    __syncthreads(); /* the vector is whole */
    return to->h;
}
// ANCHOR_END: norm

template <bool OVERLAP, bool NORM>
static __device__ __forceinline__ const uint16_t *
vector_of(const product_rows &r)
{
    if (OVERLAP)
        ptx_wait_for_last_kernel(); /* x is its output */
    return NORM ? normalise(r) : r.x;
}

/* Asks the L2 for the first bytes of the warp's rows, which no kernel writes.
 */
static __device__ inline void ask_ahead(const uint16_t *first,
                                        const uint16_t *second, int bytes)
{
    if (threadIdx.x % WARP == 0) {
        ptx_bulk_prefetch(first, bytes);
        ptx_bulk_prefetch(second, bytes);
    }
}

/* Each warp: the sums of pair p for the one vector, in all lanes, and then
 * end(0, p, first, second). */
template <bool OVERLAP, bool AHEAD, bool NORM, class END>
static __global__ void __launch_bounds__(ONE_THREADS, ONE_BLOCKS)
    one_vector(const product_rows r, const END end)
{
    const int lane = threadIdx.x % WARP;
    const int pair = blockIdx.x * ONE_WARPS + threadIdx.x / WARP;
    const int row = min(pair, r.n / 2 - 1) * r.step;
    const uint16_t *const first = r.w + (size_t)row * r.k;
    const uint16_t *const second = first + (size_t)r.apart * r.k;
    const uint16_t *x = nullptr;
    const uint64_t once = ptx_evict_first();
    float sum[2] = {};
    int at = 0;

    if (OVERLAP)
        ptx_next_kernel_may_start();
    if (AHEAD)
        ask_ahead(first, second, min(r.k * 2, (int)ONE_AHEAD));
    for (; at + ONE_LOADS * ONE_STEP <= r.k; at += ONE_LOADS * ONE_STEP) {
        uint4 v[2][ONE_LOADS];

#pragma unroll
        for (int j = 0; j < ONE_LOADS; j++) {
            const int i = at + j * ONE_STEP + lane * WIDTH;

            v[0][j] = eight_once(first + i, once);
            v[1][j] = eight_once(second + i, once);
        }
        asm volatile("" ::: "memory"); /* ask for all, then use the first */
        if (at == 0)
            x = vector_of<OVERLAP, NORM>(r);
#pragma unroll
        for (int j = 0; j < ONE_LOADS; j++) {
            const uint4 b = eight(x + at + j * ONE_STEP + lane * WIDTH);

            sum[0] = dot_eight(v[0][j], b, sum[0]);
            sum[1] = dot_eight(v[1][j], b, sum[1]);
        }
    }
    if (at == 0)
        x = vector_of<OVERLAP, NORM>(r); /* no round was full */
    for (int i = at + lane * WIDTH; i < r.k; i += ONE_STEP) {
        const uint4 b = eight(x + i);

        sum[0] = dot_eight(eight_once(first + i, once), b, sum[0]);
        sum[1] = dot_eight(eight_once(second + i, once), b, sum[1]);
    }
    sum[0] = sum_warp(sum[0]);
    sum[1] = sum_warp(sum[1]);
    if (lane == 0 && pair < r.n / 2)
        end(0, pair, sum[0], sum[1]);
}

#endif
