/*
 * kernels/softmax/held.cuh - the steps of a kernel that holds a row in the
 * registers of THREADS threads, N elements each: load, join, store.
 * softmax/registers has the essay; softmax/ahead and softmax/wide take the same
 * steps.
 */
#ifndef KERNELS_SOFTMAX_HELD_CUH
#define KERNELS_SOFTMAX_HELD_CUH

#include "kernels/softmax/row.cuh"

/* This thread's elements, all of them asked for before the first is used. A
 * place behind the end of the row gets -infinity. */
template <typename T, int THREADS, bool WHOLE, int N>
ROWS_FN void held_load(float (&v)[N], const T *x, int thread, int cols)
{
    constexpr int WIDTH = rows_width<T>, VECTORS = N / WIDTH;
    uint4 in[VECTORS];

#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        in[k] = rows_load<T, WHOLE>(x, (thread + k * THREADS) * WIDTH, cols,
                                    rows_minus_infinity<T>());
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        rows_unpack<T>(in[k], v + k * WIDTH);
}

/* The parts of all THREADS threads, joined, in each of them. One barrier, if
 * they are more than a warp. */
template <int THREADS>
ROWS_FN softmax_part held_join(softmax_part mine, int thread, float steep)
{
    constexpr int WARPS = THREADS / WARP;
    softmax_part all = softmax_join_warp(mine, steep);

    if (WARPS > 1) {
        __shared__ softmax_part part[WARPS];

        if (thread % WARP == 0)
            part[thread / WARP] = all;
        __syncthreads();
        all = softmax_join<1>(part, WARPS, steep);
    }
    return all;
}

/* Writes `factor` times this thread's elements. */
template <typename T, int THREADS, bool WHOLE, int N>
ROWS_FN void held_store(T *y, float (&v)[N], float factor, int thread, int cols)
{
    constexpr int WIDTH = rows_width<T>, VECTORS = N / WIDTH;

#pragma unroll
    for (int i = 0; i < N; i++)
        v[i] *= factor;
#pragma unroll
    for (int k = 0; k < VECTORS; k++)
        rows_store<T, WHOLE>(y, (thread + k * THREADS) * WIDTH, cols,
                             rows_pack<T>(v + k * WIDTH));
}

#endif
