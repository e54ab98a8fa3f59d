/*
 * kernels/histogram/columns.cuh - 32 copies of the bins, one for each lane
 * number: bin b of lane l is word 32 b + l, so a bin is a row of 128 bytes
 * and a lane has a bank to itself.
 */
#ifndef KERNELS_HISTOGRAM_COLUMNS_CUH
#define KERNELS_HISTOGRAM_COLUMNS_CUH

#include "kernels/histogram/histogram.cuh"

enum {
    COLUMNS = WARP,
    COLUMNS_ROW_SHIFT = 7, /* log2 of the bytes of a row */
    COLUMNS_ROW_BYTES = 1 << COLUMNS_ROW_SHIFT,
    COLUMNS_MOST_BINS = 1024, /* 128 KiB */
};

static_assert(COLUMNS_ROW_BYTES == COLUMNS * sizeof(unsigned), "a word a lane");

/*
 * Adds the sum of each row to the result, after a barrier. A warp reads a
 * row at a time, and lane i keeps the sum of the warp's i-th row, so that
 * neighbouring bins go to the result together.
 */
template <int THREADS>
HISTOGRAM_FN void columns_flush(unsigned *counts, const unsigned *copy,
                                unsigned bins)
{
    constexpr unsigned WARPS = THREADS / WARP;
    const unsigned lane = threadIdx.x % WARP;
    const unsigned rows = (bins + WARPS - 1) / WARPS; /* of a warp */
    const unsigned first = threadIdx.x / WARP * rows;
    unsigned mine = 0;

    static_assert(COLUMNS_MOST_BINS <= WARPS * WARP, "a lane a row");
    for (unsigned i = 0; i < rows && first + i < bins; i++) {
        const unsigned word = copy[(first + i) * COLUMNS + lane];
        const unsigned sum = __reduce_add_sync(0xffffffff, word);

        mine = i == lane ? sum : mine;
    }
    if (mine != 0)
        atomicAdd(&counts[first + lane], mine);
}

#endif
