/*
 * kernels/scan/scan.cuh - scans within a warp, and the words by which blocks
 * tell each other their sums.
 *
 * A warp's share of a tile is ROWS rows of 128 elements: in each row lane l
 * holds elements 4l to 4l+3. So every access of a warp is 512 bytes without
 * a gap, in global memory and in shared memory, where it has no conflict.
 *
 * No sum is ever taken back by a subtraction: with infinities among the
 * inputs that would make NaN of a prefix that is infinite.
 */
#ifndef KERNELS_SCAN_SCAN_CUH
#define KERNELS_SCAN_SCAN_CUH

#include "kernels/ptx.cuh"
#include "kernels/scan/scan.h"
#include "kernels/warp.h"
#include "kernels/word.cuh"

#define SCAN_FN static __device__ __forceinline__

enum {
    SCAN_WIDTH = 4,               /* elements per vector */
    SCAN_ROW = WARP * SCAN_WIDTH, /* elements */
};

template <class T> struct alignas(16) scan_vector {
    T v[SCAN_WIDTH];
};

/* Inclusive sums over the lanes of a warp: five steps in registers. */
template <class T> SCAN_FN T scan_warp(T v)
{
    for (int step = 1; step < WARP; step *= 2)
        v = ptx_add_from_below(v, step);
    return v;
}

/* Lane l gets what lane l-1 has, lane 0 gets 0. */
template <class T> SCAN_FN T scan_shift(T v)
{
    const T below = __shfl_up_sync(0xffffffff, v, 1);

    return threadIdx.x % WARP ? below : T(0);
}

/*
 * Replaces the warp's elements by the sums of those before them. Returns the
 * sum of all, in every lane. The rows take each step side by side, so that
 * no shuffle waits for the one before.
 */
template <class T, int ROWS> SCAN_FN T scan_rows(scan_vector<T> (&in)[ROWS])
{
    T upto[ROWS], all = 0;

    for (int r = 0; r < ROWS; r++)
        upto[r] = in[r].v[0] + in[r].v[1] + in[r].v[2] + in[r].v[3];
    for (int step = 1; step < WARP; step *= 2)
        for (int r = 0; r < ROWS; r++)
            upto[r] = ptx_add_from_below(upto[r], step);
    for (int r = 0; r < ROWS; r++) {
        T sum = all + scan_shift(upto[r]);

        all += __shfl_sync(0xffffffff, upto[r], WARP - 1);
        for (int k = 0; k < SCAN_WIDTH; k++) {
            const T element = in[r].v[k];

            in[r].v[k] = sum;
            sum += element;
        }
    }
    return all;
}

template <class T, int ROWS>
SCAN_FN void scan_add(scan_vector<T> (&rows)[ROWS], T before)
{
    for (int r = 0; r < ROWS; r++)
        for (int k = 0; k < SCAN_WIDTH; k++)
            rows[r].v[k] += before;
}

/* Reads the warp's rows from `src`, of which `left` elements exist. */
template <class T, int ROWS>
SCAN_FN void scan_load(scan_vector<T> (&rows)[ROWS], const T *src, size_t left)
{
    const size_t lane = threadIdx.x % WARP;

    if (left >= ROWS * SCAN_ROW) {
        for (int r = 0; r < ROWS; r++)
            rows[r] = ((const scan_vector<T> *)src)[lane + (size_t)r * WARP];
        return;
    }
    for (int r = 0; r < ROWS; r++)
        for (int k = 0; k < SCAN_WIDTH; k++) {
            const size_t i = r * SCAN_ROW + lane * SCAN_WIDTH + k;

            rows[r].v[k] = i < left ? src[i] : T(0);
        }
}

/* Writes the warp's rows to `dst`, of which `left` elements exist. */
template <class T, int ROWS>
SCAN_FN void scan_store(T *dst, const scan_vector<T> (&rows)[ROWS], size_t left)
{
    const size_t lane = threadIdx.x % WARP;

    if (left >= ROWS * SCAN_ROW) {
        for (int r = 0; r < ROWS; r++)
            ((scan_vector<T> *)dst)[lane + (size_t)r * WARP] = rows[r];
        return;
    }
    for (int r = 0; r < ROWS; r++)
        for (int k = 0; k < SCAN_WIDTH; k++) {
            const size_t i = r * SCAN_ROW + lane * SCAN_WIDTH + k;

            if (i < left)
                dst[i] = rows[r].v[k];
        }
}

/* Elements from `begin` on, of n. */
SCAN_FN size_t scan_left(size_t n, size_t begin)
{
    return begin < n ? n - begin : 0;
}

/*
 * One value for each warp of a block of WARPS; every thread gets the sum of
 * those of the warps before its own, and in *all the sum of all. One
 * barrier; to call it again in the same kernel, put one between.
 */
template <class T, int WARPS> SCAN_FN T scan_warps(T value, T *all)
{
    __shared__ T part[WARPS];
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;

    static_assert(WARPS <= WARP);
    if (lane == 0)
        part[warp] = value;
    __syncthreads();
    const T upto = scan_warp(lane < WARPS ? part[lane] : T(0));
    const T before = __shfl_sync(0xffffffff, scan_shift(upto), warp);

    *all = __shfl_sync(0xffffffff, upto, WARPS - 1);
    return before;
}

/* ---- words between blocks ---- */

/*
 * A sum and a tag in one word (word.cuh): a thread that reads the tag has the
 * sum.
 */
template <class T> struct scan_word {
    T sum;
    unsigned tag;
};

template <class T> SCAN_FN void scan_put(uint64_t *to, unsigned tag, T sum)
{
    const scan_word<T> w = {sum, tag};
    uint64_t bits;

    static_assert(sizeof w == sizeof bits);
    memcpy(&bits, &w, sizeof bits);
    word_store(to, bits);
}

template <class T> SCAN_FN scan_word<T> scan_get(const uint64_t *from)
{
    const uint64_t bits = word_load(from);
    scan_word<T> w;

    memcpy(&w, &bits, sizeof w);
    return w;
}

#endif
