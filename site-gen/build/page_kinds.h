/*
 * site-gen/build/page_kinds.h - the table of the kinds of pages, from which everything
 * follows. How to add one is said in page_kinds.c.
 */
#ifndef SITE_GEN_BUILD_PAGE_KINDS_H
#define SITE_GEN_BUILD_PAGE_KINDS_H

#include "site-gen/site/page_kind.h"

/* All kinds: a site is begun with them. */
struct page_table pages_table(void);

#endif
