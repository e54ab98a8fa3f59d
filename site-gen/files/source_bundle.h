/*
 * site-gen/files/source_bundle.h - the site's own source: a git bundle of HEAD's whole history at
 * /source/ridgepoint.bundle, which `git clone` reads, and the page /source/ about it. Both exist
 * if the setting `source` is on, the build is no preview, and the repository has its history.
 *
 * Equal commits give equal bytes. Packing takes seconds, so the newest bundle is kept in the
 * cache and made again when HEAD moves.
 */
#ifndef SITE_GEN_FILES_SOURCE_BUNDLE_H
#define SITE_GEN_FILES_SOURCE_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"

struct maker;
struct page;
struct sb;
struct script;
struct site;

#define SOURCE_BUNDLE_URL "/source/ridgepoint.bundle"

/* Does the site carry its source? */
bool source_bundle_wanted(const struct site *s);

/*
 * In the parent, before pages are loaded: packs HEAD's history, if the cache has another. Workers
 * may take neither the time nor the memory for it.
 */
MUST_CHECK bool source_bundle_pack(const struct site *s, struct err *e);

/* The row functions of the bundle (build/page_kinds.h). */
MUST_CHECK bool source_bundle_load(struct maker *m, struct page *p, struct err *e);
MUST_CHECK bool source_bundle_bytes(struct maker *m, const struct page *p, struct sb *to,
                                    struct err *e);

/*
 * Disk for the bundle, a clone of it and so many more checkouts, in tens of MB: a clone takes as
 * much again for its history, and each checkout as much for its files. 0: there is no bundle.
 */
int64_t source_bundle_megabytes(const struct maker *m, size_t checkouts);

/* Sets page.bundle of templates/source.html. */
void source_bundle_vars(struct maker *m, struct script *s, const struct page *p);

#endif
