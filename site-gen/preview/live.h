/*
 * site-gen/preview/live.h - the pages of the preview itself: the script that reloads
 * and follows the author to the page that is edited, and the page that shows
 * what a build had to say.
 */
#ifndef SITE_GEN_PREVIEW_LIVE_H
#define SITE_GEN_PREVIEW_LIVE_H

#include <stdbool.h>

#include "lib/str.h"

extern const char live_js[], live_css[];

/*
 * A page with its closing </body>, with the script for `version` before it;
 * that shows how many warnings there are, if any.
 */
void live_inject(struct sb *to, struct str html, unsigned version, size_t warnings);

/*
 * A page of the problems in `text` ("site-gen: path:line:col: what" lines),
 * each with an excerpt of its file, a caret under the column, and the rule it
 * breaks. `built`: they are warnings of a site that was built. `base`: the
 * path prefix of the site.
 */
void live_problems(struct sb *to, struct str text, bool built, unsigned version, const char *base);

/* The page that stands for all others until the first build is done. */
void live_building(struct sb *to, unsigned version);

#endif
