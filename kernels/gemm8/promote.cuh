/*
 * kernels/gemm8/promote.cuh - products whose sums move to f32 every 128 of k,
 * as in gemm8/promote.
 */
#ifndef KERNELS_GEMM8_PROMOTE_CUH
#define KERNELS_GEMM8_PROMOTE_CUH

#include "kernels/gemm16/wide.cuh"
#include "kernels/gemm8/product.cuh"
#include "kernels/trace.cuh"

enum { HALF_WIDE = WIDE / 2 /* columns that are multiplied together */ };

/* How a part of 128 of k counts: here as it is. */
struct as_it_is {
    __device__ void begin(int) const
    {
    }
    __device__ float add(float sum, float part, int, int) const
    {
        return sum + part;
    }
};

/*
 * A warp group's 64 rows of all `steps` slots, in two halves of their columns;
 * i counts slots over all outputs. `done` is told of each slot whose products
 * have ended. take.begin(step) is called before a slot's products have ended,
 * and take.add(sum, part, half, r) says what register r of a half becomes.
 */
template <class DONE, class TAKE>
static __device__ __forceinline__ void
multiply_parts(float (&sum)[WIDE / 2], const slots &r, int group, int steps,
               int &i, DONE done, TAKE take TRACE_TAKES)
{
    float part[HALF_WIDE / 2];

#pragma unroll
    for (int j = 0; j < WIDE / 2; j++)
        sum[j] = 0;
    // ANCHOR: inner
    for (int step = 0; step < steps; step++, i++) {
        const int s = i % STAGES;

        take.begin(step);
        ptx_mbar_wait(&r.full[s], i / STAGES & 1);
        const uint64_t at = wgmma_tile(r.a + s * A_BYTES +
                                       group * WGMMA_HIGH * TENSOR_MAP_PANEL);
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const uint64_t bt = wgmma_tile(r.b + s * B_BYTES +
                                           half * HALF_WIDE * TENSOR_MAP_PANEL);

            TRACE_BEGIN(PRODUCT, 2 * i + half);
            wgmma_begin();
#pragma unroll
            for (int j = 0; j < STEP; j++)
                wgmma_e4m3(part, wgmma_along(at, j), wgmma_along(bt, j), j > 0);
            wgmma_commit();
            wgmma_wait<0>();
            wgmma_landed(part);
            TRACE_END(PRODUCT, 2 * i + half);
            TRACE_BEGIN(ADD, 2 * i + half);
            if (half == 1)
                done(s);
#pragma unroll
            for (int j = 0; j < HALF_WIDE / 2; j++)
                sum[half * HALF_WIDE / 2 + j] =
                    take.add(sum[half * HALF_WIDE / 2 + j], part[j], half, j);
            TRACE_END(ADD, 2 * i + half);
        }
    }
    // ANCHOR_END: inner
}

#endif
