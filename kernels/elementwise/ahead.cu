/*
 * Prefetch into L2, ahead of the window.
 *
 * The first thread of each block asks L2 for the tile that a block 1.5 MiB
 * further on will need, one instruction that nobody waits for. What is read
 * from memory is read as whole tiles in strict order, and the loads of the
 * threads wait for L2 only. It is what made the fastest copy
 * (kernels/stream/ahead.cu), with the arithmetic of the step before.
 *
 * Predicted before any run: within 1 % of that copy.
 */
#include "kernels/elementwise/math.cuh"

enum {
    THREADS = 128,
    VECTORS = 2,
    TILE = THREADS * VECTORS,   /* vectors */
    TILE_BYTES = TILE * 16,     /* of an operand: 4 KiB */
    AHEAD = 3 << 19,            /* bytes: 1.5 MiB, a small part of L2 */
    AHEAD_ELEMENTS = AHEAD / 2, /* bf16 */
};

/* Asks for the tile that lies AHEAD of element `begin`. */
static __device__ void prefetch(const uint16_t *x, uint32_t begin, uint32_t n)
{
    const size_t there = (size_t)begin + AHEAD_ELEMENTS;

    if (threadIdx.x == 0 && there + TILE_BYTES / sizeof *x <= n)
        ptx_bulk_prefetch(x + there, TILE_BYTES);
}

// ANCHOR: inner
template <elementwise_op OP>
static __global__ void ahead(uint16_t *y, const uint16_t *a, const uint16_t *b,
                             uint32_t n, uint32_t cols)
{
    const uint32_t first = blockIdx.x * TILE + threadIdx.x;
    uint4 u[VECTORS], w[VECTORS];

    if (!math_aligned(cols) || (blockIdx.x + 1) * TILE > n / MATH_WIDTH) {
        for (int k = 0; k < VECTORS; k++)
            math_singly<OP, MATH_SHORT>(
                y, a, b, (first + k * THREADS) * MATH_WIDTH, n, cols);
        return;
    }
    prefetch(a, blockIdx.x * TILE * MATH_WIDTH, n);
    if (OP == ELEMENTWISE_SWIGLU)
        prefetch(b, blockIdx.x * TILE * MATH_WIDTH, n);
    for (int k = 0; k < VECTORS; k++) {
        const uint32_t i = first + k * THREADS;

        u[k] = ((const uint4 *)a)[i];
        w[k] = ((const uint4 *)b)[math_partner<OP>(i, cols / MATH_WIDTH)];
    }
    for (int k = 0; k < VECTORS; k++) {
        const uint32_t i = first + k * THREADS;

        ((uint4 *)y)[i] =
            math_vector<OP, MATH_SHORT>(u[k], w[k], i * MATH_WIDTH);
    }
}
// ANCHOR_END: inner

extern "C" int elementwise_ahead(const struct kernel_case *c,
                                 const struct kernel_env *env, void *const *buf,
                                 void *)
{
    const struct math_operands o = math_operands_of(c, env, buf);
    const uint32_t grid = (math_vectors(o.n) + TILE - 1) / TILE;

    return math_dispatch(c, [&](auto k) {
        ahead<decltype(k)::op>
            <<<grid, THREADS, 0, o.stream>>>(o.y, o.a, o.b, o.n, o.cols);
        return (int)cudaGetLastError();
    });
}
