/*
 * site-gen/site/aliases.h - addresses that a page once had, so that no link to it
 * breaks. Front matter:
 *
 *   aliases: [/posts/old-name/, /2024/old.html, "#old-heading #new-heading"]
 *
 * A path becomes a small page that leads on; "#old #new" puts the old anchor
 * at the heading that has the new one. An address or an anchor that is taken
 * is an error, as is a heading that is not there.
 */
#ifndef SITE_GEN_SITE_ALIASES_H
#define SITE_GEN_SITE_ALIASES_H

#include "site-gen/base/front.h"
#include "site-gen/site/site.h"

/* In a worker, when the body is rendered: keeps the paths, puts the anchors into the body. */
bool aliases_keep(struct maker *m, struct page *p, const struct front *f, struct err *e);

/* In the parent: adds a page of kind "redirect" for each path of each page. */
void aliases_add(struct site *s);

/* The file: leads on at once, or by its link where a reader does not follow. */
bool aliases_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);

#endif
