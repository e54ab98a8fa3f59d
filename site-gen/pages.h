/*
 * site-gen/pages.h - the table of the kinds of pages, from which everything
 * follows. How to add one is said in pages.c.
 */
#ifndef SITE_GEN_PAGES_H
#define SITE_GEN_PAGES_H

#include "site-gen/page_kind.h"

/* All kinds: a site is begun with them. */
struct page_table pages_table(void);

#endif
