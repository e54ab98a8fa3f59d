/*
 * site-gen/build/index.h - from loaded pages to a site: order, neighbours, tags,
 * series, pages that follow from them, and the table of all outputs.
 */
#ifndef SITE_GEN_BUILD_INDEX_H
#define SITE_GEN_BUILD_INDEX_H

#include "site-gen/site/site.h"

/* Adds the pages that there are without content: home, lists, families, runs, feed. */
void index_add_fixed(struct site *s);

/* The part of that which is made from records alone: families and runs. */
void index_add_generated(struct site *s);

/*
 * When all pages are loaded: sorts posts, adds tag pages and files of posts,
 * drops what is not published, and enters every output. Two outputs of one
 * name (letter case aside), two tags of one address are problems.
 */
void index_build(struct maker *m);

#endif
