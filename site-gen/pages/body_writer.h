/*
 * site-gen/pages/body_writer.h - what the makers of generated pages share: a body
 * under way, with its headings. Placeholders are written as an author would.
 */
#ifndef SITE_GEN_PAGES_BODY_WRITER_H
#define SITE_GEN_PAGES_BODY_WRITER_H

#include "site-gen/kinds/kinds.h"

struct writer {
	struct expand_ctx *ctx;
	struct body *out;
	struct sb to;
	const char *path; /* for errors: what the page is about */
	const char *lang; /* of what a record says: words_record_lang(); NULL: it is the page's */
	struct err *e;
};

/* Begins *out. `path` names the page in errors. */
struct writer writer_over(struct expand_ctx *ctx, struct body *out, const char *path,
                          struct err *e);
/* Ends it, and returns `ok`. */
bool writer_finish(struct writer *w, bool ok);

/* A heading with an anchor made of its text, or with `id` if that is not NULL. */
void writer_heading(struct writer *w, int level, const char *id, const char *text);
/* The heading of a variant, which has the anchor of its title as recorded in every language. */
void writer_variant(struct writer *w, int level, const char *recorded);
/* <p class="…">text</p>, nothing where there is no text. */
void writer_paragraph(struct writer *w, const char *classes, const char *text);
/* The same of what a record says, in the page's language if that is known. */
void writer_said(struct writer *w, const char *classes, const char *recorded);
/* One placeholder, as if an author had written it: "ladder transpose device=h200". */
bool writer_place(struct writer *w, const char *inside);
/* The same, but what cannot be drawn leaves nothing, and is no error. */
bool writer_try(struct writer *w, const char *inside);

/* The cases of a family on one device, however they were measured; as placeholders find them. */
bool writer_picks(struct writer *w, const char *family, const char *device, struct pick **picks,
                  size_t *n, struct err *e);

#endif
