/*
 * site-gen/build/page_kinds.h - table of the kinds of pages, which drives the build.
 * page_kinds.c says how to add one.
 */
#ifndef SITE_GEN_BUILD_PAGE_KINDS_H
#define SITE_GEN_BUILD_PAGE_KINDS_H

#include "site-gen/site/page_kind.h"

/* All kinds of pages; a new site starts with this table. */
struct page_table page_kinds_table(void);

#endif
