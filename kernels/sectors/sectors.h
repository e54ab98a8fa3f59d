/*
 * kernels/sectors/sectors.h - what all variants of `sectors` agree on.
 *
 * Buffers: 0: sums[n / 16] (out)   1: x
 *
 * n elements of x are read once each; the case says which. Read number i is
 *
 *     pattern=stride step=s    x[i s]
 *     pattern=shift  step=s    x[i + s]
 *     pattern=random step=s    x[s place(i / s) + i mod s]: pieces of s
 *                              neighbours, each at a random place in a
 *                              table of eight times n, or a little more
 *     pattern=record step=16   x[i], but a thread has 16 neighbours: a record
 *
 * A thread reads 16 elements and leaves their sum. Except for records, it
 * reads numbers 512 w + lane, 512 w + lane + 32, …: lane `lane` of warp w, so
 * that what a warp reads at a time has 32 numbers in a row.
 */
#ifndef KERNELS_SECTORS_SECTORS_H
#define KERNELS_SECTORS_SECTORS_H

#include "kernels/kernel.h"
#include "kernels/warp.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SECTORS_READS = 16,                        /* of a thread */
    SECTORS_WARP_READS = SECTORS_READS * WARP, /* reads of a warp */
    SECTORS_SPREAD = 8, /* elements of the table for each that is read */
};

/*
 * place(p) = mix(p) for a table of 2^bits pieces, a permutation: three steps
 * that each can be undone, all modulo 2^bits.
 *
 *     p ^= p >> (bits / 2);  p *= SECTORS_FACTOR;  p ^= p >> (bits / 2)
 */
#define SECTORS_FACTOR 0x2545f491u

enum sectors_pattern {
    SECTORS_STRIDE,
    SECTORS_SHIFT,
    SECTORS_RANDOM,
    SECTORS_RECORD,
};

/* The pattern of a case. */
enum sectors_pattern sectors_pattern_of(const struct kernel_case *c);

/* log2 of the number of elements of the table. */
static inline int sectors_table_bits(const struct kernel_case *c)
{
    int bits = 0;

    while (1ll << bits < SECTORS_SPREAD * kernel_num(c, "n"))
        bits++;
    return bits;
}

/* log2 of the number of pieces of `step` in it. */
static inline int sectors_bits(const struct kernel_case *c)
{
    int bits = sectors_table_bits(c);

    for (int64_t step = kernel_num(c, "step"); step > 1; step /= 2)
        bits--;
    return bits;
}

/* The number of sums. */
static inline size_t sectors_sums(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "n") / SECTORS_READS;
}

#ifdef __cplusplus
}
#endif
#endif
