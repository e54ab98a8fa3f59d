/*
 * site-gen/files/feed_inner.h - what the feeds of one list of posts share, whatever
 * their form.
 */
#ifndef SITE_GEN_FILES_FEED_INNER_H
#define SITE_GEN_FILES_FEED_INNER_H

#include "site-gen/site/site.h"

enum { FEED_POSTS = 20 };

/* A feed: of a language, or of a tag (p->subject) in it. */
struct feed_of {
	const char *lang, *title, *subtitle;
	const char *self, *page; /* its own address and that of the page it is about */
	const char *updated;     /* the newest change; without posts feed_oldest */
	struct page *const *posts;
	size_t n; /* at most FEED_POSTS */
};
struct feed_of feed_of(struct maker *m, const struct page *p);

/* The body of a post, without the links beside headings, all addresses absolute. */
void feed_content(struct sb *to, const struct config *c, const struct page *p);

/* When it was last changed, YYYY-MM-DD. */
const char *feed_changed_on(const struct page *p);

#endif
