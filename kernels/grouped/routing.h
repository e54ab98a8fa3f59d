/*
 * kernels/grouped/routing.h - which tokens go to which expert: the rows of a
 * mixture-of-experts layer, sorted by expert.
 *
 * A router sends each of t tokens to `top` different experts of e, so there are
 * t top rows. The routing belongs to the case: it is the same for all seeds and
 * processes, and host and device know it.
 *
 *   even      each expert gets as many rows
 *   uniform   all experts are as likely, drawn for each token
 *   zipf      the expert of rank r is drawn with a weight of 1 / (r + 1), again
 *             until the token has `top` different ones
 *   edges     sizes around those of tiles: 0, 1, 127, 128, 129, and so on
 *   one       all rows belong to the expert in the middle
 */
#ifndef KERNELS_GROUPED_ROUTING_H
#define KERNELS_GROUPED_ROUTING_H

#include "kernels/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ROUTING_TOP = 8,      /* experts of a token; all, if there are fewer */
    ROUTING_EXPERTS = 256 /* at most */
};

struct routing {
    int t, e, rows;       /* tokens, experts, rows */
    int active, most;     /* experts that have rows; rows of the largest */
    const int32_t *begin; /* the first row of each expert, and `rows` */
    const int32_t *token; /* of each row; ascending within an expert */
};

/* The routing of a case of the family; it lasts as long as the process. Any
 * thread may call it. */
const struct routing *routing_of(const struct kernel_case *c);

#ifdef __cplusplus
}
#endif
#endif
