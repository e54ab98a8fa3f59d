/*
 * site-gen/site/related.h - related posts, which a reader may want next.
 */
#ifndef SITE_GEN_SITE_RELATED_H
#define SITE_GEN_SITE_RELATED_H

#include <stdint.h>
#include <stddef.h>

struct page;
struct site;

/*
 * A set of 64 bits, with one for each tag and family of a post and for its
 * category: two posts without a common bit have nothing in common. Called by
 * index_build().
 */
uint64_t related_kin(const struct page *p);

enum { RELATED_MOST = 3 };

/*
 * Finds up to RELATED_MOST posts of the reader's language, nearest first, and of
 * equals newest first. Returns their number. Posts are near if they share tags
 * (rare tags count more), quote the same kernel families, or have the same
 * category. Only the newest posts of a very large blog are considered. Posts of
 * the same series and neighbours in time are left out, because the page already
 * links to them.
 */
size_t related_posts(const struct site *s, const struct page *p,
                     const struct page *out[RELATED_MOST]);

#endif
