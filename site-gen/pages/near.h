/*
 * site-gen/pages/near.h - how near each family comes to its roof, for the home page: kernels that
 * move bytes beside those that calculate, the nearest first.
 *
 *   div.near > div > h3, ol > li > a, svg.bar (pages/headline_draw.h), a.num
 */
#ifndef SITE_GEN_PAGES_NEAR_H
#define SITE_GEN_PAGES_NEAR_H

#include "site-gen/numbers/headline.h"

/* Writes nothing where the context's device has measured no headline case that has a roof. */
void near_write(struct expand_ctx *ctx, const struct headlines *h, struct sb *to);

#endif
