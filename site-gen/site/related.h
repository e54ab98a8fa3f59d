/*
 * site-gen/site/related.h - the posts that a reader of one may want next.
 */
#ifndef SITE_GEN_SITE_RELATED_H
#define SITE_GEN_SITE_RELATED_H

#include "site-gen/site/site.h"

/*
 * A bit for each tag and family of a post and for its category, of 64: two
 * posts without a common bit have nothing in common. By index_build.
 */
uint64_t related_kin(const struct page *p);

enum { RELATED_MOST = 3 };

/*
 * Up to RELATED_MOST posts that the reader's language offers, nearest first,
 * newer ones first among equals; how many. Near is who shares tags (a rare tag
 * says more than a common one), quotes the same kernel families, or has the
 * same category. Of a very large blog only the newest posts are looked at. Posts of its own series and its neighbours in time are left
 * out: the page leads to those already.
 */
size_t related_posts(const struct site *s, const struct page *p,
                     const struct page *out[RELATED_MOST]);

#endif
