/*
 * prefill/turns - one group multiplies while the other does its softmax.
 *
 * O = softmax(scale Q K') V.
 *
 * In prefill/roles the groups may overlap, but nothing sees to it. If both want
 * the tensor cores at once, each gets half of them, and then both do their
 * softmax at once. Here they take turns (FlashAttention-3, arXiv 2407.08608,
 * section 3.1, calls it ping-pong). In its turn a group starts two products:
 * that of the next tile's keys, and that of its weights with this tile's
 * values. Then it passes the turn, waits for both, and does the softmax of the
 * next tile while the other group's products run.
 *
 * So scores are a tile ahead of values: scores, weights and sums are live at
 * once, 160 registers of the 232. The products of a turn take 1024 cycles, half
 * of a tile of both groups. Powers, maxima and sums of a group's 8192 scores
 * have to fit into the same time.
 *
 * Predicts: 1.15 times prefill/roles; 500 to 620 TFLOP/s, full.
 */
#include "kernels/prefill/turns.cuh"

template <int D>
static __global__ void __launch_bounds__(THREADS, 1)
    turns(struct attention a, const __grid_constant__ CUtensorMap q_map,
          const __grid_constant__ CUtensorMap k_map,
          const __grid_constant__ CUtensorMap v_map)
{
    extern __shared__ char raw[];
    const work w = work_of(a, blockIdx.y, blockIdx.x);
    const float scale = a.scale * 1.44269504f; /* log2(e) */

    // ANCHOR: inner
    const auto multiply = [&](const room<D> &r, float(&o)[D / 2],
                              struct online &of) {
        barriers &b = *r.b;
        uint32_t p[KEYS / WGMMA_DEEP][4];
        float s[KEYS / 2], back[2];

        turns_begin();
        ptx_mbar_wait(&b.k_full[0], 0);
        turn_wait();
        wgmma_begin();
        start_scores<D>(s, r.q, r.keys(0));
        wgmma_commit();
        turn_pass();
        wgmma_wait<0>();
        wgmma_landed(s);
        done_with(&b.k_empty[0]);
        hide_first(s, a, w);
        soften(s, scale, of, back);
        pack(p, s);
        for (int i = 0; i < w.tiles - 1; i++) {
            const int slot = i % SLOTS, next = (i + 1) % SLOTS;

            ptx_mbar_wait(&b.k_full[next], parity(i + 1));
            ptx_mbar_wait(&b.v_full[slot], parity(i));
            turn_wait();
            wgmma_begin();
            start_scores<D>(s, r.q, r.keys(i + 1));
            wgmma_commit();
            start_values<D>(o, p, r.values(i));
            wgmma_commit();
            turn_pass();
            wgmma_wait<0>();
            wgmma_landed(s);
            wgmma_landed(o);
            done_with(&b.k_empty[next]);
            done_with(&b.v_empty[slot]);
            soften(s, scale, of, back);
            scale_rows(o, back);
            pack(p, s);
        }
        ptx_mbar_wait(&b.v_full[(w.tiles - 1) % SLOTS], parity(w.tiles - 1));
        turn_wait();
        wgmma_begin();
        start_values<D>(o, p, r.values(w.tiles - 1));
        wgmma_commit();
        turn_pass();
        wgmma_wait<0>();
        wgmma_landed(o);
    };
    // ANCHOR_END: inner
    go<D>(a, w, &q_map, &k_map, &v_map, raw, multiply);
}

extern "C" const char *prefill_turns_prepare(const struct kernel_case *c,
                                             const struct kernel_env *,
                                             void *const *buf, void **state)
{
    const char *const why = prefill_num(c, "d") == 64
                                ? with_room(turns<64>, bytes<64>::SHARED)
                                : with_room(turns<128>, bytes<128>::SHARED);

    return why ? why : maps_open(c, buf, state);
}

extern "C" int prefill_turns(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *state)
{
    const struct attention a = attention_of(c, buf);
    const struct maps *const m = (const struct maps *)state;
    const dim3 grid(a.heads, ceil_div(a.l, HIGH));
    const cudaStream_t to = (cudaStream_t)env->stream;

    if (prefill_num(c, "d") == 64)
        turns<64>
            <<<grid, THREADS, bytes<64>::SHARED, to>>>(a, m->q, m->k, m->v);
    else
        turns<128>
            <<<grid, THREADS, bytes<128>::SHARED, to>>>(a, m->q, m->k, m->v);
    return cudaGetLastError();
}
