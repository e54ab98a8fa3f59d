/*
 * gemv/row.cuh - the kernel of gemv/row and gemv/overlap, which differ in
 * OVERLAP only. The essays are there.
 */
#ifndef KERNELS_GEMV_ROW_CUH
#define KERNELS_GEMV_ROW_CUH

#include "kernels/gemv/linear.cuh"

enum { ROWS = 4 }; /* a warp for each row of a block */

template <int LOADS, bool OVERLAP>
static __global__ void __launch_bounds__(ROWS *WARP) row_in_flight(linear l)
{
    // ANCHOR: inner
    const int STEP = LOADS * WARP * WIDTH; /* elements in flight per warp */
    int lane = threadIdx.x % WARP, token = blockIdx.y;
    int row = blockIdx.x * ROWS + threadIdx.x / WARP;
    const uint16_t *w = l.w + (size_t)min(row, l.n - 1) * l.k;
    const uint16_t *x = l.x + (size_t)token * l.k;
    uint64_t once = ptx_evict_first();
    float sum = 0;

    if (OVERLAP)
        ptx_next_kernel_may_start();
    for (int i = lane * WIDTH; i < l.k; i += STEP) {
        uint4 v[LOADS] = {};

#pragma unroll
        for (int j = 0; j < LOADS; j++)
            if (i + j * WARP * WIDTH < l.k)
                v[j] = eight_once(w + i + j * WARP * WIDTH, once);
        if (OVERLAP && i == lane * WIDTH)
            ptx_wait_for_last_kernel(); /* x may be its output */
#pragma unroll
        for (int j = 0; j < LOADS; j++)
            if (i + j * WARP * WIDTH < l.k)
                sum = dot_eight(v[j], eight(x + i + j * WARP * WIDTH), sum);
    }
    if (OVERLAP && lane * WIDTH >= l.k)
        ptx_wait_for_last_kernel(); /* a lane without work */
    sum = warp_sum(sum);
    if (lane == 0 && row < l.n)
        l.y[(size_t)token * l.n + row] = bf16_round(sum);
    // ANCHOR_END: inner
}

/* Elements of a row that would be asked for beyond its end. */
static inline int row_waste(int k, int loads)
{
    int step = loads * WARP * WIDTH;

    return (k + step - 1) / step * step - k;
}

template <int LOADS, bool OVERLAP>
static int row_launch(const struct linear *l, cudaStream_t stream)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute early = {};

    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = dim3((l->n + ROWS - 1) / ROWS, l->m);
    config.blockDim = dim3(ROWS * WARP);
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = OVERLAP ? 1 : 0;
    return cudaLaunchKernelEx(&config, row_in_flight<LOADS, OVERLAP>, *l);
}

/* As many loads at once as leave the fewest without work in the last round;
 * the more the better. */
template <bool OVERLAP>
static int row_launch_best(const struct linear *l, cudaStream_t stream)
{
    int w16 = row_waste(l->k, 16), w14 = row_waste(l->k, 14);
    int w8 = row_waste(l->k, 8);

    if (w16 <= w14 && w16 <= w8)
        return row_launch<16, OVERLAP>(l, stream);
    if (w14 <= w8)
        return row_launch<14, OVERLAP>(l, stream);
    return row_launch<8, OVERLAP>(l, stream);
}

#endif
