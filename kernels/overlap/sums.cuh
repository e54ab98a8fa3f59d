/*
 * kernels/overlap/sums.cuh - adds up what several GPUs computed, eight numbers
 * at a time: in f32, in the order of the GPUs, and rounded once.
 */
#ifndef KERNELS_OVERLAP_SUMS_CUH
#define KERNELS_OVERLAP_SUMS_CUH

#include "kernels/bf16.h"
#include "kernels/overlap/overlap.h"
#include "kernels/ptx.cuh"

enum { VECTOR = 8 /* numbers of 16 bytes */, SUMS_LOADS = 8 };

/* Terms of a sum, a matrix of each GPU, and where it goes. */
struct sum_of {
    const uint16_t *term[OVERLAP_MOST];
    uint16_t *to;
    unsigned vectors;
};

PTX_FN void sum_pair(float *sum, uint32_t pair)
{
    sum[0] += bf16_first(pair);
    sum[1] += bf16_second(pair);
}

template <int GPUS> PTX_FN uint4 sum_vectors(const uint4 *v)
{
    float s[VECTOR] = {};

#pragma unroll
    for (int h = 0; h < GPUS; h++) {
        sum_pair(s, v[h].x);
        sum_pair(s + 2, v[h].y);
        sum_pair(s + 4, v[h].z);
        sum_pair(s + 6, v[h].w);
    }
    return make_uint4(bf16_pair(s[0], s[1]), bf16_pair(s[2], s[3]),
                      bf16_pair(s[4], s[5]), bf16_pair(s[6], s[7]));
}

/* Thread `first` of `threads` that share the work. */
template <int GPUS>
PTX_FN void sum_all(const sum_of &s, unsigned first, unsigned threads)
{
    constexpr int AHEAD = SUMS_LOADS / GPUS;

    for (unsigned i = first; i < s.vectors; i += AHEAD * threads) {
        uint4 v[AHEAD][GPUS];

#pragma unroll
        for (int a = 0; a < AHEAD; a++)
#pragma unroll
            for (int h = 0; h < GPUS; h++)
                if (i + a * threads < s.vectors)
                    v[a][h] = ((const uint4 *)s.term[h])[i + a * threads];
#pragma unroll
        for (int a = 0; a < AHEAD; a++)
            if (i + a * threads < s.vectors)
                ((uint4 *)s.to)[i + a * threads] = sum_vectors<GPUS>(v[a]);
    }
}

/* The same for kernels that are not compiled for each number of GPUs. */
PTX_FN void sum_all_of(int gpus, const sum_of &s, unsigned first,
                       unsigned threads)
{
    if (gpus == 2)
        sum_all<2>(s, first, threads);
    else if (gpus == 3)
        sum_all<3>(s, first, threads);
    else
        sum_all<4>(s, first, threads);
}

#endif
