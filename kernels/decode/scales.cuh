/*
 * kernels/decode/scales.cuh - pairs of scales on their way from memory to the
 * lanes that multiply by them (kernels/decode/scales.h says what they are).
 *
 * A file that defines DECODE_SCALED before its includes has a pair for each so
 * many keys. For others all scales here are 1, no byte is copied, and nothing
 * is left of it in their machine code.
 *
 * The pairs of a tile lie behind its values in their slot: 1 KB if each key has
 * one, in a single copy more.
 */
#ifndef KERNELS_DECODE_SCALES_CUH
#define KERNELS_DECODE_SCALES_CUH

#include "kernels/decode/scales.h"
#include "kernels/decode/tensor.cuh"

#ifdef DECODE_SCALED
enum { PAIRS = SIDE / DECODE_SCALED /* of a tile */ };
#else
enum { PAIRS = 0 };
#endif

enum {
    PAIR = 2 * sizeof(float),
    PAIRS_ROOM = (PAIRS * PAIR + 127) / 128 * 128, /* bytes of a slot */
    LANE_KEYS = 2 * MINE / AT_ONCE, /* keys of a lane, which are neighbours */
};

/* A case's arguments with its scales. */
struct scaled : attention {
    const float2 *pairs;
    int pitch; /* pairs from a row to the next */
};

/* Where the pairs of a row begin. */
static __device__ __forceinline__ const float2 *pairs_of(const attention &,
                                                         const struct row &)
{
    return nullptr;
}

static __device__ __forceinline__ const float2 *pairs_of(const scaled &a,
                                                         const struct row &r)
{
    return a.pairs + (size_t)(r.sequence * a.kv + r.head) * a.pitch;
}

/* Bytes of the pairs of a tile that has so many keys from its first one on: a
 * multiple of 16. */
static __device__ __forceinline__ int pairs_bytes(int keys)
{
    return ceil_div(ceil_div(min(keys, (int)SIDE) * PAIRS, SIDE), 2) * 2 * PAIR;
}

// ANCHOR: lane
/* Scales of a lane's keys and of their values. */
struct lane_scales {
    float key[LANE_KEYS], value[LANE_KEYS];
};

/* Those of the keys from number `first` of a tile on. Of its keys `left` are
 * there; the value of another has the scale 0, so that NaN does not come in. */
static __device__ __forceinline__ lane_scales scales_of(const char *pairs,
                                                        int first, int left)
{
    lane_scales by;

#pragma unroll
    for (int j = 0; j < LANE_KEYS; j += 2) {
        const int at = (first + j) * PAIRS / SIDE; /* even if each has one */
        float4 two = make_float4(1, 1, 1, 1);

        if (PAIRS == (int)SIDE) {
            two = ((const float4 *)pairs)[at / 2];
        } else if (PAIRS > 0) {
            const float2 both = ((const float2 *)pairs)[at];

            two = make_float4(both.x, both.y, both.x, both.y);
        }
        by.key[j] = two.x;
        by.value[j] = two.y;
        by.key[j + 1] = two.z;
        by.value[j + 1] = two.w;
    }
#pragma unroll
    for (int j = 0; j < LANE_KEYS; j++)
        if (PAIRS > 0 && left < SIDE && first + j >= left)
            by.value[j] = 0;
    return by;
}
// ANCHOR_END: lane

/* Scores of keys as they are stored become those of the keys themselves. */
template <int T, int N>
static __device__ __forceinline__ void scale_scores(float (&s)[T][N][4],
                                                    const lane_scales &by)
{
#pragma unroll
    for (int i = 0; i < T; i++)
#pragma unroll
        for (int n = 0; n < N; n++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                s[i][n][j] *= by.key[2 * i + j / 2];
}

#endif
