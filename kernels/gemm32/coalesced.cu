/*
 * gemm32/coalesced - the lanes of a warp run along k.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * Both matrices have neighbours along k, and nowhere else. So a warp takes one
 * output, and its lanes 32 neighbours of k: each load is one cache line, all of
 * whose bytes are used. At the end five shuffles add up the lanes.
 *
 * A block of 32 warps has 4 x 8 outputs, so that a line of A is found in the L1
 * by eight warps, and one of B by four.
 *
 * An FMA of a warp still needs two loads of 128 bytes, and the L1 hands out one
 * a cycle. So an SM does one FMA of a warp in two cycles, where its four
 * schedulers could do eight.
 *
 * Predicts: 3 to 6 times gemm32/naive, at most 8 TFLOP/s.
 */
#include "kernels/gemm32/product.cuh"

enum {
    DOWN = 4,   /* outputs of a block: rows */
    ACROSS = 8, /* and columns; each has a warp */
    THREADS = DOWN * ACROSS * WARP,
};

static __global__ void __launch_bounds__(THREADS) coalesced(struct product p)
{
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const int row = blockIdx.y * DOWN + warp / ACROSS;
    const int col = blockIdx.x * ACROSS + warp % ACROSS;
    float sum = 0;

    if (row >= p.m || col >= p.n)
        return; /* the whole warp */
    // ANCHOR: inner
    for (int k = lane; k < p.k; k += WARP)
        sum += p.a[(size_t)row * p.k + k] * p.b[(size_t)col * p.k + k];
    for (int step = WARP / 2; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    // ANCHOR_END: inner
    if (lane == 0)
        put(p, row, col, sum);
}

extern "C" int gemm32_coalesced(const struct kernel_case *c,
                                const struct kernel_env *env, void *const *buf,
                                void *)
{
    const struct product p = product_of(c, buf);
    dim3 grid(ceil_div(p.n, ACROSS), ceil_div(p.m, DOWN));

    coalesced<<<grid, THREADS, 0, (cudaStream_t)env->stream>>>(p);
    return cudaGetLastError();
}
