/*
 * site-gen/build/note.h - `site-gen note`: adds to data/published.jsonl what pages
 * show now and it does not say yet.
 */
#ifndef SITE_GEN_BUILD_NOTE_H
#define SITE_GEN_BUILD_NOTE_H

#include "site-gen/site/site.h"

/* Loads the site of the current folder and notes. Returns the exit status. */
int note_run(const struct site_options *options, const char *reason);

#endif
