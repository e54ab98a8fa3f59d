/*
 * site-gen/preview/live.h - the preview's own script and pages. The script reloads a
 * page and goes to the page that the author edits. Another page shows the problems of
 * a build.
 */
#ifndef SITE_GEN_PREVIEW_LIVE_H
#define SITE_GEN_PREVIEW_LIVE_H

#include <stdbool.h>

#include "lib/str.h"

extern const char live_js[], live_css[];

/*
 * Appends a page with the script for `version` before its </body>. The script shows
 * the number of warnings, if there are any. `first`: the build that makes it still runs, and the
 * script says so.
 */
void live_inject(struct sb *to, struct str html, unsigned version, size_t warnings, bool first);

/*
 * Appends a page of the problems in `text` (lines "site-gen: path:line:col: what"),
 * each with an excerpt of its file, a caret under the column, and the broken rule.
 * `built`: the site was built, and these are its warnings. `base`: the site's path
 * prefix.
 */
void live_problems(struct sb *to, struct str text, bool built, unsigned version, const char *base);

/* Appends the page that replaces all others until the first build is done. */
void live_building(struct sb *to, unsigned version);

#endif
