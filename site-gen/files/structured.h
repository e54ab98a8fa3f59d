/*
 * site-gen/files/structured.h - what a page says of itself to programs, as JSON-LD
 * in the words of schema.org: the site with its search (home), a post as
 * BlogPosting, and the way to the page as BreadcrumbList. The Dataset of a run
 * or a number is in number_json.h.
 */
#ifndef SITE_GEN_FILES_STRUCTURED_H
#define SITE_GEN_FILES_STRUCTURED_H

#include "lib/json.h"
#include "site-gen/site/site.h"

/* One JSON text, safe inside a `script`; nothing for a page that search engines do not list. */
void structured_page(struct maker *m, const struct page *p, struct sb *to);

/* Member `key`: the site's author, a Person; the site itself, an Organization, if it names none. */
void structured_author(struct json_out *w, const char *key, const struct config *c);

#endif
