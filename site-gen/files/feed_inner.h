/*
 * site-gen/files/feed_inner.h - code that the three feed formats share.
 */
#ifndef SITE_GEN_FILES_FEED_INNER_H
#define SITE_GEN_FILES_FEED_INNER_H

#include <stddef.h>

#include "lib/err.h"
#include "site-gen/files/feed.h"

struct config;
struct maker;
struct sb;
struct site;

/* A feed of a language, or of one tag (p->subject) in a language. */
struct feed_of {
	const char *lang, *title, *subtitle;
	const char *self, *page; /* addresses of the feed and of its page */
	const char *updated;     /* the newest change; feed_oldest if there are no posts */
	struct page *const *posts;
	size_t n; /* at most FEED_POSTS */
};
/* Also reads the bodies of its posts that an earlier build has kept without. */
MUST_CHECK bool feed_of(struct maker *m, const struct page *p, struct feed_of *out, struct err *e);

/*
 * The body of a post as readers of feeds get it (feed_content.c): at most about 20 kB of markup,
 * with absolute addresses. A longer one ends with a link to the page. A post is in many feeds, so
 * the process keeps its text until it ends.
 */
struct str feed_content(struct maker *m, const struct page *p);

/*
 * Date of the page's last change: `updated` of its front matter, or the day on which the log of
 * published numbers has other digits for a number of its title, description, key result or
 * take-aways, if that is later.
 */
const char *feed_changed_on(const struct site *s, const struct page *p);

#endif
