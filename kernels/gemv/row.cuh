/*
 * kernels/gemv/row.cuh - the kernel of gemv/row and gemv/overlap, which differ
 * in OVERLAP only. The essays are there.
 */
#ifndef KERNELS_GEMV_ROW_CUH
#define KERNELS_GEMV_ROW_CUH

#include "kernels/gemv/linear.cuh"

enum {
    ROWS = 4, /* a warp for each row of a block */

    /* Per SM. Said so that the compiler may use 128 registers a thread, and
     * keeps the loads together: left to itself it saves registers for a fuller
     * machine, by using each load at once. */
    BLOCKS = 4,
};

template <int LOADS, bool OVERLAP>
static __global__ void __launch_bounds__(ROWS *WARP, BLOCKS)
    row_in_flight(linear l)
{
    // ANCHOR: inner
    const int STEP = WARP * WIDTH; /* elements that a warp loads at once */
    int lane = threadIdx.x % WARP, token = blockIdx.y;
    int row = blockIdx.x * ROWS + threadIdx.x / WARP;
    const uint16_t *w = l.w + (size_t)min(row, l.n - 1) * l.k;
    const uint16_t *x = l.x + (size_t)token * l.k;
    uint64_t once = ptx_evict_first();
    int i = lane * WIDTH;
    float sum = 0;

    if (OVERLAP)
        ptx_next_kernel_may_start();
    for (; i + (LOADS - 1) * STEP < l.k; i += LOADS * STEP) {
        uint4 v[LOADS];

#pragma unroll
        for (int j = 0; j < LOADS; j++)
            v[j] = eight_once(w + i + j * STEP, once);
        asm volatile("" ::: "memory"); /* ask for all, then use the first */
        if (OVERLAP && i == lane * WIDTH)
            ptx_wait_for_last_kernel(); /* x may be its output */
#pragma unroll
        for (int j = 0; j < LOADS; j++)
            sum = dot_eight(v[j], eight(x + i + j * STEP), sum);
    }
    if (OVERLAP && i == lane * WIDTH)
        ptx_wait_for_last_kernel(); /* no round was full */
    for (; i < l.k; i += STEP)      /* the rest of the row */
        sum = dot_eight(eight_once(w + i, once), eight(x + i), sum);
    sum = sum_warp(sum);
    if (lane == 0 && row < l.n)
        l.y[(size_t)token * l.n + row] = bf16_round(sum);
    // ANCHOR_END: inner
}

/* Loads of a lane that do not fill a round of `loads`. */
static inline int row_rest(int k, int loads)
{
    return (k + WARP * WIDTH - 1) / (WARP * WIDTH) % loads;
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

/* The length of a round that leaves the shortest rest; the longest such. */
template <bool OVERLAP>
static int row_launch_best(const struct linear *l, cudaStream_t stream)
{
    int r16 = row_rest(l->k, 16), r14 = row_rest(l->k, 14);
    int r8 = row_rest(l->k, 8);

    if (r16 <= r14 && r16 <= r8)
        return row_launch<16, OVERLAP>(l, stream);
    if (r14 <= r8)
        return row_launch<14, OVERLAP>(l, stream);
    return row_launch<8, OVERLAP>(l, stream);
}

#endif
