/*
 * kernels/stream/stream.h - what all variants of `stream` agree on.
 *
 * Buffers: copy and triad write a[n], read writes one sum per page of b:
 *   op=copy    0: a (out)     1: b
 *   op=triad   0: a (out)     1: b    2: c
 *   op=read    0: sums (out)  1: b
 */
#ifndef KERNELS_STREAM_STREAM_H
#define KERNELS_STREAM_STREAM_H

#include "kernels/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    STREAM_PAGE = 4096, /* elements behind one sum of op=read: 16 KiB */
};

/* s of a[i] = b[i] + s * c[i] */
#define STREAM_SCALE 3.0f

enum stream_op {
    STREAM_COPY,
    STREAM_TRIAD,
    STREAM_READ,
};

/* The op of a case. */
enum stream_op stream_op_of(const struct kernel_case *c);

/* n / size, rounded up. */
static inline size_t stream_pieces(size_t n, size_t size)
{
    return (n + size - 1) / size;
}

#ifdef __cplusplus
}
#endif
#endif
