/*
 * site-gen/feed.h - the files for machines: an Atom feed (RFC 4287) for each
 * language with the full text of the newest posts and only absolute addresses;
 * a sitemap (sitemaps.org 0.9) that names a page's other languages; robots.txt.
 */
#ifndef SITE_GEN_FEED_H
#define SITE_GEN_FEED_H

#include "site-gen/site.h"

bool feed_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);
bool feed_sitemap_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);
bool feed_robots_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);

/* Markup of the page at `url` with every href and src made absolute. */
void feed_absolute(struct sb *to, struct str html, const struct config *c, const char *url);

#endif
