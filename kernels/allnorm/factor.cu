/*
 * allnorm/factor - a row's factor is sent in place of its norm.
 *
 * h = x of GPU 0 + x of GPU 1 + ... + r, y = RMSNorm of h, on every GPU.
 *
 * allnorm/shares sends two rows where y is h times a factor times the weights,
 * and every GPU has the weights. So the owner of a row sends h and four bytes:
 * 2 (gpus - 1) / gpus of a matrix arrive at each GPU, as in an all-reduce.
 * Whoever got h multiplies, when the blocks have met: h comes from L2 and y
 * goes there, ten times as fast as NVLink would have brought it.
 *
 * The product is the same on all GPUs, since they have the same bits of h, of
 * the factor and of w, and multiply in the same order.
 *
 * Predicts: a third fewer bytes than allnorm/shares: 1.1 to 1.45 times as fast
 * for 512 rows of 4096. For one row a load and a store are added behind the
 * meeting: up to 1.5 us slower.
 */
#include "kernels/allnorm/shares.cuh"

/* Factors of all rows, as GPU `gpu` has them. */
PTX_FN float *factors(const rows &s, int gpu)
{
    return (float *)(s.p.scratch[gpu] + MOST_BOXES * sizeof(box));
}

// ANCHOR: inner
/* y of a row that another GPU has added up. */
PTX_FN void scale_row(const rows &s, int row, const uint4 *w)
{
    const int me = s.p.rank;
    const float factor = factors(s, me)[row];

    for_mine(s, [&](int k, int i) {
        float v[VECTOR];

        rows_unpack<uint16_t>(load(at(s.p.sum[me], s, row, i)), v);
        store(at(s.y[me], s, row, i), scale(v, factor, w[k]));
    });
}

/* Adds a row up for all, with its factor. */
template <int GPUS>
PTX_FN void give_row(const rows &s, int row, const uint4 *w, int turn)
{
    float v[DEEP * VECTOR] = {};
    uint4 h[DEEP];

    add_row<GPUS>(s, row, h, v);
    for_mine(s, [&](int k, int i) {
#pragma unroll
        for (int g = 0; g < GPUS; g++)
            store(at(s.p.sum[g], s, row, i), h[k]);
    });
    const float factor = factor_of(s, squares_of<DEEP * VECTOR>(v), turn);

    if (threadIdx.x < GPUS)
        factors(s, threadIdx.x)[row] = factor;
    for_mine(s, [&](int k, int i) {
        store(at(s.y[s.p.rank], s, row, i),
              scale(v + k * VECTOR, factor, w[k]));
    });
}

template <int GPUS>
static __global__ void __launch_bounds__(THREADS, 1)
    factor(const __grid_constant__ rows s)
{
    const int me = s.p.rank;
    box *const own = box_of(s.p, me);
    const uint32_t ticket = own->ticket;
    uint4 w[DEEP];
    int turn = 0;

    take(s, s.w, w);
    meet<GPUS>(s.p, ticket + 1); /* their rows are there */
    for_groups<GPUS>(s, [&](int first) {
        if (first + me < s.tokens)
            give_row<GPUS>(s, first + me, w, turn ^= 1);
    });
    meet<GPUS>(s.p, ticket + 2); /* h is whole everywhere, and my x is free */
    for_groups<GPUS>(s, [&](int first) {
        for (int g = 0; g < GPUS; g++)
            if (g != me && first + g < s.tokens)
                scale_row(s, first + g, w);
    });
    if (threadIdx.x == 0)
        own->ticket = ticket + 2;
}
// ANCHOR_END: inner

template <int GPUS>
static int start(const rows &s, unsigned blocks, cudaStream_t stream)
{
    factor<GPUS><<<blocks, THREADS, 0, stream>>>(s);
    return cudaGetLastError();
}

extern "C" size_t allnorm_factor_scratch(const struct kernel_case *c,
                                         const struct kernel_env *)
{
    return MOST_BOXES * sizeof(box) + (size_t)allnorm_tokens(c) * sizeof(float);
}

extern "C" int allnorm_factor(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *)
{
    const unsigned blocks = shares_blocks(c, env);

    return on_each(c, env, buf, [&](const rows &s, cudaStream_t stream) {
        return FOR_GPUS(c, start, s, blocks, stream);
    });
}
