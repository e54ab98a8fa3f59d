/*
 * prefill/pairs - two heads share keys, and two blocks fetch them together.
 *
 * O = softmax(scale Q K') V.
 *
 * A tile of keys and values is 64 KB with 128 elements a head, and 128 queries
 * are done with it in 2048 cycles of the tensor cores: an SM takes in 32 bytes
 * in a cycle. All 132 of them ask the L2 for more than it gives at the full
 * clock, about 24 bytes each (5.5 TB/s).
 *
 * But neighbouring heads of queries have the same keys. So two blocks of a
 * cluster take two such heads and the same queries. Each asks for half of every
 * tile, and the TMA delivers it to both: half as many bytes leave the L2. A
 * slot may be overwritten when both blocks are done with it, so each warp
 * arrives at both blocks' barriers.
 *
 * Predicts: 1.00 to 1.06 times prefill/resident in a burst. More at the power
 * limit, since bytes that do not move leave watts.
 */
#include "kernels/prefill/resident.cuh"

enum {
    PAIR = 2,
    HALF = KEYS / PAIR, /* keys that a block asks for */
};

/* Half of tile i to come, for both blocks. */
template <int D>
static __device__ __forceinline__ void
ask_half(char *to, const CUtensorMap *map, const attention &a, const work &w,
         int i, uint64_t *full)
{
    const uint64_t keep = ptx_evict_normal();
    const int half = (int)cluster_rank() * HALF;

    ptx_mbar_expect(full, bytes<D>::K); /* both halves, whoever asked */
#pragma unroll
    for (int p = 0; p < D / PANEL; p++)
        cluster_tile_load(to + p * K_PANEL + half * TENSOR_MAP_PANEL, map,
                          w.h / a.group * D + p * PANEL,
                          (w.tiles - 1 - i) * KEYS + half, full,
                          (1 << PAIR) - 1, keep);
}

/* The thread that asks: for the block's queries, and for its half of all tiles.
 */
template <int D>
static __device__ __forceinline__ void
fetch_halves(const room<D> &r, uint64_t *q_empty, const CUtensorMap *q_map,
             const CUtensorMap *k_map, const CUtensorMap *v_map,
             const attention &a)
{
    barriers &b = *r.b;
    int n = 0;

    deal<PAIR>(a, [&](const work &w, int piece) {
        ptx_mbar_wait(q_empty, (piece & 1) ^ 1);
        ask_queries(r, q_map, w);
        for (int i = 0; i < w.tiles; i++, n++) {
            const int s = n % SLOTS;

            cluster_wait(&b.k_empty[s], !parity(n));
            ask_half<D>(r.keys(n), k_map, a, w, i, &b.k_full[s]);
            cluster_wait(&b.v_empty[s], !parity(n));
            ask_half<D>(r.values(n), v_map, a, w, i, &b.v_full[s]);
        }
    });
}

template <int D>
static __global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    pairs(struct attention a, const __grid_constant__ CUtensorMap q_map,
          const __grid_constant__ CUtensorMap k_map,
          const __grid_constant__ CUtensorMap v_map)
{
    extern __shared__ char raw[];
    const room<D> r(raw);
    uint64_t *const q_empty = &((more_barriers *)r.b)->q_empty;

    if (threadIdx.x == 0) {
        ptx_mbar_init(q_empty, WARPS);
        barriers_init(*r.b, PAIR * WARPS);
    }
    cluster_sync(); /* the barriers are ready, in both blocks */
    if (threadIdx.x / WGMMA_GROUP == GROUPS) {
        wgmma_give_registers<FEW>();
        if (threadIdx.x % WGMMA_GROUP == 0)
            fetch_halves(r, q_empty, &q_map, &k_map, &v_map, a);
    } else {
        wgmma_take_registers<MANY>();
        multiply_all<D, PAIR>(a, r, q_empty, [](uint64_t *empty) {
            const uint32_t block = threadIdx.x % WARP;

            if (block < PAIR)
                cluster_arrive(empty, block);
        });
    }
    cluster_sync(); /* neither reaches into the other any more */
}

extern "C" const char *prefill_pairs_prepare(const struct kernel_case *c,
                                             const struct kernel_env *,
                                             void *const *buf, void **state)
{
    const char *const why =
        prefill_num(c, "d") == 64
            ? with_room(pairs<64>, bytes<64>::SHARED + MORE)
            : with_room(pairs<128>, bytes<128>::SHARED + MORE);

    return why ? why : maps_open(c, buf, state, HALF);
}

extern "C" int prefill_pairs(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *state)
{
    const struct attention a = attention_of(c, buf);
    const struct maps *const m = (const struct maps *)state;
    const int all = ceil_div(a.l, HIGH) * a.heads;
    const int most = env->sms / PAIR * PAIR, blocks = all < most ? all : most;
    const cudaStream_t to = (cudaStream_t)env->stream;

    if (prefill_num(c, "d") == 64)
        pairs<64><<<blocks, THREADS, bytes<64>::SHARED + MORE, to>>>(
            a, m->q, m->k, m->v);
    else
        pairs<128><<<blocks, THREADS, bytes<128>::SHARED + MORE, to>>>(
            a, m->q, m->k, m->v);
    return cudaGetLastError();
}
