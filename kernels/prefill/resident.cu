/*
 * prefill/resident - a block for each SM, which loads while it finishes.
 *
 * O = softmax(scale Q K') V.
 *
 * In prefill/order a block begins with waiting: its barriers are set up, then
 * queries and keys come, some 2000 cycles in all. It ends with the softmax of
 * the last tile, its product and the way of sums to memory, while the TMA has
 * nothing to do. Both together are a twentieth of a block's time at l = 8192
 * with a causal mask.
 *
 * Here a block stays and goes on to its next piece of work. Slots go on as they
 * were. The queries of the next piece are asked for as soon as both groups are
 * done with these, before their last product with values; its keys follow.
 *
 * Pieces are dealt out forwards and backwards by turns, the longest first, so
 * that all blocks have about as many tiles.
 *
 * Predicts: 1.03 times prefill/order at 8192 causal, 1.02 full.
 */
#include "kernels/prefill/resident.cuh"

/* The thread that asks, for all pieces; n counts tiles over all of them. */
template <int D>
static __device__ __forceinline__ void
fetch_all(const room<D> &r, uint64_t *q_empty, const CUtensorMap *q_map,
          const CUtensorMap *k_map, const CUtensorMap *v_map,
          const attention &a)
{
    barriers &b = *r.b;
    int n = 0;

    deal<1>(a, [&](const work &w, int piece) {
        ptx_mbar_wait(q_empty, (piece & 1) ^ 1);
        ask_queries(r, q_map, w);
        for (int i = 0; i < w.tiles; i++, n++) {
            const int s = n % SLOTS;

            ptx_mbar_wait(&b.k_empty[s], !parity(n));
            ask_tile<D>(r.keys(n), k_map, a, w, i, &b.k_full[s]);
            ptx_mbar_wait(&b.v_empty[s], !parity(n));
            ask_tile<D>(r.values(n), v_map, a, w, i, &b.v_full[s]);
        }
    });
}

template <int D>
static __global__ void __launch_bounds__(THREADS, 1)
    resident(struct attention a, const __grid_constant__ CUtensorMap q_map,
             const __grid_constant__ CUtensorMap k_map,
             const __grid_constant__ CUtensorMap v_map)
{
    extern __shared__ char raw[];
    const room<D> r(raw);
    barriers &b = *r.b;
    uint64_t *const q_empty = &((more_barriers *)r.b)->q_empty;

    if (threadIdx.x == 0) {
        ptx_mbar_init(q_empty, WARPS);
        barriers_init(b);
    }
    __syncthreads(); /* the barriers are ready */
    if (threadIdx.x / WGMMA_GROUP == GROUPS) {
        wgmma_give_registers<FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0)
            fetch_all(r, q_empty, &q_map, &k_map, &v_map, a);
        return;
    }
    wgmma_take_registers<MANY>();
    multiply_all<D, 1>(a, r, q_empty, done_with);
}

extern "C" const char *prefill_resident_prepare(const struct kernel_case *c,
                                                const struct kernel_env *,
                                                void *const *buf, void **state)
{
    const char *const why =
        prefill_num(c, "d") == 64
            ? with_room(resident<64>, bytes<64>::SHARED + MORE)
            : with_room(resident<128>, bytes<128>::SHARED + MORE);

    return why ? why : maps_open(c, buf, state);
}

extern "C" int prefill_resident(const struct kernel_case *c,
                                const struct kernel_env *env, void *const *buf,
                                void *state)
{
    const struct attention a = attention_of(c, buf);
    const struct maps *const m = (const struct maps *)state;
    const int all = ceil_div(a.l, HIGH) * a.heads;
    const int blocks = all < env->sms ? all : env->sms;
    const cudaStream_t to = (cudaStream_t)env->stream;

    if (prefill_num(c, "d") == 64)
        resident<64><<<blocks, THREADS, bytes<64>::SHARED + MORE, to>>>(
            a, m->q, m->k, m->v);
    else
        resident<128><<<blocks, THREADS, bytes<128>::SHARED + MORE, to>>>(
            a, m->q, m->k, m->v);
    return cudaGetLastError();
}
