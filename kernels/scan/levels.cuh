/*
 * kernels/scan/levels.cuh - a scan made of scans of blocks.
 *
 * Each block scans its own elements and leaves their sum. The sums of the
 * blocks are scanned the same way, level upon level, until one block does
 * it; then each level's sums are added to the blocks below. The host code
 * that `hillis` and `blelloch` share; they differ in how a block scans.
 */
#ifndef KERNELS_SCAN_LEVELS_CUH
#define KERNELS_SCAN_LEVELS_CUH

#include "kernels/scan/scan.h"

enum {
    LEVELS_BLOCK = 1024, /* elements that one block scans */
    LEVELS_MAX = 7,      /* 1024^7 > 2^64 */
};

/* Scans blocks of LEVELS_BLOCK elements of x to y; y may be x. Block b
 * leaves its sum in sums[b]. */
typedef void levels_scan(float *y, const float *x, size_t n, float *sums);

/* y[i] += before[b] for all elements of block b. */
static __global__ void levels_add(float *y, const float *before, size_t n)
{
    const size_t i = blockIdx.x * (size_t)LEVELS_BLOCK + threadIdx.x;

    if (i < n)
        y[i] += before[blockIdx.x];
}

/* Room for the sums of all levels. */
static inline size_t levels_scratch(size_t n)
{
    size_t all = 0;

    do {
        n = scan_pieces(n, LEVELS_BLOCK);
        all += n;
    } while (n > 1);
    return all * sizeof(float);
}

/* Scans x to y by levels of `scan`, run by `threads` threads a block. */
static inline int levels_launch(levels_scan *scan, unsigned threads, float *y,
                                const float *x, size_t n, float *scratch,
                                cudaStream_t stream)
{
    float *level[LEVELS_MAX] = {y};
    size_t length[LEVELS_MAX] = {n};
    int top = 0;

    for (;; top++) {
        const size_t blocks = scan_pieces(length[top], LEVELS_BLOCK);

        scan<<<(unsigned)blocks, threads, 0, stream>>>(
            level[top], top == 0 ? x : level[top], length[top], scratch);
        if (blocks == 1)
            break;
        level[top + 1] = scratch;
        length[top + 1] = blocks;
        scratch += blocks;
    }
    for (; top > 0; top--)
        levels_add<<<(unsigned)length[top], LEVELS_BLOCK, 0, stream>>>(
            level[top - 1], level[top], length[top - 1]);
    return cudaGetLastError();
}

#endif
