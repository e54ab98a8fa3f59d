/*
 * site-gen/site/source.h - loading a page from its source: front matter, body, numbers, address.
 */
#ifndef SITE_GEN_SITE_SOURCE_H
#define SITE_GEN_SITE_SOURCE_H

#include "lib/err.h"

struct maker;
struct page;

/*
 * The `load` function of kinds that have a source (build/page_kinds.h). Leaves a draft or a
 * post with a day in the future unloaded unless the options ask for it. Problems of the
 * text go to m->problems; the first error that stops the page goes to `e`.
 */
MUST_CHECK bool source_load(struct maker *m, struct page *p, struct err *e);

/*
 * Reads the body of a page that an earlier build has kept without it (page_kept.unread); does
 * nothing for other pages. Fails if the source is no longer the file that the build listed: so two
 * workers that do it at once find the same.
 */
MUST_CHECK bool source_complete(struct maker *m, struct page *p, struct err *e);

#endif
