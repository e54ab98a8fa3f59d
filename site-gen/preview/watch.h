/*
 * site-gen/preview/watch.h - waits for changes of the source files, through inotify, until none has
 * followed for QUIET_MS.
 */
#ifndef SITE_GEN_PREVIEW_WATCH_H
#define SITE_GEN_PREVIEW_WATCH_H

#include "lib/err.h"
#include "lib/str.h"

struct watch;

/* Watches content/, templates/, static/ and data/ recursively, and the commit that HEAD names. */
MUST_CHECK struct watch *watch_open(struct err *e);
void watch_close(struct watch *w); /* NULL is fine */

/*
 * Returns when something has changed and no change followed for a moment, because
 * editors write more than once. `edited` gets the path of the changed Markdown file;
 * nothing if no such file changed, or several.
 */
MUST_CHECK bool watch_wait(struct watch *w, struct sb *edited, struct err *e);

#endif
