/*
 * site-gen/site/links.h - every internal link meets an output and an anchor:
 * links that authors wrote are checked at their place, links that templates
 * and records made at the page where they stand.
 */
#ifndef SITE_GEN_SITE_LINKS_H
#define SITE_GEN_SITE_LINKS_H

#include "site-gen/site/site.h"

/* LINKS_SRC is also each address of a srcset. */
enum links_attribute { LINKS_ID, LINKS_HREF, LINKS_SRC };

/* Calls back for each id, href and src of well-formed markup; false ends the scan. */
void links_scan(struct str html,
                bool (*found)(void *ctx, enum links_attribute kind, struct str value), void *ctx);

/* Has it a scheme, or a host of its own? */
bool links_is_external(struct str url);

/*
 * Where `href` on the page at `page_url` leads: `path` is absolute, without
 * dots, query and escapes; the fragment is without '#'. False if it climbs
 * above the root.
 */
bool links_resolve(const char *page_url, struct str href, struct sb *path, struct str *fragment);

/* In a worker: keeps the page's anchors and the links that cannot be checked yet. */
void links_note(struct maker *m, struct page *p, struct str html);

/* In the parent, when all pages are written: adds a problem for each broken link. */
void links_check(struct site *s, struct problems *to);

#endif
