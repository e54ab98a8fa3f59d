/*
 * site-gen/build/first.h - the page of the source that an author has just saved: a preview shows it
 * before the rest of the site is made, checked and published.
 *
 * The page is rendered from the same model of the site as all others, so its bytes are those that
 * the build publishes later, if it succeeds. It goes into a file of the cache, never into the
 * published folder: nobody has compared it with the log, or checked its links. The build then goes
 * on, makes the page again, and says whether the reader has the same already.
 *
 * No page is shown first if the build has found a problem up to then, or if the page needs a
 * picture or a script that is not published yet.
 */
#ifndef SITE_GEN_BUILD_FIRST_H
#define SITE_GEN_BUILD_FIRST_H

#include <stdbool.h>

#include "lib/str.h"

struct arena;
struct site;

/* What a builder tells the preview, one byte each. */
enum { FIRST_SHOWN = 's', FIRST_KEPT = 'k' };

/* Where the page goes. */
struct first {
	const char *source; /* path of the saved file */
	const char *to;     /* file for the page: a line with its URL, then its markup */
	int fd;             /* gets FIRST_SHOWN when it is there, later FIRST_KEPT or nothing */
};

/* Call it when the index is made: renders the page, and tells the preview. */
void first_show(struct site *s);

/* Call it when all is published: tells the preview that the page and its pictures are as shown. */
void first_settle(const struct site *s);

/* Reads a file that first_show() wrote; false: it cannot be read, or lacks its first line. */
bool first_read(const char *path, struct arena *a, struct str *url, struct str *html);

#endif
