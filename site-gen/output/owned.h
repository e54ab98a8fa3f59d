/*
 * site-gen/output/owned.h - which folders may be replaced or removed: only those that
 * carry a mark of ours inside. A folder's name alone proves nothing.
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
 * Checks that a site may replace `path`: nothing is there, or an empty folder, or a
 * site without foreign files. Otherwise the error names what would be lost.
 */
MUST_CHECK bool owned_site(const char *path, struct arena *a, struct err *e);

/* Checks that `path` may be removed: nothing, an empty folder, a marked one, or a site. */
MUST_CHECK bool owned_leftover(const char *path, struct arena *a, struct err *e);

/* Puts the mark into the folder at `path`, which is open as `dir`, or removes it. */
MUST_CHECK bool owned_mark(int dir, const char *path, struct err *e);
MUST_CHECK bool owned_unmark(const char *path, struct arena *a, struct err *e);

#endif
