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
#include "kernels/trace.cuh"

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
    const auto multiply = [&](const room<D> &r) {
        live<D> x;
        int n = 0;

        TRACE_OPEN(GROUP, threadIdx.x / WGMMA_GROUP,
                   threadIdx.x % WGMMA_GROUP == 0);
        turns_begin();
        first_weights(x, a, w, r, n, scale, done_with TRACE_GIVES);
        for (; n < w.tiles - 1; n++) {
            float back[2];

            take_turn(x, r, n TRACE_GIVES);
            wgmma_wait<0>();
            wgmma_landed(x.s);
            wgmma_landed(x.o);
            TRACE_END(SCORES, n + 1);
            TRACE_END(VALUES, n);
            TRACE_BEGIN(SOFTMAX, n + 1);
            done_with(&r.b->k_empty[(n + 1) % SLOTS]);
            done_with(&r.b->v_empty[n % SLOTS]);
            soften(x.s, scale, x.of, back);
            scale_sums(x.o, back);
            pack(x.p, x.s);
            TRACE_END(SOFTMAX, n + 1);
        }
        last_values(x, r, n, done_with TRACE_GIVES);
        put_rows<D>(a, w.first + threadIdx.x / WARP * 16, w.h, x.o, x.of);
        TRACE_CLOSE();
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
