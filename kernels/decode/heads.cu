/*
 * decode/heads - a warp takes up to 32 heads.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * The kernels before take sixteen heads at most. If 32 share their keys, two
 * blocks read the same keys, one of them from the L2 at best. Keys as rows, as
 * in decode/swap, make heads cheap: eight more are one product more for each 16
 * keys by 16 elements that are there anyway. But sums take 32 registers for
 * each eight heads, and queries 16 more.
 *
 * Here queries stay in shared memory, as operands: a lane reads its two words
 * with each product. That leaves registers for the sums of 32 heads.
 *
 * The share of a block is computed in 32 bits, besides. A division of 64 bits
 * is a call of some hundred instructions, and two of them stand before the
 * first byte is asked for, two more before each row.
 *
 * Predicts: memory is the limit of long rows. 0.55 to 0.85 times the time of
 * decode/waves where 32 heads share the keys of eight sequences; and of one
 * sequence of 1024 keys, which latency limits, up to 7 % less than decode/swap.
 */
#include "kernels/decode/even.cuh"
#include "kernels/decode/swapped.cuh"

/* Slots beside the sums of so many heads, and their queries. */
template <int ROWS>
constexpr int slots_for = ROWS == 8    ? 6
                          : ROWS == 16 ? 5
                                       : 4;

/* Right operands: two words of each lane for 16 elements of eight heads. */
template <int ROWS> struct queries {
    uint2 of[DEEP / 16][ROWS / 8][WARP];
};

/* Those that multiply: the queries of a row, when nobody needs those of the row
 * before; a warp has every fourth piece of 16 elements. */
template <int ROWS>
static __device__ __forceinline__ void begin(swapped<ROWS> &x, queries<ROWS> &q,
                                             const attention &a,
                                             const struct row &r)
{
    const int lane = threadIdx.x % WARP, head = lane / 4;
    const uint16_t *const from =
        a.q + (size_t)(query_of(a, r, 0) + head) * DEEP + lane % 4 * 2;

    for (int e = threadIdx.x / WARP; e < DEEP / 16; e += WARPS)
#pragma unroll
        for (int n = 0; n < ROWS / 8; n++) {
            const uint16_t *const at = from + 8 * n * DEEP + e * 16;

            q.of[e][n][lane] = head + 8 * n < r.heads
                                   ? make_uint2(*(const uint32_t *)at,
                                                *(const uint32_t *)(at + WIDTH))
                                   : make_uint2(0, 0);
        }
#pragma unroll
    for (int n = 0; n < ROWS / 8; n++) {
#pragma unroll
        for (int e = 0; e < DEEP / 16; e++)
#pragma unroll
            for (int i = 0; i < 4; i++)
                x.o[e][n][i] = 0;
        x.all[n][0] = x.all[n][1] = {-INFINITY, 0};
    }
    ptx_sync_some(ALL_MULTIPLY, BESIDE); /* the queries are there */
}

/* Zeros for values that there are not: elements 0 and 1 are of upper keys. */
static __device__ __forceinline__ void hide_absent(uint32_t (&v)[4], int left)
{
    const int key = threadIdx.x % 4 * 2;

#pragma unroll
    for (int i = 0; i < 4; i++)
        v[i] &= (key + i / 2 * 8 < left ? 0xffffu : 0) |
                (key + i / 2 * 8 + 1 < left ? 0xffff0000u : 0);
}

// ANCHOR: multiply
/* A warp: 16 keys, of which `left` are there, by all heads. */
template <int ROWS, class K, class V>
static __device__ __forceinline__ void multiply(swapped<ROWS> &x,
                                                const queries<ROWS> &q,
                                                float scale, int left, K k, V v)
{
    const int lane = threadIdx.x % WARP, N = ROWS / 8;
    float s[1][N][4] = {};
    uint32_t p[N][2], b[4];

#pragma unroll
    for (int e = 0; e < DEEP / 16; e++) {
        ptx_ldmatrix(b, k(lane % 16, e * 16 + lane / 16 * WIDTH));
#pragma unroll
        for (int n = 0; n < N; n++) {
            const uint2 w = q.of[e][n][lane];

            ptx_mma_bf16(s[0][n], b, w.x, w.y);
        }
    }
#pragma unroll
    for (int n = 0; n < N; n++) {
        float back[2];

        weigh(s, n, scale, left, x.all[n], back);
#pragma unroll
        for (int i = 0; i < 2; i++)
            p[n][i] = ptx_turn(bf16_pair(s[0][n][2 * i], s[0][n][2 * i + 1]));
#pragma unroll
        for (int e = 0; e < DEEP / 16; e++)
#pragma unroll
            for (int i = 0; i < 4; i++)
                x.o[e][n][i] *= back[i % 2];
    }
#pragma unroll
    for (int e = 0; e < DEEP / 16; e++) {
        ptx_ldmatrix_turned(
            b, v(lane / 16 * 8 + lane % 8, e * 16 + lane / 8 % 2 * WIDTH));
        if (left < AT_ONCE)
            hide_absent(b, left);
#pragma unroll
        for (int n = 0; n < N; n++)
            ptx_mma_bf16(x.o[e][n], b, p[n][0], p[n][1]);
    }
}
// ANCHOR_END: multiply

/* What take() of kernels/decode/ring.cuh multiplies with. */
template <int ROWS> struct with_queries {
    swapped<ROWS> x;
    const queries<ROWS> *q;
};

template <int ROWS, class K, class V>
static __device__ __forceinline__ void multiply(with_queries<ROWS> &w,
                                                float scale, int left, K k, V v)
{
    multiply(w.x, *w.q, scale, left, k, v);
}

/* Those that multiply: n tiles of a row of the share, from number `count` on;
 * multiply_row() of kernels/decode/share.cuh, but for 64 bits. */
template <int SLOTS, int ROWS>
static __device__ __forceinline__ void
multiply_even(const attention &a, const room<SLOTS, ROWS> &now,
              queries<ROWS> &q, const struct share &s, const left &to,
              const struct place &p, int n, int count)
{
    const int number = p.sequence * rows_of<ROWS>(a) + p.row;
    const int begin_of_row = s.begin + count - p.tile;
    const int first = block_even(s, begin_of_row);
    const int last = block_even(s, begin_of_row + p.tiles - 1);
    const struct row r = row_of(a, number, ROWS);
    const int lane_row = threadIdx.x % WARP / 4;
    with_queries<ROWS> w = {{}, &q};

    begin(w.x, q, a, r);
    for (int i = 0; i < n; i++)
        take(now, w, a.scale, count + i, p.keys - (p.tile + i) * SIDE);
    ptx_sync_some(ALL_MULTIPLY, BESIDE); /* nobody reads the sums before */
    show_swapped(*now.sums, w.x,
                 [&](int e, int i) { return e * 16 + lane_row + 4 * i; });
    ptx_sync_some(ALL_MULTIPLY, BESIDE); /* the sums of all warps are there */
    finish<ROWS>(
        a, r, *now.sums, to.places, last - first + 1, (int)blockIdx.x - first,
        [&](int i) { return 2 * (first + i) + (i == 0); }, to.count + number);
}

template <int ROWS>
static __global__ void __launch_bounds__(THREADS, 1)
    heads(struct attention a, const __grid_constant__ maps m, left to)
{
    extern __shared__ char raw[];
    const room<slots_for<ROWS>, ROWS> now(raw);
    queries<ROWS> &q = *(queries<ROWS> *)(now.empty + slots_for<ROWS>);
    const struct share s = share_even<ROWS>(a);

    each_row<ROWS>(a, s, [&](const struct place &p, int n, int count) {
        if (fetches())
            fetch_row(a, now, m, p, n, count);
        else
            multiply_even(a, now, q, s, to, p, n, count);
    });
}

/* ---- the host's part ---- */

template <int ROWS>
static int start(const attention &a, const maps &m,
                 const struct kernel_env *env, void *scratch)
{
    const int shared =
        room<slots_for<ROWS>, ROWS>::SHARED + (int)sizeof(queries<ROWS>);
    const int error = with_room(heads<ROWS>, shared);

    if (error)
        return error;
    heads<ROWS><<<env->sms, THREADS, shared, (cudaStream_t)env->stream>>>(
        a, m, left_at<ROWS>(env->sms, scratch));
    return cudaGetLastError();
}

/* Heads that a block takes. */
static int most_for(const attention &a)
{
    const int group = a.heads / a.kv;

    return group <= 8 ? 8 : group <= 16 ? 16 : 32;
}

extern "C" size_t decode_heads_scratch(const struct kernel_case *c,
                                       const struct kernel_env *env)
{
    void *const none[DECODE_SCRATCH] = {};
    const struct attention a = attention_of(c, none);
    const int most = most_for(a);

    return parts_bytes(2 * env->sms, most) +
           a.b * a.kv * blocks_of_group(a, most) * sizeof(uint32_t);
}

extern "C" const char *decode_heads_prepare(const struct kernel_case *c,
                                            const struct kernel_env *,
                                            void *const *buf, void **state)
{
    return maps_open(c, buf, state);
}

extern "C" int decode_heads(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    const struct attention a = attention_of(c, buf);
    const maps &m = *(const maps *)state;
    void *const scratch = buf[DECODE_SCRATCH];

    switch (most_for(a)) {
    case 8:
        return start<8>(a, m, env, scratch);
    case 16:
        return start<16>(a, m, env, scratch);
    default:
        return start<32>(a, m, env, scratch);
    }
}
