/*
 * exchange/pull - the token's GPU loads the rows from where they were made.
 *
 * combine: out = sum over GPUs of weight y, in their order.
 *
 * exchange/push stores rows at the token's GPU, which then loads and adds them:
 * they pass its memory twice. Who adds can load them from the other GPUs
 * instead. A warp adds a piece as it comes, and only the sum is stored. Blocks
 * meet before, since the rows must be there, and after, since they must stay.
 *
 * Predicts: for 4096 tokens loads reach nearly what stores do, and the second
 * pass is saved: 1.05 to 1.35 times as fast as exchange/push between four GPUs.
 * For 8 tokens there are two meetings instead of one, and a load passes NVLink
 * to and fro.
 */
#include "kernels/exchange/sides.cuh"

enum { MOST_BLOCKS = 64 };

// ANCHOR: inner
static __global__ void __launch_bounds__(THREADS, 1)
    pull(const __grid_constant__ sides p)
{
    __shared__ going s;
    box *const mine = box_of(p, p.rank);
    const uint32_t ticket = mine->ticket;

    count(p, &s);
    meet(p, ticket + 1); /* their rows are there */
    for_pieces(p, p.t, [&](const piece &a) {
        add_piece(p, &s, a, [&](int h, int n) {
            return y_row(p, h, begins(p, h, p.rank) + n);
        });
    });
    meet(p, ticket + 2); /* nobody reads mine any more */
    if (threadIdx.x == 0)
        mine->ticket = ticket + 2;
}
// ANCHOR_END: inner

extern "C" size_t exchange_pull_scratch(const struct kernel_case *,
                                        const struct kernel_env *)
{
    return MOST_BOXES * sizeof(box);
}

extern "C" int exchange_pull(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    const unsigned blocks = blocks_of(c, env, MOST_BLOCKS);

    return on_all(c, env, buf, [&](const sides &p, cudaStream_t stream) {
        pull<<<blocks, THREADS, 0, stream>>>(p);
        return (int)cudaGetLastError();
    });
}
