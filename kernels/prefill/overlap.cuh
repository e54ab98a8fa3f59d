/*
 * kernels/prefill/overlap.cuh - a group's part of a piece of work, whose
 * softmax overlaps its own product with the values.
 */
#ifndef KERNELS_PREFILL_OVERLAP_CUH
#define KERNELS_PREFILL_OVERLAP_CUH

#include "kernels/prefill/turns.cuh"

/*
 * n is the number of the first tile, and behind the last one afterwards. done()
 * as in turns.cuh; last_scores() is called when the group needs the queries no
 * longer.
 */
template <int D, class DONE, class LAST>
static __device__ __forceinline__ void attend(const attention &a, const work &w,
                                              const room<D> &r, int &n,
                                              DONE done, LAST last_scores)
{
    const float scale = a.scale * 1.44269504f; /* log2(e) */
    live<D> x;

    TRACE_OPEN(GROUP, threadIdx.x / WGMMA_GROUP,
               threadIdx.x % WGMMA_GROUP == 0);
    first_weights(x, a, w, r, n, scale, done TRACE_GIVES);
    // ANCHOR: inner
    for (int i = 0; i < w.tiles - 1; i++, n++) {
        float back[2];

        take_turn(x, r, n TRACE_GIVES);
        wgmma_wait<1>(); /* the scores are there */
        wgmma_landed(x.s);
        TRACE_END(SCORES, n + 1);
        TRACE_BEGIN(SOFTMAX, n + 1);
        done(&r.b->k_empty[(n + 1) % SLOTS]);
        soften(x.s, scale, x.of, back);
        wgmma_wait<0>(); /* and the sums */
        wgmma_landed(x.o);
        TRACE_END(VALUES, n);
        done(&r.b->v_empty[n % SLOTS]);
        scale_sums(x.o, back);
        pack(x.p, x.s);
        TRACE_END(SOFTMAX, n + 1);
    }
    // ANCHOR_END: inner
    last_scores();
    last_values(x, r, n++, done TRACE_GIVES);
    put_rows<D>(a, w.first + threadIdx.x / WARP * 16, w.h, x.o, x.of);
    TRACE_CLOSE();
}

#endif
