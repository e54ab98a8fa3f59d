/*
 * kernels/mix/mix.h - what all variants of `mix` agree on.
 *
 * Buffers: first the outputs, then the inputs, all of n floats. Without an
 * output there is one of sums, one for each page of 1024 elements.
 *   writes=w   0 … w - 1: out_0 … out_w-1
 *   reads=r    the r after them: in_0 … in_r-1
 *
 *   out_j[i] = in_0[i] + … + in_r-1[i] + j
 *   out_j[i] = i mod 4096 + j                  (reads=0)
 *   sums[p]  = sum of in_0[i], …, in_r-1[i] over page p     (writes=0)
 */
#ifndef KERNELS_MIX_MIX_H
#define KERNELS_MIX_MIX_H

#include "kernels/kernel.h"

enum {
    MIX_PAGE = 1024,  /* elements behind one sum: 4 KiB of each input */
    MIX_CYCLE = 4096, /* values that are written without reading, in turn */
};

/* The number of sums of n elements. */
static inline size_t mix_pages(size_t n)
{
    return (n + MIX_PAGE - 1) / MIX_PAGE;
}

#endif
