/*
 * site-gen/pages/reproduce.h - what it takes to measure a post again, as `make reproduce` does, and
 * what should come out.
 */
#ifndef SITE_GEN_PAGES_REPRODUCE_H
#define SITE_GEN_PAGES_REPRODUCE_H

#include "lib/str.h"
#include "site-gen/records/context.h"

struct page;

struct reproduce {
	size_t builds;   /* commits whose runner is built */
	int64_t minutes; /* of measuring, as long as the records took for these cases; at least 1 */
};

/*
 * The cost of the page's cases on the devices of their records. A record that says nothing of the
 * time that each case took counts with its share of the whole run.
 */
struct reproduce reproduce_cost(const struct page *p, const struct data *d, struct arena *a);

/*
 * Writes the numbers of the key result as a list, each with what it is and its interval; nothing if
 * the key result has no measured number.
 */
void reproduce_expected(struct expand_ctx *ctx, const struct page *p, struct sb *to);

#endif
