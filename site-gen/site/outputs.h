/*
 * site-gen/site/outputs.h - every address of the site, and the page that is there.
 */
#ifndef SITE_GEN_SITE_OUTPUTS_H
#define SITE_GEN_SITE_OUTPUTS_H

#include "site-gen/site/site.h"

/* Empties the table, with room for every page of the site. */
void outputs_begin(struct site *s);

/* Enters a page. If another has its address (letter case aside), returns that one, else NULL. */
const struct page *outputs_enter(struct site *s, struct page *p);

/* The page at an absolute path without the site's prefix, or NULL. */
const struct page *outputs_find(const struct site *s, struct str path);

#endif
