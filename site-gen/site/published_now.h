/* site-gen/site/published_now.h - the numbers that pages show now, beside those of the log. */
#ifndef SITE_GEN_SITE_PUBLISHED_NOW_H
#define SITE_GEN_SITE_PUBLISHED_NOW_H

#include "site-gen/numbers/published.h"
#include "site-gen/site/site.h"

/*
 * What the sources of pages show now (posts, pages, sections, paths, texts of
 * families, predictions, the home page), by page, then number, each once. What
 * a page makes of the records by itself is not among it. Drafts publish
 * nothing.
 */
struct published *published_now(const struct site *s, struct arena *a, size_t *n);

#endif
