/*
 * kernels/gemm8/wide.cuh - the products of a warp group of gemm8/wide.
 */
#ifndef KERNELS_GEMM8_WIDE_CUH
#define KERNELS_GEMM8_WIDE_CUH

#include "kernels/gemm16/wide.cuh"
#include "kernels/gemm8/product.cuh"

/*
 * A warp group's 64 rows of all `steps` slots that belong to its outputs, as in
 * kernels/gemm16/wide.cuh; only the instruction is another one.
 */
template <class DONE, class MEANWHILE>
static __device__ __forceinline__ void
multiply_e4m3(float (&sum)[WIDE / 2], const slots &r, int group, int steps,
              int &i, DONE done, MEANWHILE meanwhile)
{
    // ANCHOR: inner
    for (int step = 0; step < steps; step++, i++) {
        const int s = i % STAGES;

        ptx_mbar_wait(&r.full[s], i / STAGES & 1);
        const uint64_t at = wgmma_tile(r.a + s * A_BYTES +
                                       group * WGMMA_HIGH * TENSOR_MAP_PANEL);
        const uint64_t bt = wgmma_tile(r.b + s * B_BYTES);

        wgmma_begin();
#pragma unroll
        for (int j = 0; j < STEP; j++)
            wgmma_e4m3(sum, wgmma_along(at, j), wgmma_along(bt, j),
                       step > 0 || j > 0);
        wgmma_commit();
        meanwhile(step);
        wgmma_wait<1>(); /* the products of the step before have ended */
        if (step > 0)
            done((i - 1) % STAGES);
    }
    wgmma_wait<0>();
    done((i - 1) % STAGES);
    // ANCHOR_END: inner
}

#endif
