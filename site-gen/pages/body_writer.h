/*
 * site-gen/pages/body_writer.h - writer of a generated page's body and headings. It
 * accepts placeholders as an author would write them.
 */
#ifndef SITE_GEN_PAGES_BODY_WRITER_H
#define SITE_GEN_PAGES_BODY_WRITER_H

#include "lib/err.h"
#include "site-gen/kinds/kinds.h"

/* The body of a generated page. */
struct body {
	struct str html;
	struct body_heading {
		int level;
		const char *id, *text;
	} * headings;
	size_t nheadings;
};

struct writer {
	struct expand_ctx *ctx;
	struct body *out;
	struct sb to;
	const char *path; /* for errors: the page's subject */
	const char *lang; /* attribute of headings from records: words_record_lang(); or NULL */
	struct err *e;
};

/* Begins the body *out. `path` names the page in errors. */
MUST_CHECK struct writer writer_over(struct expand_ctx *ctx, struct body *out, const char *path,
                                     struct err *e);
/* Ends the body and returns `ok`. */
bool writer_finish(struct writer *w, bool ok);

/* Writes a heading. Its anchor is `id`; if that is NULL, it is derived from the text. */
void writer_heading(struct writer *w, int level, const char *id, const char *text);
/* Opens a section that readers open; its heading is listed, and its anchor derives from `anchor`.
 */
void writer_fold(struct writer *w, const char *anchor, const char *text, const char *words);
/* Writes a variant's heading. In every language its anchor derives from the recorded title. */
void writer_variant(struct writer *w, int level, const char *recorded);
/*
 * Opens and closes details.fold: its summary is a heading with the anchor `id`, and some words.
 * The heading is listed by the caller. `lang` is an attribute of the heading, or "".
 */
void body_fold_open(struct sb *to, bool open, int level, const char *id, const char *text,
                    const char *lang, const char *words);
void body_fold_close(struct sb *to);

/* Writes <p class="…">text</p>; nothing if there is no text. */
void writer_paragraph(struct writer *w, const char *classes, const char *text);
/* The same for a record's text, which is translated if the page's language has it. */
void writer_said(struct writer *w, const char *classes, const char *recorded);
/* Writes one placeholder as an author would: "ladder transpose device=h200". */
bool writer_place(struct writer *w, const char *inside);
/* The same, but a placeholder that fails writes nothing and is no error. */
bool writer_try(struct writer *w, const char *inside);

/* Finds all cases of a family on one device, measured in any way, as placeholders find them. */
MUST_CHECK bool writer_picks(struct writer *w, const char *family, const char *device,
                             struct pick **picks, size_t *n, struct err *e);

#endif
