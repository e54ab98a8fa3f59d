/*
 * prefill/wgmma - warp groups multiply, and the TMA brings tiles.
 *
 * O = softmax(scale Q K') V.
 *
 * Four warps together multiply 64 queries by 128 keys with eight instructions,
 * straight from shared memory: no ldmatrix, and the full rate of the tensor
 * cores, 4096 FLOP in a cycle and SM. Weights are the left operand of the
 * second product, which wgmma may take from registers; sums of the first lie
 * just as it wants them. Values lie the wrong way round for it, and the
 * instruction turns them (prefill/wgmma.cuh).
 *
 * A tile takes 2 x 1024 cycles of the tensor cores for 128 queries. Its 16384
 * powers take 1024 cycles of the special function units, 16 in a cycle. Here
 * they follow each other, since a group has nothing else to do. The other
 * group may be at another place, so some of it overlaps.
 *
 * One thread asks for the tile after next when all are done with this one.
 *
 * Predicts: 350 to 480 TFLOP/s with 128 elements a head, full. That is 2048
 * cycles of products out of 4500.
 */
#include "kernels/prefill/groups.cuh"

enum { THREADS = GROUPS * WGMMA_GROUP };

template <int D>
static __global__ void __launch_bounds__(THREADS, 1)
    wgmma(struct attention a, const __grid_constant__ CUtensorMap q_map,
          const __grid_constant__ CUtensorMap k_map,
          const __grid_constant__ CUtensorMap v_map)
{
    extern __shared__ char raw[];
    const room<D> r(raw);
    barriers &b = *r.b;
    const work w = work_of(a, blockIdx.y, blockIdx.x);
    const float scale = a.scale * 1.44269504f; /* log2(e) */
    const auto ask = [&](int i) {
        if (threadIdx.x != 0 || i >= w.tiles)
            return;
        ask_tile<D>(r.keys(i), &k_map, a, w, i, &b.k_full[i % SLOTS]);
        ask_tile<D>(r.values(i), &v_map, a, w, i, &b.v_full[i % SLOTS]);
    };
    float o[D / 2] = {};
    struct online of = online_begin();

    if (threadIdx.x == 0)
        barriers_init(b);
    __syncthreads(); /* the barriers are ready */
    if (threadIdx.x == 0)
        ask_queries(r, &q_map, w);
    ask(0);
    ask(1);
    ptx_mbar_wait(&b.q, 0);
    // ANCHOR: inner
    for (int i = 0; i < w.tiles; i++) {
        uint32_t p[KEYS / WGMMA_DEEP][4];
        float s[KEYS / 2], back[2];

        ptx_mbar_wait(&b.k_full[i % SLOTS], parity(i));
        wgmma_begin();
        start_scores<D>(s, r.q, r.keys(i));
        wgmma_commit();
        wgmma_wait<0>();
        wgmma_landed(s);
        if (i == 0)
            hide_first(s, a, w);
        soften(s, scale, of, back);
        scale_sums(o, back);
        pack(p, s);
        ptx_mbar_wait(&b.v_full[i % SLOTS], parity(i));
        wgmma_begin();
        start_values<D>(o, p, r.values(i));
        wgmma_commit();
        wgmma_wait<0>();
        wgmma_landed(o);
        __syncthreads(); /* all are done with the slot */
        ask(i + SLOTS);
    }
    // ANCHOR_END: inner
    put_rows<D>(a, w.first + threadIdx.x / WARP * 16, w.h, o, of);
}

extern "C" const char *prefill_wgmma_prepare(const struct kernel_case *c,
                                             const struct kernel_env *,
                                             void *const *buf, void **state)
{
    const char *const why = prefill_num(c, "d") == 64
                                ? with_room(wgmma<64>, bytes<64>::SHARED)
                                : with_room(wgmma<128>, bytes<128>::SHARED);

    return why ? why : maps_open(c, buf, state);
}

extern "C" int prefill_wgmma(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *state)
{
    const struct attention a = attention_of(c, buf);
    const struct maps *const m = (const struct maps *)state;
    const dim3 grid(a.heads, ceil_div(a.l, HIGH));
    const cudaStream_t to = (cudaStream_t)env->stream;

    if (prefill_num(c, "d") == 64)
        wgmma<64>
            <<<grid, THREADS, bytes<64>::SHARED, to>>>(a, m->q, m->k, m->v);
    else
        wgmma<128>
            <<<grid, THREADS, bytes<128>::SHARED, to>>>(a, m->q, m->k, m->v);
    return cudaGetLastError();
}

extern "C" void prefill_release(void *state)
{
    free(state);
}
