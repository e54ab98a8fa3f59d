/*
 * prefill/drawn - a block for each SM draws its work.
 *
 * O = softmax(scale Q K') V.
 *
 * prefill/resident kept a block on each SM, and was slower than prefill/order
 * for long prompts. Its machine code shows one reason. Tiles are counted over
 * several loops, so the compiler no longer knew that all lanes have the same
 * number. It made the descriptor of each product in ordinary registers and
 * moved it over, four times R2UR between one product and the next. Here the
 * number comes from lane 0 at each piece (uniform()), and descriptors stay in
 * uniform registers.
 *
 * Pieces are not dealt out beforehand. The thread that asks draws the next one
 * from a counter in memory, a piece ahead; groups learn it with the queries. An
 * SM that is slower draws less often. Pieces go from the longest to the
 * shortest, and all heads of a row follow each other, so those that share keys
 * run at the same time.
 *
 * Predicts: 1.00 to 1.05 times prefill/lazy at 8192 causal.
 */
#include "kernels/prefill/drawn.cuh"

template <int D>
static __global__ void __launch_bounds__(tiles<D, 2, 128>::THREADS, 1)
    drawn_own(struct attention a, const __grid_constant__ CUtensorMap q_map,
              const __grid_constant__ CUtensorMap k_map,
              const __grid_constant__ CUtensorMap v_map, struct tickets *t)
{
    extern __shared__ char raw[];
    typedef tiles<D, 2, 128> T;
    const space<T> r(raw);

    all_pieces<T, lazy, one_by_one>(
        a, r, &q_map, &k_map, &v_map, t,
        [&](const float(&o)[D / 2], const struct online &of, const piece &w) {
            put_rows<D>(a, w.first + threadIdx.x / WARP * PART, w.h, o, of);
        });
}

typedef tiles<64, 2, 128> narrow;
typedef tiles<128, 2, 128> wide;

extern "C" size_t prefill_drawn_scratch(const struct kernel_case *,
                                        const struct kernel_env *)
{
    return sizeof(struct tickets);
}

extern "C" const char *prefill_drawn_prepare(const struct kernel_case *c,
                                             const struct kernel_env *,
                                             void *const *buf, void **state)
{
    return prefill_num(c, "d") == 64
               ? open_for<narrow>(drawn_own<64>, 0, c, buf, state)
               : open_for<wide>(drawn_own<128>, 0, c, buf, state);
}

extern "C" int prefill_drawn(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *state)
{
    const struct attention a = attention_of(c, buf);
    const struct maps *const m = (const struct maps *)state;
    struct tickets *const t = (struct tickets *)buf[PREFILL_O + 1];
    const int all =
        prefill_num(c, "d") == 64 ? pieces<narrow>(a) : pieces<wide>(a);
    const int blocks = all < env->sms ? all : env->sms;
    const cudaStream_t to = (cudaStream_t)env->stream;

    if (prefill_num(c, "d") == 64)
        drawn_own<64><<<blocks, narrow::THREADS, narrow::SHARED, to>>>(
            a, m->q, m->k, m->v, t);
    else
        drawn_own<128><<<blocks, wide::THREADS, wide::SHARED, to>>>(
            a, m->q, m->k, m->v, t);
    return cudaGetLastError();
}
