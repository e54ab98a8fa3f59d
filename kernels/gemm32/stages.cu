/*
 * gemm32/stages - tiles stay as they lie in memory, and the next are under way.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * Up to here a thread turned its numbers round on the way into shared memory,
 * so that neighbours in a row of a tile are neighbours in C. They passed
 * through its registers, and it waited for them.
 *
 * A thread can as well take four neighbours along k from each of its rows. That
 * is as many loads: 16 chunks for four steps of k, where there were 4 for each.
 * Only registers are more, 8 chunks of A at a time. And rows now are copied as
 * they are, so cp.async does it, and no thread waits: while one tile is
 * multiplied, the next is on its way.
 *
 * kernels/gemm32/along.cuh says why no bank is met twice. Rows that do not
 * start at multiples of 16 bytes are left to gemm32/warps.
 *
 * Predicts: 1.2 times gemm32/warps, 75 to 85 % of the peak.
 */
#include "kernels/gemm32/along.cuh"

enum {
    SIDE = 128,           /* outputs of a block in each direction */
    STAGES = 3,           /* tiles in shared memory; two blocks fit an SM */
    COLS = 8,             /* columns of a thread */
    WIDE = COLS * APART,  /* of a warp */
    ACROSS = SIDE / WIDE, /* warps side by side */
    THREADS = SIDE / ROWS * SIDE / COLS,
    VECTORS = SIDE * CHUNKS / THREADS, /* that a thread copies of a tile */
};

struct stage {
    float a[SIDE * DEEP], b[SIDE * DEEP];
};

/* Starts the copies of a thread's chunks; zeros beyond the edges. */
static __device__ __forceinline__ void
place(float *to, const float *x, int rows, int depth, int first, int k)
{
#pragma unroll
    for (int i = 0; i < VECTORS; i++) {
        const int v = threadIdx.x + i * THREADS;
        const int row = v / CHUNKS, q = v % CHUNKS, at = k + q * WIDTH;
        const bool inside = first + row < rows && at < depth;

        ptx_copy_16((float *)chunk(to, row, q),
                    inside ? x + (size_t)(first + row) * depth + at : x,
                    inside);
    }
}

static __global__ void __launch_bounds__(THREADS, 2) stages(struct product p)
{
    extern __shared__ __align__(16) char shared[];
    struct stage *const ring = (struct stage *)shared;
    const int warp = threadIdx.x / WARP;
    const int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    const int steps = ceil_div(p.k, DEEP);
    const mine at = mine_of(warp / ACROSS, warp % ACROSS, WIDE);
    float sum[ROWS][COLS] = {};

    for (int s = 0; s < STAGES - 1; s++) {
        place(ring[s].a, p.a, p.m, p.k, top, s * DEEP);
        place(ring[s].b, p.b, p.n, p.k, left, s * DEEP);
        ptx_copies_commit();
    }
    // ANCHOR: steps
    for (int step = 0; step < steps; step++) {
        const int next = step + STAGES - 1;
        const struct stage &now = ring[step % STAGES];
        struct stage &free = ring[next % STAGES];

        ptx_copies_wait<STAGES - 2>();
        __syncthreads(); /* the tile has come, and the last one is free */
        place(free.a, p.a, p.m, p.k, top, next * DEEP);
        place(free.b, p.b, p.n, p.k, left, next * DEEP);
        ptx_copies_commit(); /* beyond the end: zeros, which nobody reads */
        add_tile(sum, now.a, now.b, at);
    }
    // ANCHOR_END: steps
    put_all(p, top, left, at, sum);
}

extern "C" int gemm32_stages(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const struct product p = product_of(c, buf);
    dim3 grid(ceil_div(p.n, SIDE), ceil_div(p.m, SIDE));
    const int bytes = STAGES * (int)sizeof(struct stage);
    int error;

    if (p.k % WIDTH != 0)
        return gemm32_warps(c, env, buf, NULL);
    error = cudaFuncSetAttribute(
        stages, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    if (error)
        return error;
    stages<<<grid, THREADS, bytes, (cudaStream_t)env->stream>>>(p);
    return cudaGetLastError();
}
