/*
 * decode/whole - the TMA copies keys as they lie in memory.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * decode/ring has the blocks and pieces of decode/last, and reads the same
 * places, but is slower. One difference is left: a tensor map with a swizzle
 * moves panels, 128 bytes wide. So the TMA asks for every other 128 bytes of 64
 * keys, and then for those between them. The L2 has 256 bytes fetched for each
 * (promotion), and should have the second half when it is asked for. If it has
 * not always, memory is read twice.
 *
 * Here the TMA copies keys in pieces of 8 KB and values in pieces of 2 KB, each
 * a run of memory. A swizzle that tensor cores need is left to how pieces lie
 * and to which lane reads what (kernels/decode/whole.cuh). Keys are the rows of
 * products, as in decode/swap, which changed nothing by itself.
 *
 * Predicts: memory is the limit. 1.02 to 1.10 times the bandwidth of
 * decode/ring with 32 sequences of 8192 keys, as fast as decode/last or faster.
 * If it changes nothing, panels are innocent.
 */
#include "kernels/decode/pieces.cuh"
#include "kernels/decode/operands.cuh"

enum { SLOTS = 3 };

template <int ROWS>
static __global__ void __launch_bounds__(THREADS, 2)
    whole(struct attention a, pieces p)
{
    extern __shared__ __align__(128) char raw[];
    const struct row r = row_of(a, blockIdx.y, ROWS);
    const int first = blockIdx.x * SPAN, row = blockIdx.y;
    const int has = a.where[r.sequence], keys = min(SPAN, has - first);
    const int tiles = ceil_div(keys, SIDE);

    if (keys <= 0)
        return;
    const slots<SLOTS, ROWS, true> now(raw);

    // ANCHOR: inner
    if (fetches()) {
        const size_t from = keys_of(a, r) + (size_t)first * DEEP;

        for (int i = 0; i < tiles; i++)
            ask_whole(now, a, i, from + (size_t)i * SIDE * DEEP,
                      keys - i * SIDE);
        return;
    }
    swapped<ROWS> x;

    begin_whole(x, a, r);
    for (int i = 0; i < tiles; i++)
        take_whole(now, x, a.scale, i, keys - i * SIDE);
    ptx_sync_some(ALL_MULTIPLY, BESIDE); /* nobody needs the slots any more */
    show_whole(*now.sums, x);
    ptx_sync_some(ALL_MULTIPLY, BESIDE); /* the sums of all warps are there */
    finish<ROWS>(
        a, r, *now.sums, p.places, splits_of(has), blockIdx.x,
        [&](int i) { return row * p.most + i; }, p.count + row);
    // ANCHOR_END: inner
}

template <int ROWS>
static int start(const attention &a, void *scratch, cudaStream_t to)
{
    const int shared = slots<SLOTS, ROWS, true>::SHARED;
    const dim3 grid(splits_of(a.l), a.b * a.kv * blocks_of_group(a, ROWS));
    const int error = with_room(whole<ROWS>, shared);

    if (error)
        return error;
    whole<ROWS><<<grid, THREADS, shared, to>>>(a, pieces_at<ROWS>(a, scratch));
    return cudaGetLastError();
}

extern "C" size_t decode_whole_scratch(const struct kernel_case *c,
                                       const struct kernel_env *)
{
    return pieces_scratch(c);
}

extern "C" int decode_whole(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    const struct attention a = attention_of(c, buf);

    return few_heads(a)
               ? start<8>(a, buf[DECODE_SCRATCH], (cudaStream_t)env->stream)
               : start<16>(a, buf[DECODE_SCRATCH], (cudaStream_t)env->stream);
}
