/*
 * site-gen/note.h - `site-gen note`: adds to data/published.jsonl what pages
 * show now and it does not say yet.
 */
#ifndef SITE_GEN_NOTE_H
#define SITE_GEN_NOTE_H

#include "site-gen/site.h"

/* Loads the site of the current folder and notes. Returns the exit status. */
int note_run(const struct site_options *options, const char *reason);

#endif
