/*
 * decode/swap - keys take the sixteen rows of the instruction.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * mma.m16n8k16 multiplies 16 rows by 8 columns. In decode/waves the rows are
 * heads, of which a group has four or eight, so that half of each product and
 * more is zeros. Here rows are 16 keys, and columns 8 heads: K q' in place of q
 * K', and V' p' in place of p V. Half as many products do the same, and sums
 * take half of the registers.
 *
 * Weights come out of the first product with keys as rows, and the second wants
 * them as columns: movmatrix turns them, eight by eight. The maximum of a head
 * is now spread over eight lanes, so it takes three shuffles in place of two.
 *
 * Predicts: memory stays the limit, and nothing changes, within 2 %, from 64 MB
 * on. The products were never what a block waits for.
 */
#include "kernels/decode/ptx.cuh"
#include "kernels/decode/share.cuh"

/* Heads 8 n + 2 t and the next one, where t is the lane mod 4, belong to a
 * lane: weight n, and of each piece of 16 elements sums 4 n to 4 n + 3. */
template <int ROWS> struct swapped {
    enum { N = ROWS / 8, SUMS = DEEP / 16 };

    uint32_t q[SUMS][N][2];
    float o[SUMS][N][4];
    struct weight all[N][2];
};

/* The queries of a row as right operands, straight from memory. */
template <int ROWS>
static __device__ __forceinline__ void
begin(swapped<ROWS> &x, const attention &a, const struct row &r)
{
    const int head = threadIdx.x % WARP / 4, col = threadIdx.x % 4 * 2;
    const uint16_t *const from =
        a.q + (size_t)(query_of(a, r, 0) + head) * DEEP + col;

#pragma unroll
    for (int n = 0; n < ROWS / 8; n++) {
#pragma unroll
        for (int e = 0; e < DEEP / 16; e++) {
#pragma unroll
            for (int i = 0; i < 2; i++)
                x.q[e][n][i] = head + 8 * n < r.heads
                                   ? *(const uint32_t *)(from + 8 * n * DEEP +
                                                         e * 16 + i * 8)
                                   : 0;
#pragma unroll
            for (int i = 0; i < 4; i++)
                x.o[e][n][i] = 0;
        }
        x.all[n][0] = x.all[n][1] = {-INFINITY, 0};
    }
}

/* Over the eight lanes that have other keys of the same heads. */
static __device__ __forceinline__ float over_eight(float v, bool sum)
{
#pragma unroll
    for (int step = 4; step < WARP; step *= 2) {
        const float w = __shfl_xor_sync(0xffffffffu, v, step);

        v = sum ? v + w : fmaxf(v, w);
    }
    return v;
}

// ANCHOR: weights
/* Scores of eight heads become weights; back[] is what old sums must be
 * multiplied by. s[i] is of head i mod 2, and of key l / 4 + 8 (i / 2). */
static __device__ __forceinline__ void weigh(float (&s)[4], float scale,
                                             int left, struct weight (&all)[2],
                                             float (&back)[2])
{
    const int key = threadIdx.x % WARP / 4;

#pragma unroll
    for (int h = 0; h < 2; h++) {
        float &upper = s[h], &lower = s[h + 2];

        upper = key < left ? upper * scale : -INFINITY;
        lower = key + 8 < left ? lower * scale : -INFINITY;
        const float most =
            fmaxf(all[h].top, over_eight(fmaxf(upper, lower), false));
        const float base = base_of(most);

        back[h] = ptx_exp2(all[h].top - base);
        upper = ptx_exp2(upper - base);
        lower = ptx_exp2(lower - base);
        all[h].top = most;
        all[h].sum = all[h].sum * back[h] + upper + lower;
    }
}
// ANCHOR_END: weights

/* As hide_values(): elements 0 and 1 of v are of the upper eight keys. */
static __device__ __forceinline__ void hide_columns(uint32_t (&v)[4], int left)
{
    const int key = threadIdx.x % 4 * 2;

#pragma unroll
    for (int i = 0; i < 4; i++)
        v[i] &= (key + i / 2 * 8 < left ? 0xffffu : 0) |
                (key + i / 2 * 8 + 1 < left ? 0xffff0000u : 0);
}

// ANCHOR: multiply
/* As multiply() of kernels/decode/tensor.cuh. Scores are added up in two sums,
 * so that a product waits for the last but one. */
template <int ROWS, class K, class V>
static __device__ __forceinline__ void multiply(swapped<ROWS> &x, float scale,
                                                int left, K k, V v)
{
    const int lane = threadIdx.x % WARP, N = ROWS / 8;
    float s[N][2][4] = {}, back[N][2];
    uint32_t p[N][2], b[4];

#pragma unroll
    for (int e = 0; e < DEEP / 16; e++) {
        ptx_ldmatrix(b, k(lane % 16, e * 16 + lane / 16 * WIDTH));
#pragma unroll
        for (int n = 0; n < N; n++)
            ptx_mma_bf16(s[n][e % 2], b, x.q[e][n][0], x.q[e][n][1]);
    }
#pragma unroll
    for (int n = 0; n < N; n++) {
#pragma unroll
        for (int i = 0; i < 4; i++)
            s[n][0][i] += s[n][1][i];
        weigh(s[n][0], scale, left, x.all[n], back[n]);
#pragma unroll
        for (int i = 0; i < 2; i++)
            p[n][i] = ptx_turn(bf16_pair(s[n][0][2 * i], s[n][0][2 * i + 1]));
    }
#pragma unroll
    for (int e = 0; e < DEEP / 16; e++) {
        ptx_ldmatrix_turned(
            b, v(lane / 16 * 8 + lane % 8, e * 16 + lane / 8 % 2 * WIDTH));
        if (left < MINE)
            hide_columns(b, left);
#pragma unroll
        for (int n = 0; n < N; n++) {
#pragma unroll
            for (int i = 0; i < 4; i++)
                x.o[e][n][i] *= back[n][i % 2];
            ptx_mma_bf16(x.o[e][n], b, p[n][0], p[n][1]);
        }
    }
}
// ANCHOR_END: multiply

/* A warp: its sums to shared memory. */
template <int ROWS>
static __device__ __forceinline__ void show(warp_parts<ROWS> &to,
                                            const swapped<ROWS> &x)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;

#pragma unroll
    for (int n = 0; n < ROWS / 8; n++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int head = 8 * n + lane % 4 * 2 + h;
            const float sum = over_eight(x.all[n][h].sum, true);

#pragma unroll
            for (int e = 0; e < DEEP / 16; e++)
#pragma unroll
                for (int i = 0; i < 2; i++)
                    to.value[warp][head][e * 16 + lane / 4 + 8 * i] =
                        x.o[e][n][h + 2 * i];
            if (lane / 4 == 0)
                to.weight[warp][head] = {x.all[n][h].top, sum};
        }
}

template <int ROWS>
static __global__ void __launch_bounds__(THREADS, 1)
    swap(struct attention a, const __grid_constant__ maps m, left to)
{
    extern __shared__ char raw[];
    const room<slots_beside<ROWS>, ROWS> now(raw);
    const struct share s = share_of<ROWS>(a);

    each_row<ROWS>(a, s, [&](const struct place &p, int n, int count) {
        if (fetches())
            fetch_row(a, now, m, p, n, count);
        else
            multiply_row<swapped<ROWS>>(a, now, s, to, p, n, count);
    });
}

template <int ROWS>
static int start(const attention &a, const maps &m,
                 const struct kernel_env *env, void *scratch)
{
    const int shared = room<slots_beside<ROWS>, ROWS>::SHARED;
    const int error = with_room(swap<ROWS>, shared);

    if (error)
        return error;
    swap<ROWS><<<env->sms, THREADS, shared, (cudaStream_t)env->stream>>>(
        a, m, left_at<ROWS>(env->sms, scratch));
    return cudaGetLastError();
}

extern "C" size_t decode_swap_scratch(const struct kernel_case *c,
                                      const struct kernel_env *env)
{
    return left_scratch(c, env);
}

extern "C" const char *decode_swap_prepare(const struct kernel_case *c,
                                           const struct kernel_env *,
                                           void *const *buf, void **state)
{
    return maps_open(c, buf, state);
}

extern "C" int decode_swap(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *state)
{
    const struct attention a = attention_of(c, buf);
    const maps &m = *(const maps *)state;
    void *const scratch = buf[DECODE_SCRATCH];

    return few_heads(a) ? start<8>(a, m, env, scratch)
                        : start<16>(a, m, env, scratch);
}
