/*
 * elementwise/bulk - a bulk tile per block.
 *
 * The TMA brings a tile of 4 KiB to shared memory and takes it back; in
 * between, the threads compute in place. No register holds a byte that is in
 * flight, and each tile is one request to memory, as in kernels/stream/tile.cu.
 * The bias comes through L1, as before.
 *
 * Predicted before any run: level with `ahead` within 1 %. What the TMA saves
 * in registers, the way through shared memory and two barriers cost.
 */
#include "kernels/elementwise/math.cuh"

enum {
    THREADS = 128,
    VECTORS = 2,
    TILE = THREADS * VECTORS,       /* vectors */
    TILE_BYTES = TILE * 16,         /* of an operand: 4 KiB */
    TILE_ELEMENTS = TILE_BYTES / 2, /* bf16 */
};

/* The whole tile becomes y, in place; for SwiGLU, `up` is its partner. */
template <elementwise_op OP>
static __device__ void compute(uint4 *tile, const uint4 *up,
                               const uint16_t *bias, uint32_t begin,
                               uint32_t cols)
{
    for (uint32_t i = threadIdx.x; i < TILE; i += THREADS) {
        const uint32_t v = begin / MATH_WIDTH + i;
        const uint4 w =
            OP == ELEMENTWISE_SWIGLU
                ? up[i]
                : ((const uint4 *)bias)[math_partner<OP>(v, cols / MATH_WIDTH)];

        tile[i] = math_vector<OP, MATH_SHORT>(tile[i], w, v * MATH_WIDTH);
    }
}

// ANCHOR: inner
template <elementwise_op OP>
static __global__ void bulk(uint16_t *y, const uint16_t *a, const uint16_t *b,
                            uint32_t n, uint32_t cols)
{
    constexpr int STREAMS = OP == ELEMENTWISE_SWIGLU ? 2 : 1;
    __shared__ __align__(128) uint4 tile[STREAMS * TILE];
    __shared__ uint64_t full;
    const uint32_t begin = blockIdx.x * TILE_ELEMENTS;
    const uint64_t once = ptx_evict_first();

    if (!math_aligned(cols) || n - begin < TILE_ELEMENTS) {
        for (uint32_t i = threadIdx.x; i < TILE; i += THREADS)
            math_singly<OP, MATH_SHORT>(y, a, b, begin + i * MATH_WIDTH, n,
                                        cols);
        return;
    }
    if (threadIdx.x == 0) {
        ptx_mbar_init(&full, 1);
        ptx_mbar_init_fence();
        ptx_mbar_expect(&full, STREAMS * TILE_BYTES);
        ptx_bulk_load(tile, a + begin, TILE_BYTES, &full, once);
        if (STREAMS == 2)
            ptx_bulk_load(tile + TILE, b + begin, TILE_BYTES, &full, once);
    }
    __syncthreads(); /* the barrier is ready */
    ptx_mbar_wait(&full, 0);
    compute<OP>(tile, tile + (STREAMS - 1) * TILE, b, begin, cols);
    ptx_fence_async();
    __syncthreads(); /* all of y is in the tile */
    if (threadIdx.x == 0) {
        ptx_bulk_store(y + begin, tile, TILE_BYTES, once);
        ptx_bulk_commit();
        ptx_bulk_wait_read<0>(); /* shared memory must outlive the store */
    }
}
// ANCHOR_END: inner

extern "C" int elementwise_bulk(const struct kernel_case *c,
                                const struct kernel_env *env, void *const *buf,
                                void *)
{
    const struct math_operands o = math_operands_of(c, env, buf);
    const uint32_t grid = (o.n + TILE_ELEMENTS - 1) / TILE_ELEMENTS;

    return math_dispatch(c, [&](auto k) {
        bulk<decltype(k)::op>
            <<<grid, THREADS, 0, o.stream>>>(o.y, o.a, o.b, o.n, o.cols);
        return (int)cudaGetLastError();
    });
}
