/*
 * decode/tall - a warp takes 32 keys at a time.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * For each 16 keys a warp of decode/last multiplies, looks for a maximum by two
 * shuffles, scales its sums, and multiplies again, and each waits for what is
 * before it. With 32 keys there are two products side by side, but one maximum
 * and one scaling.
 *
 * So that bytes under way stay as many, slots do, too: three of 8 KB. A slot
 * has 32 keys, or 32 values, and the keys' slot is free for the values after
 * next as soon as there are scores. Blocks and pieces are those of decode/last.
 *
 * Predicts: memory is the limit, and was before. 0.98 to 1.02 times the
 * bandwidth of decode/last with 32 sequences of 8192 keys.
 */
#include "kernels/decode/pieces.cuh"
#include "kernels/decode/stages.cuh"

enum { TWICE = 2, TALL = TWICE * AT_ONCE /* keys of a warp in a turn */ };

/* A slot: 32 keys or 32 values. */
struct half {
    rows of[TWICE];
};

static_assert(WARPS * SLOTS * sizeof(half) <= SHARED, "slots fit");

// ANCHOR: multiply
/* Scores of 32 keys, of which `left` are there. */
static __device__ __forceinline__ void
score(float (&s)[TWICE][AT_ONCE / 2], const held &x, half &keys, int left)
{
    const int lane = threadIdx.x % WARP;

#pragma unroll
    for (int e = 0; e < DEEP; e += 16)
#pragma unroll
        for (int j = 0; j < TWICE; j++) {
            uint32_t b[4];

            ptx_ldmatrix(b, keys.of[j].at(lane / 16 * 8 + lane % 8,
                                          e + lane / 8 % 2 * WIDTH));
            ptx_mma_bf16(&s[j][0], x.q[e / 16], b[0], b[1]);
            ptx_mma_bf16(&s[j][4], x.q[e / 16], b[2], b[3]);
        }
    if (left < TALL)
#pragma unroll
        for (int j = 0; j < TWICE; j++)
            hide(s[j], left - j * AT_ONCE);
}

/* As soften() of kernels/decode/tensor.cuh, for all 32 at once. */
template <int ROWS>
static __device__ __forceinline__ void
soften_all(float (&s)[TWICE][AT_ONCE / 2], float scale, struct weight (&all)[2],
           float (&back)[2])
{
#pragma unroll
    for (int h = 0; h < 2; h++) {
        const auto mine = [&](int i)
            -> float & { /* eight of them */
                         return s[i / 4][i / 2 % 2 * 4 + 2 * h + i % 2];
        };
        const int N = 4 * TWICE;
        float most = -INFINITY, sum = 0;

        back[h] = 1;
        if (h >= ROWS / 8) { /* rows of nobody */
#pragma unroll
            for (int i = 0; i < N; i++)
                mine(i) = 0;
            continue;
        }
#pragma unroll
        for (int i = 0; i < N; i++)
            most = fmaxf(most, mine(i));
        most = fmaxf(all[h].top, over_four(most, false) * scale);
        back[h] = ptx_exp2(all[h].top - base_of(most));
#pragma unroll
        for (int i = 0; i < N; i++)
            sum += mine(i) = ptx_exp2(mine(i) * scale - base_of(most));
        all[h] = {most, all[h].sum * back[h] + sum};
    }
}

/* Adds weights times values. */
static __device__ __forceinline__ void add(held &x,
                                           float (&s)[TWICE][AT_ONCE / 2],
                                           const float (&back)[2], half &values,
                                           int left)
{
    const int lane = threadIdx.x % WARP;

#pragma unroll
    for (int e = 0; e < DEEP; e += 16) {
        float *const o = &x.o[e / 2];

#pragma unroll
        for (int i = 0; i < 8; i++)
            o[i] *= back[i / 2 % 2];
#pragma unroll
        for (int j = 0; j < TWICE; j++) {
            const uint32_t p[4] = {
                bf16_pair(s[j][0], s[j][1]), bf16_pair(s[j][2], s[j][3]),
                bf16_pair(s[j][4], s[j][5]), bf16_pair(s[j][6], s[j][7])};
            uint32_t b[4];

            ptx_ldmatrix_turned(
                b, values.of[j].at(lane % 16, e + lane / 16 * WIDTH));
            if (left < (j + 1) * AT_ONCE)
                hide_values(b, left - j * AT_ONCE);
            ptx_mma_bf16(o, p, b[0], b[1]);
            ptx_mma_bf16(o + 4, p, b[2], b[3]);
        }
    }
}
// ANCHOR_END: multiply

// ANCHOR: inner
/* The block: keys `first` to `end` of a row, as attend(). Copy number 2 i is of
 * keys, the next one of their values. */
template <int ROWS>
static __device__ __forceinline__ warp_parts<ROWS> &
attend_tall(char *raw, const attention &a, const struct row &r, int first,
            int end)
{
    const int warp = threadIdx.x / WARP, mine = first + warp * TALL;
    const int turns = max(0, ceil_div(end - mine, WARPS * TALL));
    half *const ring = (half *)raw + warp * SLOTS;
    held x;

    const auto ask = [&](int n) {
        const int j = mine + n / 2 * WARPS * TALL;
        const uint16_t *const from =
            (n % 2 ? a.v : a.k) + keys_of(a, r) + (size_t)j * DEEP;

        for (int i = 0; i < TWICE && n < 2 * turns; i++)
            place(ring[n % SLOTS].of[i], from + i * AT_ONCE * DEEP,
                  end - j - i * AT_ONCE);
        ptx_copies_commit();
    };
    const auto next =
        [&](int n) -> half & { /* copy n has come */
                               ptx_copies_wait<SLOTS - 2>();
                               __syncwarp(); /* the copies of all lanes, and the
                                                last slot is free */
                               ask(n + SLOTS - 1);
                               return ring[n % SLOTS];
    };

    for (int n = 0; n < SLOTS - 1; n++)
        ask(n);
    begin(x, a, r);
    for (int i = 0; i < turns; i++) {
        const int left = end - mine - i * WARPS * TALL;
        float s[TWICE][AT_ONCE / 2] = {}, back[2];

        score(s, x, next(2 * i), left);
        soften_all<ROWS>(s, a.scale, x.all, back);
        add(x, s, back, next(2 * i + 1), left);
    }
    ptx_copies_wait<0>();
    __syncthreads(); /* nobody needs the slots any more */
    warp_parts<ROWS> &sums = *(warp_parts<ROWS> *)raw;

    show(sums, x);
    __syncthreads(); /* the sums of all warps are there */
    return sums;
}
// ANCHOR_END: inner

template <int ROWS>
static __global__ void __launch_bounds__(THREADS, 2)
    tall(struct attention a, pieces p)
{
    extern __shared__ __align__(128) char raw[];
    const struct row r = row_of(a, blockIdx.y, ROWS);
    const int first = blockIdx.x * SPAN, keys = a.where[r.sequence];

    if (first >= keys)
        return;
    finish_piece(
        a, r, attend_tall<ROWS>(raw, a, r, first, min(first + SPAN, keys)), p);
}

template <int ROWS>
static int start(const attention &a, void *scratch, cudaStream_t to)
{
    const dim3 grid(splits_of(a.l), a.b * a.kv * blocks_of_group(a, ROWS));
    const int error = with_room(tall<ROWS>, SHARED);

    if (error)
        return error;
    tall<ROWS><<<grid, THREADS, SHARED, to>>>(a, pieces_at<ROWS>(a, scratch));
    return cudaGetLastError();
}

extern "C" size_t decode_tall_scratch(const struct kernel_case *c,
                                      const struct kernel_env *)
{
    return pieces_scratch(c);
}

extern "C" int decode_tall(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void *)
{
    const struct attention a = attention_of(c, buf);

    return few_heads(a)
               ? start<8>(a, buf[DECODE_SCRATCH], (cudaStream_t)env->stream)
               : start<16>(a, buf[DECODE_SCRATCH], (cudaStream_t)env->stream);
}
