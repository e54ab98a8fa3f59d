/*
 * site-gen/follow.h - from a saved source to the place in the preview that
 * shows what was edited.
 */
#ifndef SITE_GEN_FOLLOW_H
#define SITE_GEN_FOLLOW_H

#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/site.h"

/* Writes which source became which page, "path url" lines, to a file for the preview. */
bool follow_write(const struct site *s, const char *to, struct err *e);

/* The page of a source in that text, without the site's prefix; empty: it became none. */
struct str follow_page(struct str sources, struct str path);

/*
 * The id of the first section of a page, h2 to h4, that was not there, or else
 * of the first that is not as it was; empty: what changed stands before the first of them, or nothing did. Views
 * of `after`.
 */
struct str follow_section(struct str before, struct str after);

#endif
