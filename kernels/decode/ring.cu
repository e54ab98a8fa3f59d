/*
 * decode/ring - the TMA brings tiles, and a warp of its own asks for them.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * In decode/last each lane computes 16 addresses and starts 16 copies for each
 * tile, and waits for its own. Here a lane of a fifth warp starts four copies
 * of 8 KB, and the TMA does the rest. Slots of 64 keys and values are handed
 * over by mbarriers: `full` counts the bytes that have come, `empty` the warps
 * that have read them.
 *
 * A block has three slots of 32 KB, and two blocks fit an SM. Copies of other
 * blocks go on while a block begins or ends.
 *
 * Predicts: memory is the limit. 0.97 to 1.06 times decode/last with 32
 * sequences of 8192 keys: that has enough bytes under way, too.
 */
#include "kernels/decode/pieces.cuh"
#include "kernels/decode/ring.cuh"

enum { SLOTS = 3 };

template <int ROWS>
static __global__ void __launch_bounds__(THREADS, 2)
    ring(struct attention a, const __grid_constant__ maps m, pieces p)
{
    extern __shared__ char raw[];
    const struct row r = row_of(a, blockIdx.y, ROWS);
    const int first = blockIdx.x * SPAN;
    const int keys = min(SPAN, a.where[r.sequence] - first);
    const int tiles = ceil_div(keys, SIDE);

    if (keys <= 0)
        return;
    const room<SLOTS, ROWS, true> now(raw);

    // ANCHOR: inner
    if (fetches()) {
        const int row = (int)(keys_of(a, r) / DEEP) + first;

        for (int i = 0; i < tiles; i++)
            ask<SIDE>(now, m, i, 1, {row + i * SIDE});
        return;
    }
    held x;

    begin(x, a, r);
    for (int i = 0; i < tiles; i++)
        take(now, x, a.scale, i, keys - i * SIDE);
    ptx_sync_some(ALL_MULTIPLY, BESIDE); /* nobody needs the slots any more */
    show(*now.sums, x);
    ptx_sync_some(ALL_MULTIPLY, BESIDE); /* the sums of all warps are there */
    finish_piece(a, r, *now.sums, p);
    // ANCHOR_END: inner
}

template <int ROWS>
static int start(const attention &a, const maps &m, void *scratch,
                 cudaStream_t to)
{
    const int shared = room<SLOTS, ROWS, true>::SHARED;
    const dim3 grid(splits_of(a.l), a.b * a.kv * blocks_of_group(a, ROWS));
    const int error = with_room(ring<ROWS>, shared);

    if (error)
        return error;
    ring<ROWS>
        <<<grid, THREADS, shared, to>>>(a, m, pieces_at<ROWS>(a, scratch));
    return cudaGetLastError();
}

extern "C" size_t decode_ring_scratch(const struct kernel_case *c,
                                      const struct kernel_env *)
{
    return pieces_scratch(c);
}

extern "C" const char *decode_ring_prepare(const struct kernel_case *c,
                                           const struct kernel_env *,
                                           void *const *buf, void **state)
{
    return maps_open(c, buf, state);
}

extern "C" int decode_ring(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *state)
{
    const struct attention a = attention_of(c, buf);

    return few_heads(a)
               ? start<8>(a, *(const maps *)state, buf[DECODE_SCRATCH],
                          (cudaStream_t)env->stream)
               : start<16>(a, *(const maps *)state, buf[DECODE_SCRATCH],
                           (cudaStream_t)env->stream);
}

extern "C" void decode_release(void *state)
{
    free(state);
}
