/*
 * softmax/split - one row, the whole grid, one launch.
 *
 * The logits of one token are a single long row. It is small, a quarter of a
 * mebibyte, so bandwidth is not the question: to have it read in as little
 * time as one load takes, many blocks must share it. They then have to agree on
 * the maximum and the sum, across the whole grid. Two launches would do, and
 * cost a launch more. Instead each block leaves its maximum and its sum in one
 * 64-bit word in global memory, a warp of each block waits for all words, a
 * word for each lane, and joins them for its block. So few blocks all run at
 * the same time, and waiting is safe.
 *
 * The last bit of the sum marks the words of a launch and changes with every
 * launch; a block reads its own word to learn the last mark. So nothing has to
 * be cleared; the price is one rounding of the sum.
 *
 * Predicted before any run: a launch, a load from memory, a write to L2 and a
 * poll of it, a store: 5 microseconds cold. That was of 128 blocks of 128
 * threads, all of which waited; trials found fewer and larger blocks better, in
 * which one warp waits: what takes the time is not the row but the meeting.
 */
#include "kernels/softmax/row.cuh"
#include "kernels/word.cuh"

enum {
    THREADS = 512,
    WARPS = THREADS / WARP,
    BLOCKS = 32, /* at most: a word for each lane of the warp that waits */
};

static_assert(BLOCKS <= (int)WARP);

/* Leaves the part in *word, marked with the last bit `mark`. */
static __device__ void word_put(uint64_t *word, softmax_part p, unsigned mark)
{
    word_store(word, word_of(p.top, (__float_as_uint(p.sum) & ~1u) | mark));
}

/* Waits until *word is marked. */
static __device__ softmax_part word_take(const uint64_t *word, unsigned mark)
{
    uint64_t v;

    do
        v = word_load(word);
    while ((v & 1) != mark);
    return {word_value(v), __uint_as_float((unsigned)v & ~1u)};
}

template <typename T, int VECTORS, bool WHOLE>
static __global__ void __launch_bounds__(THREADS)
    share_of_row(softmax_task<T> task, uint64_t *words)
{
    constexpr int WIDTH = rows_width<T>;
    __shared__ softmax_part part[WARPS];
    const int first = (blockIdx.x * THREADS * VECTORS + threadIdx.x) * WIDTH;
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const unsigned mark = word_load(&words[blockIdx.x]) & 1 ^ 1;
    uint4 in[VECTORS];
    float v[VECTORS * WIDTH];

#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        in[k] = rows_load<T, WHOLE>(task.x, first + k * THREADS * WIDTH,
                                    task.cols, rows_minus_infinity<T>());
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        rows_unpack<T>(in[k], v + k * WIDTH);
    const softmax_part mine = softmax_raise(v, task.steep);
    softmax_part all = softmax_join_warp(mine, task.steep);

    if (lane == 0)
        part[warp] = all;
    __syncthreads(); /* all threads know the mark, all parts are there */
    // ANCHOR: inner
    if (warp == 0) {
        all = softmax_join<1>(part, WARPS, task.steep);
        if (lane == 0)
            word_put(&words[blockIdx.x], all, mark);
        all = lane < gridDim.x ? word_take(&words[lane], mark)
                               : softmax_part{-CUDART_INF_F, 0};
        all = softmax_join_warp(all, task.steep);
        if (lane == 0)
            part[0] = all;
    }
    __syncthreads(); /* part[0] is the row */
    all = part[0];
    // ANCHOR_END: inner
    const float factor = softmax_factor(mine.top, all, task.steep);
#pragma unroll
    for (int i = 0; i < VECTORS * WIDTH; i++)
        v[i] *= factor;
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        rows_store<T, WHOLE>(task.y, first + k * THREADS * WIDTH, task.cols,
                             rows_pack<T>(v + k * WIDTH));
}

template <typename T, int VECTORS>
static int launch(const struct kernel_case *c, const struct kernel_env *env,
                  void *const *buf)
{
    const int share = THREADS * VECTORS * rows_width<T>;
    const int blocks = (softmax_cols(c) + share - 1) / share;
    const auto kernel = softmax_whole(c) ? share_of_row<T, VECTORS, true>
                                         : share_of_row<T, VECTORS, false>;

    kernel<<<blocks, THREADS, 0, (cudaStream_t)env->stream>>>(
        softmax_task_of<T>(c, buf), (uint64_t *)buf[SOFTMAX_SCRATCH]);
    return cudaGetLastError();
}

/* The fewest vectors a thread with which the blocks suffice. */
template <typename T, int VECTORS = 1>
static int launch_fewest(const struct kernel_case *c,
                         const struct kernel_env *env, void *const *buf)
{
    if constexpr (VECTORS < 4)
        if (softmax_cols(c) > BLOCKS * THREADS * VECTORS * rows_width<T>)
            return launch_fewest<T, 2 * VECTORS>(c, env, buf);
    return launch<T, VECTORS>(c, env, buf);
}

extern "C" size_t softmax_split_scratch(const struct kernel_case *,
                                        const struct kernel_env *)
{
    return BLOCKS * sizeof(uint64_t);
}

extern "C" int softmax_split(const struct kernel_case *c,
                             const struct kernel_env *env, void *const *buf,
                             void *)
{
    return c->dtype == KERNEL_BF16 ? launch_fewest<uint16_t>(c, env, buf)
                                   : launch_fewest<float>(c, env, buf);
}
