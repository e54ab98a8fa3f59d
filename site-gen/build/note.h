/*
 * site-gen/build/note.h - `site-gen note`: adds new and changed numbers of the pages
 * to data/published.jsonl, and closes a part of the log when it gets large.
 */
#ifndef SITE_GEN_BUILD_NOTE_H
#define SITE_GEN_BUILD_NOTE_H

#include <stdbool.h>

struct site_options;

/*
 * Loads the site of the current folder and adds to the log; `begin`: begins it anew. Returns the
 * exit status.
 */
int note_run(const struct site_options *options, const char *reason, bool begin);

#endif
