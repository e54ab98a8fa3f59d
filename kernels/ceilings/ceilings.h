/*
 * kernels/ceilings/ceilings.h - what a device can do at all, one resource at a
 * time: the achievable roofs beside the datasheet's. They are families like any
 * other and checked like any other, but belong to no suite: `runner ceilings`
 * measures them.
 *
 * Variants do not include this file, so that another ceiling leaves the
 * records of theirs fresh.
 *
 * How to add a ceiling: kernels/ceilings/<resource>.c with its family, the
 * variants beside it, its declaration here and a row in ceilings.c.
 */
#ifndef KERNELS_CEILINGS_CEILINGS_H
#define KERNELS_CEILINGS_CEILINGS_H

#include "kernels/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All ceilings, in reading order; *n gets their number. */
const struct kernel_family *const *kernel_ceilings(size_t *n);

extern const struct kernel_family ceiling_memory, ceiling_l2, ceiling_latency,
    ceiling_flight, ceiling_fma, ceiling_special, ceiling_tensor, ceiling_wgmma,
    ceiling_width, ceiling_fed, ceiling_wgmma_int8, ceiling_shared,
    ceiling_atomic, ceiling_grid, ceiling_peer, ceiling_peer_sms, ceiling_flag;

/* The sum of the n elements of a buffer, `passes` times over, and of their
   sizes. */
void ceiling_sum(uint64_t seed, unsigned buffer, size_t n, double passes,
                 double *value, double *magnitude);

#ifdef __cplusplus
}
#endif
#endif
