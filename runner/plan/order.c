#include "runner/plan/order.h"

#include <stdlib.h>
#include <string.h>

#include "runner/base/rng.h"
#include "runner/plan/family.h"

static const char at_random[] = "random within each launch";

void order_shuffle(uint64_t seed, int64_t launch, size_t *order, size_t n)
{
	uint64_t s = rng_derive(seed, 1, (uint64_t)launch);
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	for (size_t i = n; i > 1; i--) {
		size_t j = rng_below(&s, i), t = order[j];
		order[j] = order[i - 1];
		order[i - 1] = t;
	}
}

static bool is_steady(const struct item *it)
{
	return it->way.load == WAY_STEADY;
}

bool order_same_block(const struct item *x, const struct item *y)
{
	return is_steady(x) && is_steady(y) && x->family == y->family &&
	       x->way.cold == y->way.cold && family_same_case(x->kcase, y->kcase);
}

void order_of(const struct plan *p, int64_t launch, size_t *order)
{
	size_t *all = malloc((p->n + 1) * sizeof *all), n = 0;
	bool *placed = calloc(p->n + 1, sizeof *placed);
	if (!all || !placed)
		arena_die("out of memory");
	order_shuffle(p->set.seed, launch, all, p->n);
	for (size_t i = 0; i < p->n; i++)
		if (!is_steady(&p->item[all[i]]))
			order[n++] = all[i];
	/* a block stands where its first item does */
	for (size_t i = 0; i < p->n; i++)
		for (size_t k = i; k < p->n && !placed[i]; k++)
			if (!placed[k] && order_same_block(&p->item[all[i]], &p->item[all[k]])) {
				order[n++] = all[k];
				placed[k] = k > i;
			}
	free(placed);
	free(all);
}

const char *order_text(const struct plan *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (is_steady(&p->item[i]))
			return "random within each launch; load=steady after the others, in random "
			       "blocks of one shape, at random within each block";
	return at_random;
}

bool order_is(const char *text)
{
	return strncmp(text, at_random, sizeof at_random - 1) == 0;
}
