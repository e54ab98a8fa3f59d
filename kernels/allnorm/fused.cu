/*
 * allnorm/fused - the norm is computed where the packets arrive.
 *
 * h = x of GPU 0 + x of GPU 1 + ... + r, y = RMSNorm of h, on every GPU.
 *
 * allnorm/apart ends the sum's kernel, starts another one, and loads the sum
 * again. But a block that has a whole row of the sum in registers can do the
 * rest: add the residual, add up the squares, scale. That costs one barrier.
 *
 * Residual and weights are loaded before the packets are looked at, so their
 * way from memory is as good as free. Every GPU computes the norm of all rows,
 * in the same order of additions, so all get the same bits.
 *
 * Predicts: a kernel less, and a trip of the sum to L2 and back: 1.2 to 2.5 us
 * less than allnorm/apart, whatever the number of rows, up to 64. More rows
 * cost bytes, as there: each GPU gets the whole matrix of every other one, and
 * four bytes for three.
 */
#include "kernels/allnorm/packets.cuh"

/* What this GPU has at hand while packets are on their way. */
struct at_hand {
    uint32_t r[PACKETS][WORDS], w[PACKETS][WORDS];
};

PTX_FN void add_residual(const at_hand &have, float *v)
{
#pragma unroll
    for (int k = 0; k < PACKETS; k++)
#pragma unroll
        for (int w = 0; w < WORDS; w++)
            add_pair(v + k * NUMBERS + 2 * w, have.r[k][w]);
}

PTX_FN void weigh(const at_hand &have, float factor, float *v)
{
#pragma unroll
    for (int k = 0; k < PACKETS; k++)
#pragma unroll
        for (int w = 0; w < WORDS; w++) {
            float *const two = v + k * NUMBERS + 2 * w;

            two[0] *= factor * bf16_first(have.w[k][w]);
            two[1] *= factor * bf16_second(have.w[k][w]);
        }
}

// ANCHOR: inner
template <int GPUS>
static __global__ void __launch_bounds__(THREADS, 1)
    fused(const __grid_constant__ rows s)
{
    box *const own = box_of(s.p, s.p.rank);
    const uint32_t ticket = own->ticket + 1;
    at_hand have;
    int turn = 0;

    send_rows<GPUS>(s, ticket);
    take(s, s.w, have.w);
    for (int row = blockIdx.x; row < s.tokens; row += gridDim.x, turn ^= 1) {
        float v[MINE];

        take(s, at(s.r, s, row, 0), have.r);
        gather<GPUS>(s, row, ticket, v);
        add_residual(have, v);
        put(s, at(s.p.sum[s.p.rank], s, row, 0), v);
        weigh(have, factor_of(s, squares_of<MINE>(v), turn), v);
        put(s, at(s.y[s.p.rank], s, row, 0), v);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        own->ticket = ticket;
}
// ANCHOR_END: inner

template <int GPUS>
static int start(const rows &s, unsigned blocks, cudaStream_t stream)
{
    fused<GPUS><<<blocks, THREADS, 0, stream>>>(s);
    return cudaGetLastError();
}

extern "C" size_t allnorm_fused_scratch(const struct kernel_case *c,
                                        const struct kernel_env *)
{
    return MOST_BOXES * sizeof(box) + packets_bytes(c);
}

extern "C" int allnorm_fused(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const unsigned blocks = blocks_for(env, allnorm_tokens(c), 1, MOST_BLOCKS);

    return on_each(c, env, buf, [&](const rows &s, cudaStream_t stream) {
        return FOR_GPUS(c, start, s, blocks, stream);
    });
}
