/*
 * site-gen/files/structured.h - JSON-LD descriptions of pages, in the vocabulary of
 * schema.org: the site with its search (home page), a post as BlogPosting, and the
 * path to a page as BreadcrumbList. number_json.h has the Dataset of a run or a number.
 */
#ifndef SITE_GEN_FILES_STRUCTURED_H
#define SITE_GEN_FILES_STRUCTURED_H

#include "lib/json.h"

struct config;
struct maker;
struct page;

/* Appends one JSON text, safe inside a `script`; nothing for a page that is not to be indexed. */
void structured_page(struct maker *m, const struct page *p, struct sb *to);

/*
 * Writes member `key`: the page's own author, else the site's (a Person), else the site itself (an
 * Organization). `own` is NULL where the page names nobody.
 */
void structured_author(struct json_out *w, const char *key, const struct config *c,
                       const char *own);

#endif
