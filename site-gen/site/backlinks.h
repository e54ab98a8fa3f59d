/*
 * site-gen/site/backlinks.h - from all pages' quotes to each number's: who shows it,
 * where, and in which comparisons. Made once, in the parent, when all pages
 * are loaded; read by what is written after that.
 */
#ifndef SITE_GEN_SITE_BACKLINKS_H
#define SITE_GEN_SITE_BACKLINKS_H

#include "site-gen/numbers/number.h"
#include "site-gen/site/site.h"

/* What all pages show of one number (struct data_number). */
struct site_quoted {
	struct quoted {
		const struct quote *q;
		const struct page *page;
	} * by; /* in the order of pages, then of each page */
	size_t n;
};

/* Fills site->quoted; pages that are not published are not in it. */
void quoted_build(struct site *s);

#endif
