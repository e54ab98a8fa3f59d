/*
 * site-gen/site/backlinks.h - for each number, the pages that show it, with places
 * and comparisons. The parent builds them once, after all pages are loaded;
 * writing pages reads them.
 */
#ifndef SITE_GEN_SITE_BACKLINKS_H
#define SITE_GEN_SITE_BACKLINKS_H

#include "site-gen/numbers/number.h"

struct site;

/* All quotes of one number (struct data_number). */
struct backlinks {
	struct backlink {
		const struct quote *q;
		const struct page *page;
	} * by; /* in the order of pages, and within a page in its order */
	size_t n;
};

/* Fills site->backlinks; unpublished pages are left out. */
void backlinks_build(struct site *s);

#endif
