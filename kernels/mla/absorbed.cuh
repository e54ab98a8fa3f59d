/*
 * kernels/mla/absorbed.cuh - what the kernels of this family share: a case's
 * arguments, and which heads a block has.
 *
 * o = softmax(scale q K') V for each head of each sequence, where a key is a
 * row of 576 elements, and the first 512 of them are its value. Queries are b x
 * heads x 576, outputs b x heads x 512.
 */
#ifndef KERNELS_MLA_ABSORBED_CUH
#define KERNELS_MLA_ABSORBED_CUH

#include "kernels/mla/mla.h"
#include "kernels/prefill/online.cuh"

enum {
    DEEP = LATENT_DEEP,
    VALUE = LATENT_VALUE,
    HIGH = 64, /* heads of a block, at most */
    KEYS = 64, /* of a tile, and of a page */
};

/* A case's arguments. */
struct absorbed {
    uint16_t *o;
    const uint16_t *q, *keys;
    const int32_t *where; /* lengths, and behind them pages */
    int b, heads, l;
    int room;    /* pages of a sequence */
    float scale; /* with log2(e): powers are of two */
};

static inline struct absorbed absorbed_of(const struct kernel_case *c,
                                          void *const *buf)
{
    const struct cache_shape s = mla_shape(c);
    const struct absorbed a = {(uint16_t *)buf[MLA_O],
                               (const uint16_t *)buf[MLA_Q],
                               (const uint16_t *)buf[MLA_KEYS],
                               (const int32_t *)buf[MLA_WHERE],
                               s.b,
                               s.heads,
                               s.l,
                               cache_room(&s),
                               mla_scale(c) * 1.44269504f};

    return a;
}

/* Blocks that share the heads of a sequence. */
static __host__ __device__ inline int shares_of(const absorbed &a)
{
    return ceil_div(a.heads, HIGH);
}

/* Heads of share `n` of a sequence: which query is the first, and how many
 * heads there are. */
struct share {
    int sequence, query, heads;
};

static __device__ __forceinline__ share share_of(const absorbed &a,
                                                 int sequence, int n)
{
    return {sequence, sequence * a.heads + n * HIGH,
            min((int)HIGH, a.heads - n * HIGH)};
}

/* A warp's sums of 16 heads from `row` of the share on, which lie as mma and
 * wgmma leave them (kernels/prefill/online.cuh): divided by the sums of weights
 * and written to the outputs' columns from `left` on. */
template <int S>
static __device__ __forceinline__ void
put_heads(const absorbed &a, const share &w, int row, int left,
          const float (&o)[S], const float (&sum)[2])
{
    const int lane = threadIdx.x % WARP;

#pragma unroll
    for (int below = 0; below < 2; below++) {
        const int head = row + lane / 4 + 8 * below;
        const float by = 1 / sum[below];
        uint16_t *const to =
            a.o + (size_t)(w.query + head) * VALUE + left + lane % 4 * 2;

        if (head >= w.heads)
            continue;
#pragma unroll
        for (int c = 0; c < S / 4; c++)
            *(uint32_t *)(to + c * 8) = bf16_pair(
                o[4 * c + 2 * below] * by, o[4 * c + 2 * below + 1] * by);
    }
}

#endif
