/* site-gen/site/published_now.h - the numbers on pages now, in the form of the log. */
#ifndef SITE_GEN_SITE_PUBLISHED_NOW_H
#define SITE_GEN_SITE_PUBLISHED_NOW_H

#include "site-gen/numbers/published.h"

struct site;

/*
 * The numbers that authors show now in sources (posts, pages, sections, paths,
 * texts of families, predictions, the home page), sorted by page, then number,
 * each once. Numbers that a page adds from the records by itself, and drafts, are
 * left out.
 */
struct published *published_now(const struct site *s, struct arena *a, size_t *n);

#endif
