/*
 * kernels/step/words.cuh - results of a step that say themselves when they are
 * there.
 *
 * Two neighbours and a tag are a word of 64 bits (kernels/word.cuh), an element
 * of `act` and a short tag one of 32. The tag is the number of the layer,
 * counted over all launches, so what the layer before has left never counts.
 *
 * A word is written again a layer later. Who writes it has all words of the
 * stage before, these come from blocks that have all of the stage before that,
 * and so on around the layer. So everybody who needed the old word has had it.
 * A block that has nothing to do in a stage must not wait for its words: nobody
 * would wait for the block, and the words could be gone when it looks.
 */
#ifndef KERNELS_STEP_WORDS_CUH
#define KERNELS_STEP_WORDS_CUH

#include "kernels/peer.cuh"
#include "kernels/step/persistent.cuh"
#include "kernels/word.cuh"

enum {
    WORDS_TURN = 2 * STAY_THREADS, /* that a block loads at once, 16 bytes */
    WORDS_HIDDEN = ONE_HIDDEN / 2 / WORDS_TURN, /* times for y */
    WORDS_ACT = STAY_ROOM / 4 / STAY_THREADS,   /* times for act */
    WORDS_QUERY = WIDTH / 2,                    /* that a lane has of a head */
};

struct words {
    stay w;
    uint64_t *qkv, *a, *y, *x; /* of 64 bits */
    uint32_t *act;             /* of 32 */
    uint32_t *steps;           /* for each block: layers so far */
};

static __device__ __forceinline__ uint64_t word_of_two(uint32_t two,
                                                       uint32_t tag)
{
    return (uint64_t)two << 32 | tag;
}

static __device__ __forceinline__ uint32_t two_of(uint64_t word)
{
    return (uint32_t)(word >> 32);
}

/* Loads two words again and again until both have the tag. */
static __device__ __forceinline__ void
words_wait(const uint64_t *from, uint32_t tag, uint64_t (&v)[2])
{
    if ((uint32_t)v[0] != tag || (uint32_t)v[1] != tag)
        peer_spin_until([&] {
            word_load_two(from, v);
            return (uint32_t)v[0] == tag && (uint32_t)v[1] == tag;
        });
}

/* ---- what becomes of pairs: a word, and the trace ---- */

/* Queries, keys and values, which lie in a row. */
struct words_turn {
    uint64_t *to;
    uint16_t *trace;
    uint32_t tag;
    int turned, position; /* heads that RoPE turns */

    __device__ uint32_t before(int) const
    {
        return 0;
    }
    __device__ void operator()(int pair, float a, float b, uint32_t) const
    {
        if (pair / (STEP_DEEP / 2) < turned)
            turn_pair(position, pair % (STEP_DEEP / 2), a, b);

        const uint32_t two = bf16_pair(a, b);

        word_store(to + pair, word_of_two(two, tag));
        *(uint32_t *)(trace + 2 * pair) = two;
    }
};

/* They are added to words, or to the step's input. */
struct words_add {
    uint64_t *to;
    uint16_t *trace;
    uint32_t tag;
    const uint64_t *from;
    uint32_t from_tag;
    const uint16_t *input; /* NULL: to words */

    __device__ uint32_t before(int pair) const
    {
        uint64_t v = 0;

        if (input)
            return *(const uint32_t *)(input + 2 * pair);
        peer_spin_until([&] {
            v = word_load(from + pair);
            return (uint32_t)v == from_tag;
        });
        return two_of(v);
    }
    __device__ void operator()(int pair, float a, float b, uint32_t old) const
    {
        const uint32_t two =
            bf16_pair(bf16_first(old) + a, bf16_second(old) + b);

        word_store(to + pair, word_of_two(two, tag));
        *(uint32_t *)(trace + 2 * pair) = two;
    }
};

struct words_gate {
    uint32_t *to;
    uint16_t *trace;
    uint32_t tag;

    __device__ uint32_t before(int) const
    {
        return 0;
    }
    __device__ void operator()(int pair, float gate, float up, uint32_t) const
    {
        const float by = 1.0f / (1.0f + ptx_exp2(-1.44269504f * gate));
        const uint32_t act = bf16_round(gate * by * up);

        word_store_half(to + pair, act << 16 | (tag & 0xffff));
        trace[pair] = (uint16_t)act;
    }
};

/* ---- vectors from words ---- */

/* Does the block have pairs of a stage whose first belongs to warp `base`? */
static __device__ inline bool words_work(int base, int pairs)
{
    bool some = pairs >= stay_all();

    for (int i = 0; i < STAY_WARPS && !some; i++) {
        const int at = i * (int)gridDim.x + (int)blockIdx.x - base;

        some = (at < 0 ? at + stay_all() : at) < pairs;
    }
    return some;
}

/* A thread's words of a vector of `hidden` elements; or its elements of the
 * step's input. */
static __device__ inline void words_take(uint64_t (&v)[WORDS_HIDDEN][2],
                                         const uint64_t *from, uint32_t tag,
                                         const uint16_t *input, int hidden)
{
#pragma unroll
    for (int j = 0; j < WORDS_HIDDEN; j++) {
        const int i = j * WORDS_TURN + threadIdx.x * 2;

        v[j][0] = v[j][1] = 0;
        if (i >= hidden / 2)
            continue;
        if (input) {
            const uint2 four = *(const uint2 *)(input + 2 * i);

            v[j][0] = word_of_two(four.x, 0);
            v[j][1] = word_of_two(four.y, 0);
        } else
            word_load_two(from + i, v[j]);
    }
#pragma unroll
    for (int j = 0; j < WORDS_HIDDEN; j++) {
        const int i = j * WORDS_TURN + threadIdx.x * 2;

        if (!input && i < hidden / 2)
            words_wait(from + i, tag, v[j]);
    }
}

/* The block's vector is those words. */
static __device__ inline void words_copy(stay_shared *s, const uint64_t *from,
                                         uint32_t tag, int hidden)
{
    uint64_t v[WORDS_HIDDEN][2];

    words_take(v, from, tag, nullptr, hidden);
    __syncthreads(); /* nobody reads the vector before */
#pragma unroll
    for (int j = 0; j < WORDS_HIDDEN; j++) {
        const int i = j * WORDS_TURN + threadIdx.x * 2;

        if (i < hidden / 2)
            *(uint2 *)(s->vector + 2 * i) =
                make_uint2(two_of(v[j][0]), two_of(v[j][1]));
    }
    __syncthreads(); /* the vector is whole */
}

// ANCHOR: norm
/* The same, normalised. Gains are no result, so they come first. */
static __device__ inline void words_norm(stay_shared *s, const uint64_t *from,
                                         uint32_t tag, const uint16_t *input,
                                         const uint16_t *gain, int hidden,
                                         float shrink)
{
    uint64_t v[WORDS_HIDDEN][2];
    uint2 own[WORDS_HIDDEN] = {};
    float sum = 0;

#pragma unroll
    for (int j = 0; j < WORDS_HIDDEN; j++) {
        const int i = j * WORDS_TURN + threadIdx.x * 2;

        if (i < hidden / 2)
            own[j] = *(const uint2 *)(gain + 2 * i);
    }
    words_take(v, from, tag, input, hidden);
#pragma unroll
    for (int j = 0; j < WORDS_HIDDEN; j++)
#pragma unroll
        for (int n = 0; n < 2; n++) {
            const uint32_t two = two_of(v[j][n]);

            sum += bf16_first(two) * bf16_first(two);
            sum += bf16_second(two) * bf16_second(two);
        }
    sum = sum_warp(sum);
    if (stay_lane() == 0)
        s->part[stay_warp()] = sum;
    __syncthreads(); /* the sums are there, and nobody reads the vector */
    sum = 0;
    for (int i = 0; i < STAY_WARPS; i++)
        sum += s->part[i];
    const float by = norm_factor(sum, hidden, shrink);

#pragma unroll
    for (int j = 0; j < WORDS_HIDDEN; j++) {
        const int i = j * WORDS_TURN + threadIdx.x * 2;

        if (i < hidden / 2)
            *(uint2 *)(s->vector + 2 * i) =
                make_uint2(normal_pair(two_of(v[j][0]), own[j].x, by),
                           normal_pair(two_of(v[j][1]), own[j].y, by));
    }
    __syncthreads(); /* the vector is whole */
}
// ANCHOR_END: norm

/* The block's vector is `act`. */
static __device__ inline void words_act(stay_shared *s, const uint32_t *from,
                                        uint32_t tag, int ffn)
{
    const uint32_t low = tag & 0xffff;
    uint32_t v[WORDS_ACT][4];
    const auto here = [&](const uint32_t(&x)[4]) {
        return (x[0] & 0xffff) == low && (x[1] & 0xffff) == low &&
               (x[2] & 0xffff) == low && (x[3] & 0xffff) == low;
    };

#pragma unroll
    for (int j = 0; j < WORDS_ACT; j++) {
        const int i = (j * STAY_THREADS + threadIdx.x) * 4;

        if (i < ffn)
            word_load_four(from + i, v[j]);
    }
    __syncthreads(); /* nobody reads the vector before */
#pragma unroll
    for (int j = 0; j < WORDS_ACT; j++) {
        const int i = (j * STAY_THREADS + threadIdx.x) * 4;

        if (i >= ffn)
            continue;
        if (!here(v[j]))
            peer_spin_until([&] {
                word_load_four(from + i, v[j]);
                return here(v[j]);
            });
        *(uint2 *)(s->vector + i) =
            make_uint2(v[j][0] >> 16 | (v[j][1] & 0xffff0000u),
                       v[j][2] >> 16 | (v[j][3] & 0xffff0000u));
    }
    __syncthreads(); /* the vector is whole */
}

/* ---- attention ---- */

/* A lane's eight elements of a head's query, key or value. */
static __device__ inline uint4 words_eight(const uint64_t *head, uint32_t tag)
{
    const uint64_t *const from =
        head + stay_lane() % ATTEND_LANES * WORDS_QUERY;
    uint64_t v[2][2];

    word_load_two(from, v[0]);
    word_load_two(from + 2, v[1]);
    words_wait(from, tag, v[0]);
    words_wait(from + 2, tag, v[1]);
    return make_uint4(two_of(v[0][0]), two_of(v[0][1]), two_of(v[1][0]),
                      two_of(v[1][1]));
}

template <int G>
static __device__ inline void words_attend(stay_state &z, const words &x,
                                           stay_shared *s, size_t left,
                                           uint32_t tag)
{
    const int row = stay_row(x.w), kv = x.w.t.kv, half = STEP_DEEP / 2;
    attend_lane<G> lane;

    if (row >= kv)
        return;
#pragma unroll
    for (int g = 0; g < G; g++)
        stay_query<G>(lane, g, words_eight(x.qkv + (row * G + g) * half, tag));
    __syncthreads(); /* nobody reads the vector before */
    stay_attend<G>(
        lane, z, x.w, s,
        [&](attend_lane<G> &all) {
            const uint64_t *const newest = x.qkv + (kv * G + row) * half;
            const uint4 k[1] = {words_eight(newest, tag)};
            const uint4 v[1] = {words_eight(newest + kv * half, tag)};
            const bool exists[1] = {stay_lane() < ATTEND_LANES};

            attend_take<G, 1>(all, x.w.t.scale, k, v, exists);
        },
        [&](uint2 two) {
            const int at =
                (row * G + stay_warp()) * STEP_DEEP + stay_lane() * 4;

            word_store(x.a + at / 2, word_of_two(two.x, tag));
            word_store(x.a + at / 2 + 1, word_of_two(two.y, tag));
            *(uint2 *)(x.w.t.a + left + at) = two;
        });
}

/* ---- the host's side ---- */

static inline size_t words_at(const struct step_shape *s, int sms)
{
    return (stay_bytes(s, sms) + 255) / 256 * 256;
}

/* Bytes: of 64 bits, of 32, and a counter for each block. */
static inline size_t words_bytes(const struct step_shape *s, int sms)
{
    return words_at(s, sms) + ((size_t)s->qkv + 3 * (size_t)s->hidden) / 2 * 8 +
           (size_t)s->ffn * 4 + (size_t)sms * sizeof(uint32_t);
}

static inline struct words words_of(const struct kernel_case *c, int sms,
                                    void *const *buf)
{
    const struct step_shape s = step_shape(c);
    struct words x;

    x.w = stay_of(c, sms, buf);
    x.qkv = (uint64_t *)((char *)step_scratch(&s, buf) + words_at(&s, sms));
    x.a = x.qkv + s.qkv / 2;
    x.y = x.a + s.hidden / 2;
    x.x = x.y + s.hidden / 2;
    x.act = (uint32_t *)(x.x + s.hidden / 2);
    x.steps = x.act + s.ffn;
    return x;
}

#endif
