/*
 * site-gen/markdown/markdown.h - Markdown to markup: cmark-gfm parses (tables,
 * strikethrough, footnotes, task lists; bare addresses are found by us), our
 * own renderer prints, because anchors, highlighted code, table classes and
 * placeholders belong to us.
 *
 * The lint (lint/lint.h) reads every text but code, if ctx->lint is there; what it
 * finds is no error here but a list, so that all of it can be told.
 *
 * Placeholders are found in the source, where bytes and places are exact;
 * each is replaced by U+E000 index U+E001, put back as text in code spans and
 * code blocks, and expanded elsewhere. Raw HTML is an error. Inputs that cost
 * cmark-gfm more than linear time are refused before it sees them (limits in
 * markdown.c, with their reasons).
 */
#ifndef SITE_GEN_MARKDOWN_MARKDOWN_H
#define SITE_GEN_MARKDOWN_MARKDOWN_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/kinds/expand.h"
#include "site-gen/base/image.h"

struct md_heading {
	int level;        /* 2 to 4 enter a table of contents */
	const char *id;   /* unique on the page */
	const char *text; /* plain */
};

struct md_link {
	const char *url; /* a link or image address as written, entities decoded */
	struct loc at;
};

/* A picture whose file is known. */
struct md_picture {
	const char *url, *file; /* as written; "content/posts/x/photo.jpg" */
	struct image image;
};

struct traced_found;
struct waiver;

/* Lines of the file, both ends among them. */
struct md_lines {
	int from, to;
};

struct md_doc {
	struct str html; /* in the arena */
	struct md_heading *headings;
	size_t nheadings;
	struct md_link *links; /* to check against what the site has */
	size_t nlinks;
	struct md_picture *pictures;
	size_t npictures;
	const char *first_paragraph; /* plain text: a description where none is given */
	size_t words; /* of prose: words, plus one per CJK character; code not counted */
	size_t cjk;   /* the CJK characters among them */
	struct traced_found *found; /* what the lint says of it (traced.h), newest first */
	struct waiver *waivers;     /* in the text, newest first */
	struct md_lines *unshown;   /* footnotes that nothing refers to, in order */
	size_t nunshown;
};

/* A block at the top level of a page that is there in several languages. */
struct md_block_mark {
	int anchor;        /* it gets the id "para-<anchor>", unless it is a heading; 0: none */
	const char *older; /* not NULL: its original has changed, and has this anchor ("": none) */
};

struct md_options {
	const char *const *ids;             /* of the headings, in order; NULL: from their texts */
	bool anchors;                       /* blocks get the ids para-1, para-2, … */
	const struct md_block_mark *blocks; /* or these, one for each; NULL: nothing of it */
	size_t nblocks;
	const char *original; /* the address of the original, without the site's prefix */
};

/*
 * Renders `src`, which starts at line `first_line` of `path`. `ctx` expands
 * placeholders; root-relative addresses get ctx->base in front. With
 * ctx->problems, what is wrong in a block goes there and the blocks after it
 * are read, too: false, and *e need not be set.
 */
bool markdown_render(struct expand_ctx *ctx, struct str src, const char *path, int first_line,
                     struct md_doc *out, struct err *e);

/* The same; `options` may be NULL. */
bool markdown_render_with(struct expand_ctx *ctx, struct str src, const char *path, int first_line,
                          const struct md_options *options, struct md_doc *out, struct err *e);

/* --- what a text consists of, to compare it with another ------------------- */

struct md_outline_block {
	const char *kind; /* "paragraph", "heading", "list", … */
	int level;        /* of a heading, else 0 */
	struct str text;  /* its source; white space between words of prose is one space */
	int line;
	const char *anchor; /* on the page, if its blocks have any: "para-3", a heading's id */
};

struct md_outline_heading {
	int level;
	const char *id;
	bool given; /* the id stands in the source: {#id} */
	struct loc at;
};

struct md_outline_number {
	struct str text; /* the placeholder as written */
	struct loc at;
	const char *same; /* equal for placeholders that mean the same */
};

struct md_outline {
	struct md_outline_block *blocks; /* in the order they are printed */
	size_t nblocks;
	struct md_outline_heading *headings;
	size_t nheadings;
	struct md_outline_number *numbers; /* placeholders outside of code */
	size_t nnumbers;
};

/* Everything lives in the arena. */
bool markdown_outline(struct str src, const char *path, int first_line, struct arena *a,
                      struct md_outline *out, struct err *e);

/* Adds the placeholders of a plain text, a title say. */
bool markdown_outline_text(struct str text, struct loc at, struct arena *a, struct md_outline *out,
                           struct err *e);

/* Minutes to read: 220 words a minute, CJK 400 characters; at least 1. */
int markdown_minutes(const struct md_doc *d);

#endif
