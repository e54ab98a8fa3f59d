/*
 * softmax/persistent - resident blocks with the next rows in flight.
 *
 * In `registers` a block requests its row, waits, computes, writes and ends;
 * only other blocks load meanwhile. Here the blocks stay, and the TMA fills a
 * ring of rows in shared memory ahead of each. A block takes its next row from
 * shared memory into registers and joins it behind one barrier, which also says
 * that the slot has been read, so that the first thread may send for another
 * row. If the ring is deep enough, no thread ever waits for memory.
 *
 * Blocks take rows by ticket (kernels/tickets.cuh), so that all of them work
 * within a narrow window that moves through memory in order.
 *
 * Predicted before any run: as many bytes in flight as anyone can use, and
 * yet no more than `registers`: there the other blocks hide as much.
 */
#include "kernels/ptx.cuh"
#include "kernels/softmax/held.cuh"
#include "kernels/tickets.cuh"

enum {
    ELEMENTS = 32,       /* of a thread */
    SMALLEST = 64,       /* threads of a block */
    LARGEST = 1024,      /* threads of a block */
    PER_SM = 1024,       /* threads: leaves 64 registers for each */
    SHARED = 192 * 1024, /* bytes for rings, per SM */
};

/* Slots of a ring; the rings of an SM have place for the elements of PER_SM
 * threads in each. */
template <typename T>
constexpr int slots = SHARED / (PER_SM * ELEMENTS * (int)sizeof(T));

/* Sends for a row to a slot. A row behind the last only tells those who wait
 * for the slot. */
template <typename T>
static __device__ __forceinline__ void
send_row(const softmax_task<T> &task, int row, uint4 *slot, int *row_in,
         uint64_t *full, uint64_t once)
{
    const uint32_t bytes = task.cols * sizeof(T);

    *row_in = row;
    if (row >= task.rows)
        return ptx_mbar_arrive(full);
    ptx_mbar_expect(full, bytes);
    ptx_bulk_load(slot, task.x + (size_t)row * task.cols, bytes, full, once);
}

/* This thread's elements of the row in a slot. */
template <typename T, int THREADS>
static __device__ __forceinline__ void take_row(float *v, const uint4 *slot,
                                                int cols)
{
    constexpr int WIDTH = rows_width<T>, VECTORS = ELEMENTS / WIDTH;

#pragma unroll
    for (int k = 0; k < VECTORS; k++) {
        const int at = threadIdx.x + k * THREADS;

        rows_unpack<T>(rows_load<uint4, true>(slot, at, cols / WIDTH,
                                              rows_minus_infinity<T>()),
                       v + k * WIDTH);
    }
}

template <typename T, int THREADS>
static __global__ void __launch_bounds__(THREADS, PER_SM / THREADS)
    rows_by_ticket(softmax_task<T> task, struct tickets *tickets)
{
    constexpr int WARPS = THREADS / WARP, SLOTS = slots<T>;
    constexpr int SLOT = THREADS * ELEMENTS / rows_width<T>;
    extern __shared__ __align__(128) uint4 ring[];
    __shared__ softmax_part part[2][WARPS];
    __shared__ uint64_t full[SLOTS];
    __shared__ int row_in[SLOTS];
    const bool starter = threadIdx.x == 0;
    const uint64_t once = ptx_evict_first();
    int next = 0; /* row that the starter will send for */

    const auto send = [&](int s, int row) {
        send_row<T>(task, row, ring + s * SLOT, &row_in[s], &full[s], once);
    };
    if (starter) {
        tickets_barriers<SLOTS>(full);
        for (int s = 0; s < SLOTS; s++)
            send(s, blockIdx.x + s * gridDim.x);
        next = tickets_draw(tickets, SLOTS * gridDim.x);
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
        take_row<T, THREADS>(v, ring + s * SLOT, task.cols);
        const softmax_part mine = softmax_raise(v, task.steep);
        softmax_part all = softmax_join_warp(mine, task.steep);

        if (threadIdx.x % WARP == 0)
            part[turn % 2][threadIdx.x / WARP] = all;
        __syncthreads(); /* the parts are there, and the slot is read */
        if (starter) {
            send(s, next);
            next = tickets_draw(tickets, SLOTS * gridDim.x);
        }
        all = softmax_join<1>(part[turn % 2], WARPS, task.steep);
        const float factor = softmax_factor(mine.top, all, task.steep);

        held_store<T, THREADS, true>(task.y + (size_t)row * task.cols, v,
                                     factor, threadIdx.x, task.cols);
    }
    // ANCHOR_END: inner
    tickets_leave<SLOTS>(tickets, full, turn, starter);
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
