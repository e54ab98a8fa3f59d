/*
 * kernels/parallel.h - fork and join, for the C variants.
 */
#ifndef KERNELS_PARALLEL_H
#define KERNELS_PARALLEL_H

#include <stddef.h>

enum { PARALLEL_MAX = 64 };

/*
 * Splits the items 0 … n-1 into at most `threads` runs of whole multiples of
 * `grain` (the last takes the rest) and calls fn(arg, part, begin, end) once
 * for each, at the same time, the first on the calling thread; `part` numbers
 * the calls from 0. Returns when all are done, and how many parts there were:
 * at least 1, at most PARALLEL_MAX, even for n = 0. If a thread cannot be
 * started, its part runs on the calling thread.
 */
int parallel_for(int threads, size_t n, size_t grain,
                 void (*fn)(void *arg, int part, size_t begin, size_t end),
                 void *arg);

#endif
