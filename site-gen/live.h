/*
 * site-gen/live.h - the pages of the preview itself: the script that reloads,
 * and the page that shows what a build had to say.
 */
#ifndef SITE_GEN_LIVE_H
#define SITE_GEN_LIVE_H

#include "lib/str.h"

extern const char live_js[], live_css[];

/* A page with its closing </body>, with the script for `version` before it. */
void live_inject(struct sb *to, struct str html, unsigned version);

/*
 * A page of the problems in `text` ("site-gen: path:line:col: what" lines),
 * each with an excerpt of its file and a caret under the column.
 */
void live_error_page(struct sb *to, struct str text, unsigned version);

#endif
