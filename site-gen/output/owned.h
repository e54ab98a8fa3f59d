/*
 * site-gen/output/owned.h - which folders may be replaced or removed: those that were
 * made here, as a mark inside of them says, and never by their name alone.
 *
 *   a site           its manifest (manifest.h), which lists its files; compressed
 *                    forms of them count as listed
 *   staging          a file OWNED_MARK, there until the folder becomes the site,
 *                    and again from when it is to be removed
 */
#ifndef SITE_GEN_OUTPUT_OWNED_H
#define SITE_GEN_OUTPUT_OWNED_H

#include "lib/arena.h"
#include "lib/err.h"

#define OWNED_MARK ".unpublished"

/*
 * May a site be published in the place of `path`? Yes if nothing is there, an
 * empty folder, or a site with no file but its own. Else an error that names
 * what would be lost.
 */
bool owned_site(const char *path, struct arena *a, struct err *e);

/* May it be removed? Yes if nothing is there, an empty folder, one with the mark, or a site. */
bool owned_leftover(const char *path, struct arena *a, struct err *e);

/* Puts the mark into the folder at `path`, which is open as `dir`; takes it away. */
bool owned_mark(int dir, const char *path, struct err *e);
bool owned_unmark(const char *path, struct arena *a, struct err *e);

#endif
