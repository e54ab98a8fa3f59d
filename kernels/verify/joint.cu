/*
 * verify/joint - all blocks of a row join its parts.
 *
 * o = softmax(scale q K') V for each head of each new token, over the keys that
 * the token sees.
 *
 * In verify/split the last block of a row joins while the others have ended.
 * With one sequence a row has 32 parts. One token has four queries in each, and
 * eight tokens have 32: half a megabyte, which one block reads by itself. That
 * is work that grows with the draft, after memory has fallen silent.
 *
 * If all blocks of a row are at work at once, they may wait for each other.
 * Here each waits until all parts of its row have been left, and joins some of
 * the queries. To be sure of that there is one block for each SM, so pieces are
 * twice as long, and parts are half as many. Four warps of an SM still have
 * 64 KB under way.
 *
 * Predicts: latency is the limit of one sequence. 0.3 to 0.7 of the time of
 * verify/split with one sequence of 4096 keys and eight tokens, and four tokens
 * take up to 1.2 times as long as one. With 32 sequences, which have a piece
 * each, within 3 %.
 */
#include "kernels/verify/wave.cuh"

// ANCHOR: joint
/* Waits until all n parts of the row have been left, and joins its share. */
template <int ROWS>
static __device__ __forceinline__ void
finish_all(const draft &d, const struct row &r, warp_parts<ROWS> &sums,
           const pieces &p, int n)
{
    const int first = blockIdx.y * p.by.most, mine = blockIdx.x;
    const int warp = threadIdx.x / WARP;
    struct counts *const c = p.counts + blockIdx.y;
    struct weight all;

    for (int h = warp; h < r.heads; h += WARPS) {
        const float4 o = join_warps(sums, h, all);

        leave(p.places, first + mine, h, o, all);
    }
    __syncthreads(); /* all warps have left their sums */
    if (threadIdx.x == 0) {
        if (part_arrive(&c->left) == n - 1u)
            block_tell(&c->all);
        else
            block_wait(&c->all);
    }
    __syncthreads(); /* all parts are there */
    for (int h = mine * WARPS + warp; h < r.heads; h += n * WARPS) {
        const float4 o = join(
            p.places, h, n, [&](int i) { return first + i; }, all);

        put(d.a, query_of(d.a, r, h), o, all);
    }
    if (threadIdx.x == 0 && part_arrive(&c->read) == n - 1u)
        *c = {}; /* for the next launch: nobody waits any more */
}
// ANCHOR_END: joint

template <int ROWS>
static __global__ void __launch_bounds__(BESIDE, TOGETHER)
    joint(struct draft d, pieces p)
{
    extern __shared__ __align__(128) char raw[];
    const struct row r = row_of(d.a, blockIdx.y, ROWS);
    const int keys = d.a.where[r.sequence], n = ceil_div(keys, p.by.span);
    const stretch w = stretch_of(d, p.by, keys);

    if (w.first >= keys)
        return;
    warp_parts<ROWS> &sums = attend<ROWS>(raw, d, r, w);

    if (n == 1)
        finish_last(d, r, sums, p, blockIdx.y, keys);
    else
        finish_all(d, r, sums, p, n);
}

template <int ROWS>
static int start(const draft &d, const struct kernel_env *env, void *scratch)
{
    const cut by = cut_for_wave(d, env->sms);
    const int error = with_room(joint<ROWS>, shared_for<ROWS>);

    if (error)
        return error;
    joint<ROWS><<<blocks_for(d, by), BESIDE, shared_for<ROWS>,
                  (cudaStream_t)env->stream>>>(d, pieces_at(d, by, scratch));
    return cudaGetLastError();
}

extern "C" size_t verify_joint_scratch(const struct kernel_case *c,
                                       const struct kernel_env *env)
{
    const draft d = draft_sizes(c);

    return pieces_bytes(d, cut_for_wave(d, env->sms));
}

extern "C" int verify_joint(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *)
{
    const draft d = draft_of(c, buf);

    return EIGHT_TO_32(d, start, d, env, buf[VERIFY_SCRATCH]);
}
