/*
 * site-gen/kinds/expand.h - from a placeholder to what a reader sees. Markdown,
 * front matter and generated pages come in here; site-gen/kinds/kinds.c has the
 * table of kinds.
 */
#ifndef SITE_GEN_KINDS_EXPAND_H
#define SITE_GEN_KINDS_EXPAND_H

#include "site-gen/records/context.h"
#include "site-gen/base/placeholder.h"

/* Where a kind may stand; an unknown kind is an error that names the nearest. */
bool expand_place_of(const struct placeholder *p, enum expand_place *out, struct err *e);

/* What it is called where a text numbers it. */
enum expand_numbered expand_numbered(const struct placeholder *p);

/* The expansion as markup: a link to the number's place, with data-state. */
bool expand_html(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to, struct err *e);

/* An inline kind as plain text: titles, descriptions, alt text, feeds, search. */
bool expand_text(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to, struct err *e);

/* One step of a span. */
bool expand_span(struct expand_ctx *ctx, const struct placeholder *p, struct span *s, struct sb *to,
                 struct err *e);

/*
 * All placeholders inside a plain text (a title, say) replaced by their text
 * form; `at` is the place of the text's first byte. With `html` the rest is
 * escaped and the numbers are links.
 */
bool expand_all(struct expand_ctx *ctx, struct str text, struct loc at, bool html, struct sb *to,
                struct err *e);

#endif
