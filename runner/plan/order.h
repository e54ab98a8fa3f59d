/*
 * runner/plan/order.h - the order in which a process walks the items of a plan: at random, and
 * after that those with load=steady. These keep the device at its power limit, so all that
 * interrupts the load stands before them. They come in *blocks*: one family, one shape, one state
 * of the caches, but all variants and inputs, and the null controls. So what is compared with each
 * other ran within seconds. The blocks are in random order, and so are the items of a block.
 */
#ifndef RUNNER_PLAN_ORDER_H
#define RUNNER_PLAN_ORDER_H

#include "runner/plan/plan.h"

/* Writes a random order of 0..n-1, determined by seed and launch. Declared for tests. */
void order_shuffle(uint64_t seed, int64_t launch, size_t *order, size_t n);

/* Writes the order of all items of the plan in a launch. */
void order_of(const struct plan *p, int64_t launch, size_t *order);

/* True if both items have load=steady and belong to one block. Declared for tests. */
bool order_same_block(const struct item *x, const struct item *y);

/* Describes order_of() of this plan, as run files do; order_is() is true for such a text. */
const char *order_text(const struct plan *p);
bool order_is(const char *text);

#endif
