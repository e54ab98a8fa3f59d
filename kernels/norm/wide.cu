/*
 * norm/wide - few elements a thread, so that all warps fit.
 *
 * torch.compile's RMSNorm of 8192 columns was faster than `ahead`, though it
 * fetches nothing in advance and reads each row twice. Its counters show the
 * reason: it uses fewer registers a thread, so nearly all warps that an SM can
 * hold are resident. 32 elements a thread leave room for three quarters of
 * them. A norm waits: for its row, then at a barrier for its slowest warp.
 * Meanwhile other rows make the requests, and the more rows there are, the
 * smaller the share of them that waits.
 *
 * So a thread has two vectors here, keeps them as they were loaded, and takes
 * them apart twice. 2048 threads have 32 registers each. That is not enough to
 * load the weights before the barrier, too, nor for LayerNorm, which needs a
 * mean and a bias as well.
 *
 * Predicted before any run: as fast as torch.compile at 8192 columns.
 */
#include "kernels/norm/row.cuh"

enum {
    ELEMENTS = 16, /* of a thread */
    VECTORS = ELEMENTS / 8,
    LARGEST = 1024, /* threads of a block: rows of 16384 elements */
    PER_SM = 2048,  /* threads: leaves 32 registers for each */
};

// ANCHOR: inner
/* A warp or more, THREADS threads, for each row. */
template <int THREADS>
static __global__ void __launch_bounds__(norm_block(THREADS),
                                         PER_SM / norm_block(THREADS))
    row_wide(norm_task t)
{
    constexpr int STEP = THREADS * 8;
    __shared__ norm_pair part[THREADS / WARP];
    const int row = blockIdx.x * (blockDim.x / THREADS) + threadIdx.x / THREADS;
    const int first = threadIdx.x % THREADS * 8;
    const size_t begin = (size_t)row * t.cols;
    uint4 in[VECTORS];
    norm_pair all = {0, 0};

    if (row >= t.rows)
        return;
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        in[k] =
            rows_load<uint16_t, true>(t.x + begin, first + k * STEP, t.cols, 0);
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        float v[8];

        rows_unpack<uint16_t>(in[k], v);
#pragma unroll
        for (int i = 0; i < 8; i++)
            all.sum = fmaf(v[i], v[i], all.sum);
    }
    all = norm_over_row<THREADS>(all, part);
    const float by = rsqrtf(fmaf(all.sum, 1.0f / t.cols, NORM_EPS));

#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        float v[8], w[8];

        rows_unpack<uint16_t>(in[k], v);
        rows_unpack<uint16_t>(
            rows_load<uint16_t, true>(t.w, first + k * STEP, t.cols, 0), w);
#pragma unroll
        for (int i = 0; i < 8; i++)
            v[i] *= by * w[i];
        rows_store<uint16_t, true>(t.y + begin, first + k * STEP, t.cols,
                                   rows_pack<uint16_t>(v));
    }
}
// ANCHOR_END: inner

/* With the fewest threads that can hold a row. */
template <int THREADS = WARP>
static int launch(const norm_task &t, cudaStream_t stream)
{
    constexpr int BLOCK = norm_block(THREADS), ROWS = BLOCK / THREADS;

    if constexpr (THREADS < LARGEST)
        if (t.cols > THREADS * ELEMENTS)
            return launch<2 * THREADS>(t, stream);
    row_wide<THREADS><<<(t.rows + ROWS - 1) / ROWS, BLOCK, 0, stream>>>(t);
    return cudaGetLastError();
}

extern "C" int norm_wide(const struct kernel_case *c,
                         const struct kernel_env *env, void *const *buf, void *)
{
    return launch(norm_task_of(c, buf), (cudaStream_t)env->stream);
}
