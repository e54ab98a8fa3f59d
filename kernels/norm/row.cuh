/*
 * kernels/norm/row.cuh - what the kernels of norm share: sums over a block,
 * the packing of e4m3, and a row held in registers.
 */
#ifndef KERNELS_NORM_ROW_CUH
#define KERNELS_NORM_ROW_CUH

#include "kernels/norm/norm.h"
#include "kernels/ptx.cuh"
#include "kernels/rows.cuh"
#include "kernels/trace.cuh"

/* Two reductions that go together. */
struct norm_pair {
    float sum, top;
};

ROWS_FN norm_pair norm_over_warp(norm_pair p)
{
#pragma unroll
    for (int lane = WARP / 2; lane > 0; lane /= 2) {
        p.sum += __shfl_xor_sync(0xffffffff, p.sum, lane);
        p.top = fmaxf(p.top, __shfl_xor_sync(0xffffffff, p.top, lane));
    }
    return p;
}

/*
 * The sum and the maximum over the THREADS threads of a row, in each of
 * them. One barrier, if they are more than a warp. `part` has a place for
 * each warp; before it is used again there must be another barrier.
 */
template <int THREADS>
ROWS_FN norm_pair norm_over_row(norm_pair p, norm_pair *part)
{
    constexpr int WARPS = THREADS / WARP;
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;

    p = norm_over_warp(p);
    if (WARPS == 1)
        return p;
    if (lane == 0)
        part[warp] = p;
    __syncthreads();
    return norm_over_warp(lane < WARPS ? part[lane] : norm_pair{0, 0});
}

/* Four floats as e4m3, rounded to nearest, at most 448. */
ROWS_FN uint32_t norm_fp8_four(const float *v)
{
    uint16_t low, high;

    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;"
        : "=h"(low)
        : "f"(v[1]), "f"(v[0]));
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;"
        : "=h"(high)
        : "f"(v[3]), "f"(v[2]));
    return (uint32_t)high << 16 | low;
}

/* Writes eight e4m3 at column `at`, as far as the row goes. */
template <bool WHOLE>
ROWS_FN void norm_fp8_store(uint8_t *row, int at, int cols, const float *v)
{
    const uint2 word = make_uint2(norm_fp8_four(v), norm_fp8_four(v + 4));

    if (WHOLE) {
        if (at < cols)
            *(uint2 *)(row + at) = word;
    } else {
#pragma unroll
        for (int k = 0; k < 8; k++)
            if (at + k < cols)
                row[at + k] =
                    (uint8_t)((k < 4 ? word.x : word.y) >> (k % 4 * 8));
    }
}

/* The scale of a row whose greatest |y| is `top`. */
ROWS_FN float norm_scale(float top)
{
    return top > 0 ? top / NORM_FP8_MAX : 1.0f;
}

/*
 * v = x + r as it is stored, and the vector to store.
 */
ROWS_FN uint4 norm_add(uint4 x, uint4 r, float *v)
{
    float other[8];

    rows_unpack<uint16_t>(x, v);
    rows_unpack<uint16_t>(r, other);
#pragma unroll
    for (int i = 0; i < 8; i++)
        v[i] += other[i];
    x = rows_pack<uint16_t>(v);
    rows_unpack<uint16_t>(x, v);
    return x;
}

/*
 * A thread holds its elements v of a row in VECTORS vectors, at columns
 * (thread + k THREADS) 8; they are zero behind the end of the row.
 */
// ANCHOR: inner
/* Subtracts the row's mean from v, and keeps the zeros behind its end. */
template <int THREADS, int VECTORS>
ROWS_FN void norm_center(const norm_task &t, int thread, float *v, float share,
                         norm_pair *part)
{
    constexpr int STEP = THREADS * 8;
    const int first = thread * 8;
    norm_pair all = {0, 0};

#pragma unroll
    for (int i = 0; i < VECTORS * 8; i++)
        all.sum += v[i];
    const float mean = norm_over_row<THREADS>(all, part).sum * share;
#pragma unroll
    for (int i = 0; i < VECTORS * 8; i++)
        v[i] = first + i / 8 * STEP + i % 8 < t.cols ? v[i] - mean : 0.0f;
}

/* Multiplies v by its weights; returns the greatest |v| after that. */
template <int VECTORS, typename W>
ROWS_FN float norm_weigh(float *v, const W &w_of)
{
    float top = 0;

#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        float weight[8];

        rows_unpack<uint16_t>(w_of(k), weight);
#pragma unroll
        for (int i = 0; i < 8; i++) {
            v[k * 8 + i] *= weight[i];
            top = fmaxf(top, fabsf(v[k * 8 + i]));
        }
    }
    return top;
}

/* Multiplies v by `unit`, applies weights and biases, and writes the result.
 * For FP8, v has its weights already. */
template <enum norm_op OP, int THREADS, int VECTORS, bool WHOLE, typename W,
          typename B>
ROWS_FN void norm_write(const norm_task &t, size_t begin, int thread,
                        const float *v, float unit, const W &w_of,
                        const B &bias_of)
{
    constexpr int STEP = THREADS * 8;
    const int first = thread * 8;

#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        float y[8], weight[8], shift[8];

        if (OP != NORM_FP8)
            rows_unpack<uint16_t>(w_of(k), weight);
        if (OP == NORM_LAYER)
            rows_unpack<uint16_t>(bias_of(k), shift);
#pragma unroll
        for (int i = 0; i < 8; i++) {
            y[i] = v[k * 8 + i] * unit;
            if (OP != NORM_FP8)
                y[i] *= weight[i];
            if (OP == NORM_LAYER)
                y[i] += shift[i];
        }
        if (OP == NORM_FP8)
            norm_fp8_store<WHOLE>(t.q + begin, first + k * STEP, t.cols, y);
        else
            rows_store<uint16_t, WHOLE>(t.y + begin, first + k * STEP, t.cols,
                                        rows_pack<uint16_t>(y));
    }
}

/*
 * Normalizes v and writes the outputs of the row. w_of(k) and bias_of(k) give
 * the weights and biases of vector k. `part` has two places for each warp.
 */
template <enum norm_op OP, int THREADS, int VECTORS, bool WHOLE, typename W,
          typename B>
ROWS_FN void norm_finish(const norm_task &t, int row, int thread, float *v,
                         const W &w_of, const B &bias_of,
                         norm_pair *part TRACE_TAKES)
{
    constexpr int WARPS = THREADS / WARP;
    const size_t begin = (size_t)row * t.cols;
    const float share = 1.0f / t.cols;
    norm_pair all = {0, 0};

    TRACE_BEGIN(REDUCE, 0);
    if (OP == NORM_LAYER)
        norm_center<THREADS, VECTORS>(t, thread, v, share, part);
    TRACE_END(REDUCE, 0);
    TRACE_BEGIN(REDUCE, 1);
#pragma unroll
    for (int i = 0; i < VECTORS * 8; i++)
        all.sum = fmaf(v[i], v[i], all.sum);
    if (OP == NORM_FP8) /* max |y| is max |h w| times `by`, known below */
        all.top = norm_weigh<VECTORS>(v, w_of);
    all = norm_over_row<THREADS>(all, part + WARPS);
    const float by = rsqrtf(fmaf(all.sum, share, NORM_EPS));
    TRACE_END(REDUCE, 1);
    TRACE_BEGIN(STORE, row);
    const float top = all.top * by, scale = norm_scale(top);
    const float unit = OP == NORM_FP8 ? by / scale : by;

    if (OP == NORM_FP8 && thread == 0)
        t.scale[row] = scale;
    norm_write<OP, THREADS, VECTORS, WHOLE>(t, begin, thread, v, unit, w_of,
                                            bias_of);
    TRACE_END(STORE, row);
}
// ANCHOR_END: inner

enum {
    NORM_ELEMENTS = 32,  /* of a thread that holds a row with others */
    NORM_SMALLEST = 128, /* threads of a block that has several rows */
    NORM_LARGEST = 512,  /* threads of a block */
    NORM_PER_SM = 1024,  /* threads: leaves 64 registers for each */
};

constexpr int norm_block(int threads)
{
    return threads == WARP ? (int)NORM_SMALLEST : threads;
}

/* Blocks that an SM must have room for. */
constexpr int norm_blocks(int threads, bool whole)
{
    return whole ? NORM_PER_SM / norm_block(threads) : 1;
}

/* Asks L2 for the row that lies AHEAD bytes further on. */
template <bool ADDS, int AHEAD>
ROWS_FN void norm_prefetch(const norm_task &t, int row, int thread)
{
    const int bytes = t.cols * sizeof(uint16_t),
              ahead = (AHEAD - 1) / bytes + 1;
    const size_t there = (size_t)(row + ahead) * t.cols;

    if (thread != 0 || row + ahead >= t.rows)
        return;
    ptx_bulk_prefetch(t.x + there, bytes);
    if (ADDS)
        ptx_bulk_prefetch(t.residual + there, bytes);
}

/*
 * One read of each row, THREADS threads for it: the kernel of norm/registers
 * and, with AHEAD bytes, of norm/ahead, which have the essays.
 */
template <enum norm_op OP, int THREADS, bool WHOLE, int AHEAD>
static __global__ void __launch_bounds__(norm_block(THREADS),
                                         norm_blocks(THREADS, WHOLE))
    norm_held(norm_task t)
{
    constexpr int VECTORS = NORM_ELEMENTS / 8, STEP = THREADS * 8;
    constexpr bool ADDS = OP == NORM_RESIDUAL || OP == NORM_FP8;
    __shared__ norm_pair part[2 * THREADS / WARP];
    const int row = blockIdx.x * (blockDim.x / THREADS) + threadIdx.x / THREADS;
    const int thread = threadIdx.x % THREADS, first = thread * 8;
    const size_t begin = (size_t)row * t.cols;
    uint4 in[VECTORS], other[VECTORS];
    float v[NORM_ELEMENTS];

    if (row >= t.rows)
        return;
    TRACE_OPEN(BLOCK, 0, threadIdx.x == 0);
    if (AHEAD)
        norm_prefetch<ADDS, AHEAD>(t, row, thread);
    TRACE_BEGIN(LOAD, row);
    const auto load = [&](const uint16_t *p, int k) {
        return rows_load<uint16_t, WHOLE>(p + begin, first + k * STEP, t.cols,
                                          0);
    };
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        in[k] = load(t.x, k);
    if (ADDS) {
#pragma unroll
        for (int k = 0; k < VECTORS; k++)
            other[k] = load(t.residual, k);
    }
#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        if (ADDS)
            rows_store<uint16_t, WHOLE>(t.h + begin, first + k * STEP, t.cols,
                                        norm_add(in[k], other[k], v + k * 8));
        else
            rows_unpack<uint16_t>(in[k], v + k * 8);
    }
    TRACE_END(LOAD, row);
    const auto w_of = [&](int k) {
        return rows_load<uint16_t, WHOLE>(t.w, first + k * STEP, t.cols, 0);
    };
    const auto bias_of = [&](int k) {
        return rows_load<uint16_t, WHOLE>(t.bias, first + k * STEP, t.cols, 0);
    };
    norm_finish<OP, THREADS, VECTORS, WHOLE>(t, row, thread, v, w_of, bias_of,
                                             part TRACE_GIVES);
    TRACE_CLOSE();
}

/* With the fewest threads that can hold a row, at most 16384 elements. Rows at
 * odd addresses are rare: for them there is one kernel, which fetches nothing
 * ahead. */
template <enum norm_op OP, int AHEAD, int THREADS = WARP>
static int norm_held_launch(const norm_task &t, cudaStream_t stream)
{
    constexpr int BLOCK = norm_block(THREADS), ROWS = BLOCK / THREADS;

    if (t.cols % 8 != 0) {
        norm_held<OP, NORM_LARGEST, false, 0>
            <<<t.rows, NORM_LARGEST, 0, stream>>>(t);
        return cudaGetLastError();
    }
    if constexpr (THREADS < NORM_LARGEST)
        if (t.cols > THREADS * NORM_ELEMENTS)
            return norm_held_launch<OP, AHEAD, 2 * THREADS>(t, stream);
    norm_held<OP, THREADS, true, AHEAD>
        <<<(t.rows + ROWS - 1) / ROWS, BLOCK, 0, stream>>>(t);
    return cudaGetLastError();
}

/* The same for the op of a case. */
template <int AHEAD>
static int norm_held_case(const struct kernel_case *c,
                          const struct kernel_env *env, void *const *buf)
{
    const norm_task t = norm_task_of(c, buf);
    const cudaStream_t stream = (cudaStream_t)env->stream;

    switch (norm_op_of(c)) {
    case NORM_LAYER:
        return norm_held_launch<NORM_LAYER, AHEAD>(t, stream);
    case NORM_RMS:
        return norm_held_launch<NORM_RMS, AHEAD>(t, stream);
    case NORM_RESIDUAL:
        return norm_held_launch<NORM_RESIDUAL, AHEAD>(t, stream);
    case NORM_FP8:
        return norm_held_launch<NORM_FP8, AHEAD>(t, stream);
    }
    return cudaErrorInvalidValue;
}

#endif
