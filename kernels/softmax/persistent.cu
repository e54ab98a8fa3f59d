/*
 * softmax/persistent - resident blocks, the next rows on their way.
 *
 * In `registers` a block asks for its row, waits, computes, writes and ends;
 * only other blocks load meanwhile. Here the blocks stay, and each has a ring
 * of rows in shared memory that the bulk copy engine fills ahead of it. A
 * block takes its next row from shared memory into registers and joins it
 * behind one barrier, which also says that the slot has been read, so that
 * the first thread may send for another row. No thread ever waits for
 * memory, if the ring is deep enough.
 *
 * Rows are handed out by ticket. With fixed rows, blocks drift apart and
 * read and write at places all over memory; by ticket all of them work
 * within a narrow window that moves through it in order. The block that ends
 * last puts the counter back.
 *
 * Predicted before any run: as many bytes in flight as anyone can use, and
 * yet no more than `registers`: there the other blocks hide as much.
 */
#include "kernels/ptx.cuh"
#include "kernels/softmax/row.cuh"

enum {
    ELEMENTS = 32,       /* of a thread */
    SMALLEST = 64,       /* threads of a block */
    LARGEST = 1024,      /* threads of a block */
    PER_SM = 1024,       /* threads: leaves 64 registers for each */
    SHARED = 192 * 1024, /* bytes for rings, per multiprocessor */
};

/* Counters in scratch memory, zero before and after each launch. */
struct tickets {
    unsigned drawn, ended;
};

/* Slots of a ring; the rings of a multiprocessor have place for the elements
 * of PER_SM threads in each. */
template <typename T>
constexpr int slots = SHARED / (PER_SM * ELEMENTS * (int)sizeof(T));

template <typename T, int THREADS>
static __global__ void __launch_bounds__(THREADS, PER_SM / THREADS)
    rows_by_ticket(softmax_task<T> task, struct tickets *tickets)
{
    constexpr int WIDTH = rows_width<T>, VECTORS = ELEMENTS / WIDTH;
    constexpr int WARPS = THREADS / ROWS_WARP, SLOTS = slots<T>;
    extern __shared__ __align__(128) uint4 ring[];
    __shared__ softmax_part part[2][WARPS];
    __shared__ uint64_t full[SLOTS];
    __shared__ int row_in[SLOTS];
    const bool starter = threadIdx.x == 0;
    const uint64_t once = ptx_evict_first();
    int next = 0; /* row that the starter will send for */

    const auto draw = [&] {
        next = SLOTS * gridDim.x + atomicAdd(&tickets->drawn, 1);
    };
    const auto send = [&](int s, int row) {
        const uint32_t bytes = task.cols * sizeof(T);

        row_in[s] = row;
        if (row >= task.rows)
            return ptx_mbar_arrive(&full[s]);
        ptx_mbar_expect(&full[s], bytes);
        ptx_bulk_load(ring + s * THREADS * VECTORS,
                      task.x + (size_t)row * task.cols, bytes, &full[s], once);
    };
    if (starter) {
        for (int s = 0; s < SLOTS; s++)
            ptx_mbar_init(&full[s], 1);
        ptx_mbar_init_fence();
        for (int s = 0; s < SLOTS; s++)
            send(s, blockIdx.x + s * gridDim.x);
        draw();
    }
    __syncthreads(); /* the barriers are ready */
    int turn = 0;
    // ANCHOR: inner
    for (;; turn++) {
        const int s = turn % SLOTS;
        float v[ELEMENTS];

        ptx_mbar_wait(&full[s], turn / SLOTS % 2);
        const int row = row_in[s];
        if (row >= task.rows)
            break;
#pragma unroll
        for (int k = 0; k < VECTORS; k++) {
            const int at = threadIdx.x + k * THREADS;

            rows_unpack<T>(rows_load<uint4, true>(ring + s * THREADS * VECTORS,
                                                  at, task.cols / WIDTH,
                                                  rows_minus_infinity<T>()),
                           v + k * WIDTH);
        }
        const softmax_part mine = softmax_raise(v, task.steep);
        softmax_part all = softmax_join_warp(mine, task.steep);

        if (threadIdx.x % ROWS_WARP == 0)
            part[turn % 2][threadIdx.x / ROWS_WARP] = all;
        __syncthreads(); /* the parts are there, and the slot is read */
        if (starter) {
            send(s, next);
            draw();
        }
        all = softmax_join<1>(part[turn % 2], WARPS, task.steep);
        const float factor = softmax_factor(mine.top, all, task.steep);
        T *y = task.y + (size_t)row * task.cols;
#pragma unroll
        for (int i = 0; i < ELEMENTS; i++)
            v[i] *= factor;
#pragma unroll
        for (int k = 0; k < VECTORS; k++)
            rows_store<T, true>(y, (threadIdx.x + k * THREADS) * WIDTH,
                                task.cols, rows_pack<T>(v + k * WIDTH));
    }
    // ANCHOR_END: inner
    /* The slots behind it say the same. Nobody has to know that, but a barrier
     * that was arrived at and is not waited for is an error to those who check
     * programs, and to them alone. */
    for (int last = turn + SLOTS - 1; starter && turn < last;) {
        turn++;
        ptx_mbar_wait(&full[turn % SLOTS], turn / SLOTS % 2);
    }
    if (starter && atomicAdd(&tickets->ended, 1) == gridDim.x - 1) {
        tickets->drawn = 0;
        tickets->ended = 0;
    }
}

/* With the fewest threads that can hold a row. */
template <typename T, int THREADS = SMALLEST>
static int launch_fewest(const struct kernel_case *c,
                         const struct kernel_env *env, void *const *buf)
{
    if constexpr (THREADS < LARGEST)
        if (softmax_cols(c) > THREADS * ELEMENTS)
            return launch_fewest<T, 2 * THREADS>(c, env, buf);
    const softmax_task<T> task = softmax_task_of<T>(c, buf);
    const auto kernel = rows_by_ticket<T, THREADS>;
    const auto attribute = cudaFuncAttributeMaxDynamicSharedMemorySize;
    const int fit = env->sms * (PER_SM / THREADS);
    const int blocks = task.rows < fit ? task.rows : fit;
    const int shared = slots<T> * THREADS * ELEMENTS * sizeof(T);
    const int error = cudaFuncSetAttribute(kernel, attribute, shared);

    if (error)
        return error;
    kernel<<<blocks, THREADS, shared, (cudaStream_t)env->stream>>>(
        task, (struct tickets *)buf[SOFTMAX_SCRATCH]);
    return cudaGetLastError();
}

extern "C" size_t softmax_persistent_scratch(const struct kernel_case *,
                                             const struct kernel_env *)
{
    return sizeof(struct tickets);
}

extern "C" int softmax_persistent(const struct kernel_case *c,
                                  const struct kernel_env *env,
                                  void *const *buf, void *)
{
    return c->dtype == KERNEL_BF16 ? launch_fewest<uint16_t>(c, env, buf)
                                   : launch_fewest<float>(c, env, buf);
}
