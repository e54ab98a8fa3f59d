/*
 * decode/mma - tensor cores multiply, although most of their rows are empty.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * On CUDA cores an element of a key is unpacked, and multiplied by the queries
 * of a group one by one. The instruction mma.m16n8k16 multiplies 16 queries by
 * 8 keys at once. A group of four heads fills a quarter of its rows; the others
 * are zeros. That costs nothing: tensor cores do 4096 FLOP in a cycle and SM,
 * and memory brings keys for 150, or 600 with all rows counted.
 *
 * A block copies 64 keys and values to shared memory, in rows of 272 bytes so
 * that eight of them begin in different banks. Its four warps have 16 keys of
 * each tile, and sums of their own, which are joined at the end.
 *
 * Nobody multiplies while a tile is loaded, and nothing is loaded while they
 * multiply. Two blocks on an SM fill these gaps in part.
 *
 * Predicts: latency is the limit. 1.1 to 1.7 times decode/split with eight
 * sequences of 8192 keys.
 */
#include "kernels/decode/joiner.cuh"
#include "kernels/decode/tensor.cuh"

enum { THREADS = BESIDE };

template <int ROWS> union space {
    struct {
        uint16_t k[SIDE][DEEP + WIDTH], v[SIDE][DEEP + WIDTH];
    } tile;
    warp_parts<ROWS> sums;
};

/* SIDE rows; those from `rows` on are zeros. */
static __device__ __forceinline__ void place(uint16_t (*to)[DEEP + WIDTH],
                                             const uint16_t *from, int rows)
{
#pragma unroll
    for (int i = 0; i < SIDE * DEEP / WIDTH / THREADS; i++) {
        const int v = threadIdx.x + i * THREADS;
        const int row = v / (DEEP / WIDTH), e = v % (DEEP / WIDTH) * WIDTH;

        *(uint4 *)&to[row][e] = row < rows
                                    ? *(const uint4 *)(from + row * DEEP + e)
                                    : make_uint4(0, 0, 0, 0);
    }
}

template <int ROWS>
static __global__ void __launch_bounds__(THREADS, 2)
    mma(struct attention a, void *scratch)
{
    extern __shared__ __align__(16) char raw[];
    space<ROWS> &now = *(space<ROWS> *)raw;
    const int warp = threadIdx.x / WARP, most = splits_of(a.l);
    const struct row r = row_of(a, blockIdx.y, ROWS);
    const int first = blockIdx.x * SPAN;
    const int end = min(first + SPAN, a.where[r.sequence]);
    const size_t from = keys_of(a, r);
    held x;

    if (first >= end)
        return;
    begin(x, a, r);
    // ANCHOR: inner
    for (int j = first; j < end; j += SIDE) {
        const int left = end - j - warp * MINE;
        const auto k = [&](int row, int e) {
            return &now.tile.k[warp * MINE + row][e];
        };
        const auto v = [&](int row, int e) {
            return &now.tile.v[warp * MINE + row][e];
        };

        __syncthreads(); /* nobody needs the last tile any more */
        place(now.tile.k, a.k + from + (size_t)j * DEEP, end - j);
        place(now.tile.v, a.v + from + (size_t)j * DEEP, end - j);
        __syncthreads(); /* the tile is whole */
        if (left > 0)
            multiply<ROWS>(x, a.scale, left, k, v);
    }
    // ANCHOR_END: inner
    __syncthreads(); /* nobody needs the tile any more */
    show(now.sums, x);
    __syncthreads(); /* the sums of all warps are there */
    for (int h = warp; h < r.heads; h += WARPS) {
        struct weight all;
        const float4 o = join_warps(now.sums, h, all);

        leave(places(a, scratch), query_of(a, r, h) * most + blockIdx.x, 0, o,
              all);
    }
}

template <int ROWS>
static int start(const attention &a, void *scratch, cudaStream_t to)
{
    const dim3 grid(splits_of(a.l), a.b * a.kv * blocks_of_group(a, ROWS));

    mma<ROWS><<<grid, THREADS, sizeof(space<ROWS>), to>>>(a, scratch);
    join_splits<<<joiners_of(a), JOINERS * WARP, 0, to>>>(a, scratch);
    return cudaGetLastError();
}

extern "C" size_t decode_mma_scratch(const struct kernel_case *c,
                                     const struct kernel_env *)
{
    return places_bytes(c);
}

extern "C" int decode_mma(const struct kernel_case *c,
                          const struct kernel_env *env, void *const *buf,
                          void *)
{
    const struct attention a = attention_of(c, buf);

    return few_heads(a)
               ? start<8>(a, buf[DECODE_SCRATCH], (cudaStream_t)env->stream)
               : start<16>(a, buf[DECODE_SCRATCH], (cudaStream_t)env->stream);
}
