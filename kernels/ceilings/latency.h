/* kernels/ceilings/latency.h - the chain that the chases of latency.cu follow.
 */
#ifndef KERNELS_CEILINGS_LATENCY_H
#define KERNELS_CEILINGS_LATENCY_H

#include <stdint.h>

enum {
    LATENCY_LINE = 128,       /* bytes: a cache line has one link */
    LATENCY_SHARED = 1 << 8,  /* lines at most in shared memory: 32 KiB */
    LATENCY_L1_MOST = 1 << 11 /* lines that an L1 may hold: 256 KiB */
};

/*
 * A link fills a line. The first line of the scratch memory is the head: its
 * `next` is where the last call ended, and the lines of the chain follow it.
 */
struct latency_link {
    const struct latency_link *next;
    uint32_t place; /* in the order of the chain, from 0 */
    uint32_t none[29];
};

#endif
