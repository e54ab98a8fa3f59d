/*
 * gemm16/stages - the next tiles arrive while this one is multiplied.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * gemm16/mma loads, waits, multiplies, waits. cp.async copies 16 bytes from
 * global to shared memory and lets the thread go on. So the block keeps STAGES
 * tiles in shared memory: while it multiplies one, three are on their way.
 *
 * The order of a step: wait for the oldest copies, one barrier, ask for the
 * tile that goes where the last one was, multiply. The barrier says two things
 * at once: the tile has come for all threads, and all are done with the last.
 *
 * Rows that do not start at multiples of 16 bytes are left to gemm16/mma.
 *
 * Predicts: twice gemm16/mma, 400 TFLOP/s, 40 % of the peak. More than 60 % no
 * kernel with mma can reach on this GPU: only wgmma has the full rate.
 */
#include "kernels/gemm16/product.cuh"

enum {
    SIDE = 128,           /* outputs of a block in each direction */
    DEEP = 32,            /* of k at a time */
    STAGES = 4,           /* tiles in shared memory */
    PITCH = DEEP + WIDTH, /* elements from row to row in shared memory */
    HIGH = 64,            /* outputs of a warp: rows */
    WIDE = 32,            /* and columns */
    ACROSS = SIDE / WIDE, /* warps side by side */
    THREADS = SIDE / HIGH * ACROSS * WARP,
    ROWS16 = HIGH / 16,                      /* instructions of a warp: rows */
    COLS8 = WIDE / 8,                        /* and columns */
    VECTORS = SIDE * DEEP / WIDTH / THREADS, /* that a thread loads of a tile */
};

struct stage {
    uint16_t a[SIDE][PITCH], b[SIDE][PITCH];
};

/* Starts the copies of a thread's vectors; zeros beyond the edges. */
static __device__ __forceinline__ void place(uint16_t (&to)[SIDE][PITCH],
                                             const uint16_t *x, int rows,
                                             int depth, int first, int k)
{
#pragma unroll
    for (int i = 0; i < VECTORS; i++) {
        const int v = threadIdx.x + i * THREADS;
        const int row = v / (DEEP / WIDTH), at = v % (DEEP / WIDTH) * WIDTH;
        const bool inside = first + row < rows && k + at < depth;

        ptx_copy_16(&to[row][at],
                    inside ? x + (size_t)(first + row) * depth + k + at : x,
                    inside);
    }
}

static __global__ void __launch_bounds__(THREADS, 2) stages(struct product p)
{
    extern __shared__ __align__(16) char shared[];
    struct stage *const ring = (struct stage *)shared;
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const int row = warp / ACROSS * HIGH, col = warp % ACROSS * WIDE;
    const int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    const int steps = ceil_div(p.k, DEEP);
    float sum[ROWS16][COLS8][4] = {};

    for (int s = 0; s < STAGES - 1; s++) {
        place(ring[s].a, p.a, p.m, p.k, top, s * DEEP);
        place(ring[s].b, p.b, p.n, p.k, left, s * DEEP);
        ptx_copies_commit();
    }
    // ANCHOR: inner
    for (int step = 0; step < steps; step++) {
        const int next = step + STAGES - 1;
        const struct stage &now = ring[step % STAGES];
        struct stage &free = ring[next % STAGES];

        ptx_copies_wait<STAGES - 2>();
        __syncthreads(); /* the tile has come, and the last one is free */
        place(free.a, p.a, p.m, p.k, top, next * DEEP);
        place(free.b, p.b, p.n, p.k, left, next * DEEP);
        ptx_copies_commit(); /* beyond the end: zeros, which nobody reads */
#pragma unroll
        for (int i = 0; i < DEEP; i += 16) {
            uint32_t u[ROWS16][4], v[COLS8 / 2][4];

#pragma unroll
            for (int r = 0; r < ROWS16; r++)
                ptx_ldmatrix(
                    u[r],
                    &now.a[row + r * 16 + lane % 16][i + lane / 16 * WIDTH]);
#pragma unroll
            for (int c = 0; c < COLS8 / 2; c++)
                ptx_ldmatrix(v[c], &now.b[col + c * 16 + lane / 16 * 8 +
                                          lane % 8][i + lane / 8 % 2 * WIDTH]);
#pragma unroll
            for (int r = 0; r < ROWS16; r++)
#pragma unroll
                for (int c = 0; c < COLS8; c++)
                    ptx_mma_bf16(sum[r][c], u[r], v[c / 2][c % 2 * 2],
                                 v[c / 2][c % 2 * 2 + 1]);
        }
    }
    // ANCHOR_END: inner
#pragma unroll
    for (int r = 0; r < ROWS16; r++)
#pragma unroll
        for (int c = 0; c < COLS8; c++)
#pragma unroll
            for (int h = 0; h < 2; h++)
                put_pair(p, top + row + r * 16 + h * 8 + lane / 4,
                         left + col + c * 8 + lane % 4 * 2, sum[r][c][2 * h],
                         sum[r][c][2 * h + 1]);
}

extern "C" int gemm16_stages(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    struct product p = product_of(c, buf);
    dim3 grid(ceil_div(p.n, SIDE), ceil_div(p.m, SIDE));
    const int bytes = STAGES * (int)sizeof(struct stage);
    int error;

    if (p.k % WIDTH != 0)
        return gemm16_mma(c, env, buf, NULL);
    error = cudaFuncSetAttribute(
        stages, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    if (error)
        return error;
    stages<<<grid, THREADS, bytes, (cudaStream_t)env->stream>>>(p);
    return cudaGetLastError();
}
