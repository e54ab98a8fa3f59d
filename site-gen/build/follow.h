/*
 * site-gen/build/follow.h - finds the place in the preview that shows an edited source.
 */
#ifndef SITE_GEN_BUILD_FOLLOW_H
#define SITE_GEN_BUILD_FOLLOW_H

#include <stdio.h>

#include "lib/err.h"
#include "lib/str.h"

struct site;

/* Adds a line for each unpublished source, with the reason. */
void follow_left_out(const struct site *s, struct sb *to);

/* Writes a file for the preview: a line "path url" for each page, then the unpublished sources. */
MUST_CHECK bool follow_write(const struct site *s, const char *to, struct err *e);

/* Looks up a source's page in that text, without the site's prefix; empty if it has none. */
struct str follow_page(struct str sources, struct str path);

/* Prints why a source has no page; with an empty path, does so for all such sources. */
void follow_say_left_out(struct str sources, struct str path, FILE *to);

/*
 * The id of the first new section (h2 to h4) of a page, else of the first section that
 * changed. Empty if nothing changed, or only text before the first section. A view of
 * `after`.
 */
struct str follow_section(struct str before, struct str after);

#endif
