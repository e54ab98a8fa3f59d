/*
 * allnorm/shares - each GPU has rows of its own, and gives them to all.
 *
 * h = x of GPU 0 + x of GPU 1 + ... + r, y = RMSNorm of h, on every GPU.
 *
 * In allnorm/marked every GPU gets all rows of every other one, and computes
 * all norms. Here GPU g adds up every GPUS-th row, as in allreduce/two, and
 * computes its norm. It stores h and y into the memory of all. So a norm is
 * computed once.
 *
 * But two finished rows leave for one sum. Of a matrix of n bytes 1.5 n arrive
 * at each of two GPUs, where packets bring 1.33 n, and 2.25 n at each of four,
 * where they bring 4 n. Blocks must meet twice, too, and wait until their
 * stores have been acknowledged.
 *
 * A row is one block's. With 64 rows 16 blocks of each of four GPUs have one,
 * and stores of so few SMs do not fill NVLink.
 *
 * Predicts: never ahead of allnorm/fused between two GPUs. Between four, behind
 * with 64 rows of 8192, and 1.1 to 1.6 times as fast with 512 rows of 4096.
 */
#include "kernels/allnorm/shares.cuh"

// ANCHOR: inner
template <int GPUS>
static __global__ void __launch_bounds__(THREADS, 1)
    shares(const __grid_constant__ rows s)
{
    box *const own = box_of(s.p, s.p.rank);
    const uint32_t ticket = own->ticket;
    uint4 w[DEEP];
    int turn = 0;

    take(s, s.w, w);
    meet<GPUS>(s.p, ticket + 1); /* their rows are there */
    for_groups<GPUS>(s, [&](int first) {
        const int row = first + s.p.rank;
        float v[DEEP * VECTOR] = {};
        uint4 h[DEEP];

        if (row >= s.tokens)
            return;
        add_row<GPUS>(s, row, h, v);
        const float factor =
            factor_of(s, squares_of<DEEP * VECTOR>(v), turn ^= 1);

        for_mine(s, [&](int k, int i) {
            const uint4 y = scale(v + k * VECTOR, factor, w[k]);

#pragma unroll
            for (int g = 0; g < GPUS; g++) {
                store(at(s.p.sum[g], s, row, i), h[k]);
                store(at(s.y[g], s, row, i), y);
            }
        });
    });
    meet<GPUS>(s.p, ticket + 2); /* my rows are everywhere, and my x is free */
    if (threadIdx.x == 0)
        own->ticket = ticket + 2;
}
// ANCHOR_END: inner

template <int GPUS>
static int start(const rows &s, unsigned blocks, cudaStream_t stream)
{
    shares<GPUS><<<blocks, THREADS, 0, stream>>>(s);
    return cudaGetLastError();
}

extern "C" size_t allnorm_shares_scratch(const struct kernel_case *,
                                         const struct kernel_env *)
{
    return MOST_BOXES * sizeof(box);
}

extern "C" int allnorm_shares(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *)
{
    const unsigned blocks = shares_blocks(c, env);

    return on_each(c, env, buf, [&](const rows &s, cudaStream_t stream) {
        return FOR_GPUS(c, start, s, blocks, stream);
    });
}
