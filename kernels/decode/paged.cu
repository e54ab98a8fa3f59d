/*
 * decode/paged - keys lie in pages, wherever there was room.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * A server does not know how long a sequence becomes. So it gives room page by
 * page (PagedAttention, Kwon and others, arXiv 2309.06180), and a table says
 * which pages a sequence has. This is decode/waves, but that the warp which
 * asks looks pages up: each lane reads an entry of the table, 32 entries ahead
 * of their use.
 *
 * A page of 64 keys is a tile: four copies of 8 KB, as before. Pages of 16 keys
 * take sixteen copies of 2 KB. Pages and parts of pages behind the last key are
 * not asked for, or not looked at.
 *
 * Predicts: memory is the limit. 0.97 to 1.0 times the bandwidth of
 * decode/waves with pages of 64 keys, and 0.90 to 1.0 with pages of 16, for 32
 * sequences of 8192 keys.
 */
#include "kernels/decode/share.cuh"

// ANCHOR: fetch
/* The warp that asks: n tiles of a row, from tile p.tile on. */
template <int PAGE, int SLOTS, int ROWS>
static __device__ __forceinline__ void
fetch_pages(const attention &a, const room<SLOTS, ROWS> &now, const maps &m,
            const struct place &p, int n, int count)
{
    const int EACH = SIDE / PAGE, lane = threadIdx.x % WARP;
    const int number = p.sequence * rows_of<ROWS>(a) + p.row;
    const struct row r = row_of(a, number, ROWS);
    const int32_t *const table = a.where + a.b + p.sequence * a.room;
    const int first = p.tile * EACH + lane;
    const auto look_up = [&](int at) {
        return first + at < a.room ? table[first + at] : 0;
    };
    int ids = 0, next = look_up(0);

    for (int i = 0; i < n; i++) {
        const int at = i * EACH % WARP;
        const int keys = min(SIDE, p.keys - (p.tile + i) * SIDE);
        int row[EACH];

        if (at == 0) {
            ids = next;
            next = look_up(i * EACH + WARP);
        }
#pragma unroll
        for (int e = 0; e < EACH; e++)
            row[e] =
                (__shfl_sync(0xffffffffu, ids, at + e) * a.kv + r.head) * PAGE;
        ask<PAGE>(now, m, count + i, ceil_div(keys, PAGE), row);
    }
}
// ANCHOR_END: fetch

template <int ROWS, int PAGE>
static __global__ void __launch_bounds__(THREADS, 1)
    paged(struct attention a, const __grid_constant__ maps m, left to)
{
    extern __shared__ char raw[];
    const room<slots_beside<ROWS>, ROWS> now(raw);
    const struct share s = share_of<ROWS>(a);

    each_row<ROWS>(a, s, [&](const struct place &p, int n, int count) {
        if (fetches())
            fetch_pages<PAGE>(a, now, m, p, n, count);
        else
            multiply_row<held>(a, now, s, to, p, n, count);
    });
}

template <int ROWS, int PAGE>
static int start(const attention &a, const maps &m,
                 const struct kernel_env *env, void *scratch)
{
    const int shared = room<slots_beside<ROWS>, ROWS>::SHARED;
    const cudaStream_t stream = (cudaStream_t)env->stream;
    const int error = with_room(paged<ROWS, PAGE>, shared);

    if (error)
        return error;
    paged<ROWS, PAGE><<<env->sms, THREADS, shared, stream>>>(
        a, m, left_at<ROWS>(env->sms, scratch));
    return cudaGetLastError();
}

extern "C" size_t decode_paged_scratch(const struct kernel_case *c,
                                       const struct kernel_env *env)
{
    return left_scratch(c, env);
}

extern "C" const char *decode_paged_prepare(const struct kernel_case *c,
                                            const struct kernel_env *,
                                            void *const *buf, void **state)
{
    return maps_open(c, buf, state);
}

extern "C" int decode_paged(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    const struct attention a = attention_of(c, buf);
    const maps &m = *(const maps *)state;
    void *const scratch = buf[DECODE_SCRATCH];

    if (a.page == SIDE)
        return few_heads(a) ? start<8, SIDE>(a, m, env, scratch)
                            : start<16, SIDE>(a, m, env, scratch);
    return few_heads(a) ? start<8, 16>(a, m, env, scratch)
                        : start<16, 16>(a, m, env, scratch);
}
