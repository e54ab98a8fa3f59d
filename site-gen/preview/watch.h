/*
 * site-gen/preview/watch.h - waits until a file of the sources changes (inotify).
 */
#ifndef SITE_GEN_PREVIEW_WATCH_H
#define SITE_GEN_PREVIEW_WATCH_H

#include "lib/err.h"
#include "lib/str.h"

struct watch;

/* Watches content/, templates/, static/, data/ with all folders below, and where HEAD points. */
struct watch *watch_open(struct err *e);
void watch_close(struct watch *w); /* NULL is fine */

/*
 * Returns when something changed and was quiet for a moment since: editors
 * write more than once. `edited` gets the path of the Markdown file that
 * changed, or nothing if several did or none.
 */
bool watch_wait(struct watch *w, struct sb *edited, struct err *e);

#endif
