/*
 * site-gen/kinds/expand.h - the expansion of placeholders to markup or text: the
 * entry point for Markdown, front matter and generated pages.
 * site-gen/kinds/kinds.c has the table of kinds.
 *
 * On a page over several devices, a placeholder that names no device and no run is expanded for
 * each (kinds/device_part.h). If it fails on one of them, the error names the device.
 */
#ifndef SITE_GEN_KINDS_EXPAND_H
#define SITE_GEN_KINDS_EXPAND_H

#include "lib/err.h"
#include "site-gen/records/context.h"
#include "site-gen/base/placeholder.h"

/* The places where a kind is allowed. An unknown kind is an error that names the nearest. */
MUST_CHECK bool expand_place_of(const struct placeholder *p, enum expand_place *out, struct err *e);

/* How a text numbers the block: as a figure, a table, or not at all. */
enum expand_numbered expand_numbered(const struct placeholder *p);

/* Expands to markup: a number is a link to its place, with data-state. */
MUST_CHECK bool expand_html(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to,
                            struct err *e);

/* Expands an inline kind to plain text, for titles, descriptions, alt text, feeds and search. */
MUST_CHECK bool expand_text(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to,
                            struct err *e);

/* The same as escaped markup, for use inside of a link. */
MUST_CHECK bool expand_in_link(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to,
                               struct err *e);

/* Expands one step of a span. */
MUST_CHECK bool expand_span(struct expand_ctx *ctx, const struct placeholder *p, struct span *s,
                            struct sb *to, struct err *e);

/*
 * Replaces all placeholders in a plain text, such as a title, by their text form;
 * `at` is the place of the text's first byte. With `html`, numbers become links and
 * the rest is escaped. Of a claim around a part of it, the text form leaves only that part.
 */
MUST_CHECK bool expand_all(struct expand_ctx *ctx, struct str text, struct loc at, bool html,
                           struct sb *to, struct err *e);

#endif
