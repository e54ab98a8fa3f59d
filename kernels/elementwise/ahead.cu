/*
 * elementwise/ahead - a prefetch into the L2, ahead of the loads.
 *
 * The first thread of each block asks the L2 for the tile that a block 1.5 MiB
 * further on will need. That is one instruction, and no thread waits for it.
 * Memory is read in whole tiles in strict order, and the loads of the threads
 * wait for the L2 only. This made the fastest copy (kernels/stream/ahead.cu);
 * the arithmetic is that of the step before.
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
    if (math_odd_tile<OP, MATH_SHORT, THREADS, VECTORS>(y, a, b, n, cols))
        return;
    prefetch(a, blockIdx.x * TILE * MATH_WIDTH, n);
    if (OP == ELEMENTWISE_SWIGLU)
        prefetch(b, blockIdx.x * TILE * MATH_WIDTH, n);
    math_tile<OP, MATH_SHORT, THREADS, VECTORS>(y, a, b, cols);
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
