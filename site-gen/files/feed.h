/*
 * site-gen/files/feed.h - the files for machines: feeds for each language with the
 * full text of the newest posts and only absolute addresses, as Atom (RFC
 * 4287, for each tag, too), RSS 2.0 (feed_rss.c) and JSON Feed 1.1
 * (feed_json.c); a sitemap (sitemaps.org 0.9) that names a page's other languages; robots.txt.
 */
#ifndef SITE_GEN_FILES_FEED_H
#define SITE_GEN_FILES_FEED_H

#include "site-gen/site/site.h"

bool feed_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);
bool feed_rss_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);
bool feed_json_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);
bool feed_sitemap_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);
bool feed_robots_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);

/* For other feeds: all up to their entries; an entry up to its content. URLs without the base. */
struct feed_head {
	const char *lang, *title;
	const char *subtitle;    /* "": none */
	const char *self, *page; /* the feed and the page it is about */
	const char *updated;     /* YYYY-MM-DD; without entries feed_oldest */
};
extern const char feed_oldest[];
void feed_begin(struct sb *to, const struct config *c, const struct feed_head *h);
void feed_entry_begin(struct sb *to, const struct config *c, const char *url, const char *title,
                      const char *date);

/* Markup of the page at `url` with every href and src made absolute. */
void feed_absolute(struct sb *to, struct str html, const struct config *c, const char *url);

#endif
