/*
 * site-gen/build/follow.h - from a saved source to the place in the preview that
 * shows what was edited.
 */
#ifndef SITE_GEN_BUILD_FOLLOW_H
#define SITE_GEN_BUILD_FOLLOW_H

#include <stdio.h>

#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/site/site.h"

/* Adds a line for each source that is not published: which, and why. */
void follow_left_out(const struct site *s, struct sb *to);

/* Writes which source became which page, "path url" lines, and those, to a file for the preview. */
bool follow_write(const struct site *s, const char *to, struct err *e);

/* The page of a source in that text, without the site's prefix; empty: it became none. */
struct str follow_page(struct str sources, struct str path);

/* Prints why a source became none, or, with an empty path, all that did not. */
void follow_say_left_out(struct str sources, struct str path, FILE *to);

/*
 * The id of the first section of a page, h2 to h4, that was not there, or else
 * of the first that is not as it was; empty: what changed stands before the first of them, or nothing did. Views
 * of `after`.
 */
struct str follow_section(struct str before, struct str after);

#endif
