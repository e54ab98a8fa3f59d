/*
 * kernels/coop/rounds.h - for the C variants: all rounds of one group.
 */
#ifndef KERNELS_COOP_ROUNDS_H
#define KERNELS_COOP_ROUNDS_H

#include "kernels/coop/coop.h"

/* The rounds of a case, for the groups that lie in a row. */
struct rounds {
    float *out;
    const float *x;
    float f;
    int64_t rounds;
    size_t span; /* threads in a row that a group is among */
    bool scan, picked;
};

struct rounds rounds_of(const struct kernel_case *c, void *const *buf);

/* Does group number `g` from its first round to its last. */
void rounds_do(const struct rounds *w, size_t g);

#endif
