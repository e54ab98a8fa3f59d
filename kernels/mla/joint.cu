/*
 * mla/joint - all blocks of a sequence join its parts.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * In mla/split one block joins while the others have ended: with one sequence
 * it reads 16 parts of 128 KB by itself, and more pieces would only make that
 * longer. All pieces fit the SMs at once, so blocks may wait for each other.
 * Here each waits until all parts of its sequence have been left, and joins a
 * few of the heads. Then there may be 64 pieces.
 *
 * Predicts: latency is the limit of one sequence. 0.3 to 0.65 of the time of
 * mla/split with one sequence of 8192 keys and 128 heads. With 32 sequences,
 * which have two pieces each, within 3 %.
 */
#include "kernels/mla/pieces.cuh"

enum { MOST = HIGH };

// ANCHOR: finish
/* Each of the n blocks joins its share of the heads. */
static __device__ __forceinline__ void
finish_all(const absorbed &a, const parts &p, const piece &w, const live &x)
{
    struct counts *const c = p.counts + w.number;
    const int heads = w.of.heads;

    leave(p, w, a.scale, x);
    if (is_last(&c->left, w.n)) {
        if (threadIdx.x == 0)
            block_tell(&c->all);
    } else if (threadIdx.x == 0)
        block_wait(&c->all);
    ptx_sync_some(ALL_MULTIPLY, TOGETHER); /* all parts are there */
    join_heads(a, p, w, heads * w.mine / w.n, heads * (w.mine + 1) / w.n);
    if (is_last(&c->read, w.n) && threadIdx.x == 0)
        *c = {}; /* for the next launch */
}
// ANCHOR_END: finish

static __global__ void __launch_bounds__(THREADS, 1)
    joint(struct absorbed a, const __grid_constant__ maps m, parts p)
{
    extern __shared__ char raw[];
    const room r(raw);
    const struct piece w = piece_of(a, p.most);

    if (w.keys <= 0)
        return;
    go(
        r, a, m, w.of, w.keys,
        [&](int i) { return w.of.sequence * a.l + (w.tile + i) * KEYS; },
        [&](const live &x) {
            if (w.n == 1)
                finish_last(a, p, w, x);
            else
                finish_all(a, p, w, x);
        });
}

extern "C" size_t mla_joint_scratch(const struct kernel_case *c,
                                    const struct kernel_env *env)
{
    return parts_bytes(c, env->sms, MOST);
}

extern "C" const char *mla_joint_prepare(const struct kernel_case *c,
                                         const struct kernel_env *,
                                         void *const *buf, void **state)
{
    return open_for(joint, room::SHARED, c, buf, state);
}

extern "C" int mla_joint(const struct kernel_case *c,
                         const struct kernel_env *env, void *const *buf,
                         void *state)
{
    const struct absorbed a = absorbed_of(c, buf);
    const int most = pieces_for(a, env->sms, MOST);

    joint<<<dim3(shares_of(a), most, a.b), THREADS, room::SHARED,
            (cudaStream_t)env->stream>>>(a, *(const maps *)state,
                                         parts_at(a, buf[MLA_SCRATCH], most));
    return cudaGetLastError();
}
