/*
 * mla/seesaw - each score once, and groups that multiply by turns.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * In mla/kept both groups make all scores: 1152 of 3328 cycles are for nothing.
 * Here a group makes the scores of every other tile, and the groups exchange
 * their weights through shared memory, 8 KB for 64 heads and keys. One group's
 * softmax then falls into the other one's products (kernels/mla/seesaw.cuh).
 *
 * Two tiles fill the slots, so the next pair is asked for part by part, as soon
 * as each part is done with.
 *
 * Predicts: tensor cores are the limit, with 2176 cycles a tile, but a pair
 * waits a while for the part of its tiles that becomes free last. 1.15 to 1.5
 * times mla/kept with 128 sequences of 8192 keys and 128 heads, 450 to 620
 * TFLOP/s.
 */
#include "kernels/mla/seesaw.cuh"

static __global__ void __launch_bounds__(THREADS, 1)
    seesaw(struct absorbed a, const __grid_constant__ maps m)
{
    extern __shared__ char raw[];
    const room r(raw);
    const struct share w = share_of(a, blockIdx.y, blockIdx.x);

    go(
        r, a, m, w, a.where[w.sequence],
        [&](int i) { return w.sequence * a.l + i * KEYS; },
        [&](const live &x) {
            put_heads(a, w, row_of_warp(), group_of_thread() * COLUMNS, x.o,
                      x.of.sum);
        });
}

extern "C" const char *mla_seesaw_prepare(const struct kernel_case *c,
                                          const struct kernel_env *,
                                          void *const *buf, void **state)
{
    return open_for(seesaw, room::SHARED, c, buf, state);
}

extern "C" int mla_seesaw(const struct kernel_case *c,
                          const struct kernel_env *env, void *const *buf,
                          void *state)
{
    const struct absorbed a = absorbed_of(c, buf);

    seesaw<<<dim3(shares_of(a), a.b), THREADS, room::SHARED,
             (cudaStream_t)env->stream>>>(a, *(const maps *)state);
    return cudaGetLastError();
}
