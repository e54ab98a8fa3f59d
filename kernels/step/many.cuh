/*
 * kernels/step/many.cuh - a product with up to 32 vectors, on tensor cores. A
 * block has 32 rows of weights, its warps share k, and add up their sums in
 * shared memory.
 *
 * A sum over k may be taken in any order, if both operands have the same: lane
 * 4g + t takes 16 bytes of row g, and the same 16 bytes of vector g, and calls
 * them elements 2t, 2t + 1, 2t + 8, 2t + 9 of two instructions. So weights go
 * from memory to registers to tensor cores, without shared memory.
 */
#ifndef KERNELS_STEP_MANY_CUH
#define KERNELS_STEP_MANY_CUH

#include "kernels/step/one.cuh"

enum {
    MANY_WARPS = 8,
    MANY_THREADS = MANY_WARPS * WARP,
    MANY_ROWS = 32,    /* two operands of 16 rows */
    MANY_PAIRS = 16,   /* of rows */
    MANY_DEEP = 4 * 8, /* elements of k in a step */
    MANY_STEPS = 4,    /* that a warp asks for at once */
    MANY_WIDE = 8,     /* vectors in an operand */
    MANY_PITCH = MANY_ROWS + 1,
    MANY_AHEAD = 2048, /* bytes of a row: a block has many, and all blocks
                          together must not ask for more than the L2 holds */
};

/* Sums of all warps. */
static __device__ inline float *many_shared(void)
{
    __shared__ float shared[MANY_WARPS * STEP_MOST * MANY_PITCH];

    return shared;
}

/* Row i of the block's 32, which begin with pair `pair`. Where the rows of a
 * pair lie apart, the second 16 are the other ones. */
static __device__ __forceinline__ int many_row(const product_rows &r, int pair,
                                               int i)
{
    const int row = r.apart == 1
                        ? pair * 2 + i
                        : pair + i % MANY_PAIRS + i / MANY_PAIRS * r.apart;

    return min(row, (r.n / 2 - 1) * r.step + r.apart);
}

/* A warp's sums over its share of k. */
template <int WIDE, class WAIT>
static __device__ __forceinline__ void many_sums(float (&sum)[2][WIDE][4],
                                                 const product_rows &r, int b,
                                                 int pair, WAIT wait)
{
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const int g = lane / 4, t = lane % 4, steps = r.k / MANY_DEEP;
    const uint64_t once = ptx_evict_first();
    const uint16_t *w[4];

#pragma unroll
    for (int i = 0; i < 4; i++)
        w[i] = r.w + (size_t)many_row(r, pair, i * 8 + g) * r.k + t * WIDTH;
    // ANCHOR: inner
    for (int at = warp * MANY_STEPS, turn = 0; turn == 0 || at < steps;
         at += MANY_WARPS * MANY_STEPS, turn++) {
        uint4 a[MANY_STEPS][4] = {};

#pragma unroll
        for (int u = 0; u < MANY_STEPS; u++)
#pragma unroll
            for (int i = 0; i < 4; i++)
                if (at + u < steps)
                    a[u][i] = eight_once(w[i] + (at + u) * MANY_DEEP, once);
        asm volatile("" ::: "memory"); /* ask for all, then use the first */
        if (turn == 0)
            wait();
#pragma unroll
        for (int u = 0; u < MANY_STEPS; u++) {
            if (at + u >= steps)
                break;
#pragma unroll
            for (int v = 0; v < WIDE; v++) {
                const int token = min(v * MANY_WIDE + g, b - 1);
                const uint4 x = eight(r.x + (size_t)token * r.k + t * WIDTH +
                                      (at + u) * MANY_DEEP);

#pragma unroll
                for (int tile = 0; tile < 2; tile++) {
                    const uint4 low = a[u][2 * tile], high = a[u][2 * tile + 1];
                    const uint32_t one[4] = {low.x, high.x, low.y, high.y};
                    const uint32_t two[4] = {low.z, high.z, low.w, high.w};

                    ptx_mma_bf16(sum[tile][v], one, x.x, x.y);
                    ptx_mma_bf16(sum[tile][v], two, x.z, x.w);
                }
            }
        }
    }
    // ANCHOR_END: inner
}

/* The sums of a block's pairs for all vectors, and end(token, pair, first,
 * second) for each. */
template <bool OVERLAP, bool AHEAD, int WIDE, class END>
static __global__ void __launch_bounds__(MANY_THREADS)
    many_vectors(const product_rows r, const int b, const END end)
{
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const int g = lane / 4, t = lane % 4;
    const int pair = blockIdx.x * MANY_PAIRS, pairs = r.n / 2;
    float *const shared = many_shared();
    float sum[2][WIDE][4] = {};

    if (OVERLAP)
        ptx_next_kernel_may_start();
    if (AHEAD)
        for (int i = 2 * warp; i < MANY_ROWS; i += 2 * MANY_WARPS)
            ask_ahead(r.w + (size_t)many_row(r, pair, i) * r.k,
                      r.w + (size_t)many_row(r, pair, i + 1) * r.k,
                      min(r.k * 2, (int)MANY_AHEAD));
    many_sums<WIDE>(sum, r, b, pair, [] {
        if (OVERLAP)
            ptx_wait_for_last_kernel(); /* vectors are its output */
    });
    for (int tile = 0; tile < 2; tile++)
        for (int v = 0; v < WIDE; v++)
            for (int i = 0; i < 4; i++) {
                const int token = v * MANY_WIDE + 2 * t + i % 2;
                const int row = tile * 16 + g + i / 2 * 8;

                shared[(warp * STEP_MOST + token) * MANY_PITCH + row] =
                    sum[tile][v][i];
            }
    __syncthreads(); /* the sums of all warps are there */
    for (int n = threadIdx.x; n < b * MANY_PAIRS; n += MANY_THREADS) {
        const int token = n / MANY_PAIRS, p = n % MANY_PAIRS;
        const int row = r.apart == 1 ? 2 * p : p;
        const int other = r.apart == 1 ? row + 1 : p + MANY_PAIRS;
        float first = 0, second = 0;

        for (int w = 0; w < MANY_WARPS; w++) {
            const float *of = shared + (w * STEP_MOST + token) * MANY_PITCH;

            first += of[row];
            second += of[other];
        }
        if (pair + p < pairs)
            end(token, pair + p, first, second);
    }
}

#endif
