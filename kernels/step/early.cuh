/*
 * kernels/step/early.cuh - attention of one sequence whose old keys are asked
 * for before the kernel before has ended, and launches of kernels that come in
 * early with much shared memory.
 */
#ifndef KERNELS_STEP_EARLY_CUH
#define KERNELS_STEP_EARLY_CUH

#include "kernels/step/late.cuh"
#include "kernels/step/persistent.cuh"

struct early_shared {
    uint16_t keys[STAY_WARPS][STAY_SLOT], values[STAY_WARPS][STAY_SLOT];
    struct stay_piece piece;
    uint64_t full[STAY_WARPS];
};

// ANCHOR: ask
/* Asks for keys [first, last) of a row, and for their values. One lane. */
static __device__ inline void early_ask(early_shared *s, const attend &t,
                                        size_t row, int first, int last)
{
    const int warp = stay_warp(), bytes = (last - first) * STEP_DEEP * 2;
    const size_t from = (row * t.past + first) * STEP_DEEP;
    const uint64_t once = ptx_evict_first();

    ptx_mbar_expect(&s->full[warp], 2 * bytes);
    ptx_bulk_load(s->keys[warp], t.keys + from, bytes, &s->full[warp], once);
    ptx_bulk_load(s->values[warp], t.values + from, bytes, &s->full[warp],
                  once);
}
// ANCHOR_END: ask

/* t.span: keys of a warp, for which it asks STAY_KEYS at a time. */
template <int G>
static __device__ __forceinline__ void early_block(const attend &t,
                                                   early_shared *s)
{
    const size_t row = blockIdx.x / t.pieces;
    const int piece = blockIdx.x % t.pieces, warp = stay_warp();
    const int first = min((piece * STAY_WARPS + warp) * t.span, t.past);
    const int last = min(first + t.span, t.past);
    attend_lane<G> x;

    ptx_next_kernel_may_start();
    if (stay_lane() == 0) {
        ptx_mbar_init(&s->full[warp], 1);
        ptx_mbar_init_fence();
        if (first < last)
            early_ask(s, t, row, first, min(first + STAY_KEYS, last));
    }
    __syncwarp();               /* the warp's barrier is ready */
    ptx_wait_for_last_kernel(); /* queries are its output */
#pragma unroll
    for (int g = 0; g < G; g++)
        stay_query<G>(x, g,
                      eight(t.q + (row * G + g) * STEP_DEEP +
                            stay_lane() % ATTEND_LANES * WIDTH));
    for (int from = first, turn = 0; from < last; from += STAY_KEYS, turn++) {
        const int next = from + STAY_KEYS;

        ptx_mbar_wait(&s->full[warp], turn % 2);
        stay_chunk<G>(x, t.scale, s->keys[warp], s->values[warp],
                      min(next, last) - from);
        __syncwarp(); /* all lanes have read them */
        if (stay_lane() == 0 && next < last)
            early_ask(s, t, row, next, min(next + STAY_KEYS, last));
    }
    if (piece == 0 && warp == 0)
        attend_page<G>(x, t, row);
    stay_join<G>(x, t, s->piece, row, [&](uint2 two) {
        *(uint2 *)(t.a + (row * G + warp) * STEP_DEEP + stay_lane() * 4) = two;
    });
}

/* ---- launches ---- */

/* Launches a kernel that may come in early. carveout: percent of the SM's
 * memory that is to be shared memory, the same for all kernels of a step. */
template <class KERNEL, class... ARGS>
static int early_launch(const chain &x, KERNEL *kernel, int blocks, int threads,
                        int bytes, int carveout, const ARGS &...args)
{
    cudaLaunchAttribute soon = {};
    cudaLaunchConfig_t config = {};
    int rc = cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);

    if (rc == 0)
        rc = cudaFuncSetAttribute(
            kernel, cudaFuncAttributePreferredSharedMemoryCarveout, carveout);
    if (rc)
        return rc;
    soon.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    soon.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = bytes;
    config.stream = x.stream;
    config.attrs = &soon;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, kernel, args...);
}

template <class WAY, int G>
static int early_start(const chain &x, const attend &t, int carveout)
{
    return early_launch(x, WAY::template pieces<G>(), t.kv * t.pieces,
                        STAY_THREADS, sizeof(struct early_shared), carveout, t);
}

/* Attention of a layer. WAY::pieces<G>() is a kernel that calls early_block()
 * with the block's shared memory. */
template <class WAY>
static int early_attend(const chain &x, const step_layer &l, int carveout)
{
    const struct step_shape *const s = &x.m.s;
    const attend t = stay_attention(s, l, x.m.own, x.sms);

    return s->heads == s->kv       ? early_start<WAY, 1>(x, t, carveout)
           : s->heads == 2 * s->kv ? early_start<WAY, 2>(x, t, carveout)
                                   : early_start<WAY, 4>(x, t, carveout);
}

/* Bytes of scratch memory. */
static inline size_t early_bytes(const struct step_shape *s, int sms)
{
    const size_t chain = chain_bytes(s, sms), stay = stay_bytes(s, sms);

    return chain > stay ? chain : stay;
}

#endif
