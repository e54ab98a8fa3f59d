/*
 * site-gen/site/aliases.h - former addresses of a page, so that no link to it breaks.
 * Front matter:
 *
 *   aliases: [/posts/old-name/, /2024/old.html, "#old-heading #new-heading"]
 *
 * A path becomes a small page that redirects. "#old #new" adds the old anchor to
 * the heading with the new one. It is an error if an address or an anchor is
 * taken, or if the heading does not exist.
 */
#ifndef SITE_GEN_SITE_ALIASES_H
#define SITE_GEN_SITE_ALIASES_H

#include "lib/err.h"
#include "site-gen/base/front.h"

struct maker;
struct page;
struct site;

/* In a worker, after the body is rendered: keeps the paths, and adds the anchors to the body. */
MUST_CHECK bool aliases_keep(struct maker *m, struct page *p, const struct front *f, struct err *e);

/* In the parent: adds a page of kind "redirect" for each path. */
void aliases_add(struct site *s);

/*
 * Writes the file: it redirects at once, with the fragment if scripts run and the look has
 * static/redirect.js, and has a link for readers whose browser does not.
 */
MUST_CHECK bool aliases_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);

#endif
