/*
 * norm/chain - a kernel for each step.
 *
 * A framework that looks at one operation at a time works like this: h = x + r
 * is a kernel, the norm of h another, the conversion to FP8 a third. Each is as
 * good as we can make it: the norm is that of norm/registers, the conversion
 * holds its row in the same way, and the sum is a plain stream. The chain pays
 * in bytes: for each element 6 for the sum, 4 for the norm and 3 for the
 * conversion. That makes 13, where the problem needs 7.
 *
 * y lies in scratch memory between the norm and the conversion, in bf16, so
 * the FP8 is rounded twice.
 *
 * Predicted before any run: 13/7 of the time of the fused kernel for fp8, and
 * 10/8 for the residual alone.
 */
#include "kernels/norm/row.cuh"

enum { ADD_THREADS = 256, ADD_VECTORS = 2 };

/* h = x + r over all n elements. */
static __global__ void __launch_bounds__(ADD_THREADS) add(norm_task t, size_t n)
{
    const size_t first =
        (blockIdx.x * (size_t)ADD_VECTORS * ADD_THREADS + threadIdx.x) * 8;
    float v[8];

#pragma unroll
    for (int k = 0; k < ADD_VECTORS; k++) {
        const size_t at = first + k * ADD_THREADS * 8;

        if (at + 8 <= n) {
            *(uint4 *)(t.h + at) =
                norm_add(*(const uint4 *)(t.x + at),
                         *(const uint4 *)(t.residual + at), v);
        } else {
            for (size_t i = at; i < n; i++)
                t.h[i] =
                    bf16_round(bf16_value(t.x[i]) + bf16_value(t.residual[i]));
        }
    }
}

/* q = y / scale of each row; y is in scratch. */
template <int THREADS, bool WHOLE>
static __global__ void __launch_bounds__(THREADS, NORM_PER_SM / THREADS)
    quantise(norm_task t)
{
    constexpr int VECTORS = NORM_ELEMENTS / 8, STEP = THREADS * 8;
    __shared__ norm_pair part[THREADS / WARP];
    const size_t begin = blockIdx.x * (size_t)t.cols;
    const uint16_t *y = (const uint16_t *)t.scratch + begin;
    uint4 in[VECTORS];
    float v[NORM_ELEMENTS];
    norm_pair all = {0, 0};

#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        in[k] = rows_load<uint16_t, WHOLE>(y, threadIdx.x * 8 + k * STEP,
                                           t.cols, 0);
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        rows_unpack<uint16_t>(in[k], v + k * 8);
#pragma unroll
    for (int i = 0; i < NORM_ELEMENTS; i++)
        all.top = fmaxf(all.top, fabsf(v[i]));
    const float scale = norm_scale(norm_over_row<THREADS>(all, part).top);
    const float unit = 1 / scale;

    if (threadIdx.x == 0)
        t.scale[blockIdx.x] = scale;
#pragma unroll
    for (int i = 0; i < NORM_ELEMENTS; i++)
        v[i] *= unit;
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        norm_fp8_store<WHOLE>(t.q + begin, threadIdx.x * 8 + k * STEP, t.cols,
                              v + k * 8);
}

/* As norm_held_launch(). */
template <int THREADS = WARP>
static int quantise_launch(const norm_task &t, cudaStream_t stream)
{
    if (t.cols % 8 != 0) {
        quantise<NORM_LARGEST, false><<<t.rows, NORM_LARGEST, 0, stream>>>(t);
        return cudaGetLastError();
    }
    if constexpr (THREADS < NORM_LARGEST)
        if (t.cols > THREADS * NORM_ELEMENTS)
            return quantise_launch<2 * THREADS>(t, stream);
    quantise<THREADS, true><<<t.rows, THREADS, 0, stream>>>(t);
    return cudaGetLastError();
}

static size_t elements(const struct kernel_case *c)
{
    return (size_t)norm_rows(c) * norm_cols(c);
}

extern "C" size_t norm_chain_scratch(const struct kernel_case *c,
                                     const struct kernel_env *)
{
    return norm_op_of(c) == NORM_FP8 ? elements(c) * sizeof(uint16_t) : 0;
}

// ANCHOR: inner
extern "C" int norm_chain(const struct kernel_case *c,
                          const struct kernel_env *env, void *const *buf,
                          void *)
{
    const cudaStream_t stream = (cudaStream_t)env->stream;
    const norm_task t = norm_task_of(c, buf);
    const size_t share = (size_t)ADD_THREADS * ADD_VECTORS * 8;
    const unsigned grid = (unsigned)((elements(c) + share - 1) / share);
    norm_task of_sum = t;
    int error;

    add<<<grid, ADD_THREADS, 0, stream>>>(t, elements(c));
    of_sum.x = t.h;
    if (norm_op_of(c) == NORM_FP8)
        of_sum.y = (uint16_t *)t.scratch;
    error = norm_held_launch<NORM_RMS, 0>(of_sum, stream);
    if (error || norm_op_of(c) != NORM_FP8)
        return error;
    return quantise_launch(t, stream);
}
// ANCHOR_END: inner
