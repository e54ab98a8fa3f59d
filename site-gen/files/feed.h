/*
 * site-gen/files/feed.h - Atom feeds, sitemap and robots.txt. Each language has feeds with the
 * texts of the newest posts (feed_content.c) and only absolute addresses: Atom (RFC 4287, also for
 * each tag), RSS 2.0 (feed_rss.c) and JSON Feed 1.1 (feed_json.c). The sitemap (sitemaps.org 0.9)
 * names the languages of each page.
 */
#ifndef SITE_GEN_FILES_FEED_H
#define SITE_GEN_FILES_FEED_H

#include <stdbool.h>

#include "lib/err.h"

struct config;
struct maker;
struct page;
struct sb;
struct str;

enum { FEED_POSTS = 20 }; /* the newest, in each feed */

MUST_CHECK bool feed_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);
MUST_CHECK bool feed_rss_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);
MUST_CHECK bool feed_json_bytes(struct maker *m, const struct page *p, struct sb *to,
                                struct err *e);
MUST_CHECK bool feed_sitemap_bytes(struct maker *m, const struct page *p, struct sb *to,
                                   struct err *e);
MUST_CHECK bool feed_robots_bytes(struct maker *m, const struct page *p, struct sb *to,
                                  struct err *e);

/* For other feeds: the head up to the entries, an entry up to its content. URLs lack the base. */
struct feed_head {
	const char *lang, *title;
	const char *subtitle;    /* "": none */
	const char *self, *page; /* addresses of the feed and of its page */
	const char *updated;     /* base/moment.h; feed_oldest if there are no entries */
};
extern const char feed_oldest[];
void feed_begin(struct sb *to, const struct config *c, const struct feed_head *h);
void feed_entry_begin(struct sb *to, const struct config *c, const char *url, const char *title,
                      const char *date);

/* Appends markup of the page at `url` with every href and src made absolute. */
void feed_absolute(struct sb *to, struct str html, const struct config *c, const char *url);

#endif
