/*
 * site-gen/markdown/markdown.h - the Markdown renderer.
 *
 * cmark-gfm parses (tables, strikethrough, footnotes, task lists), and our own
 * renderer prints, because anchors, highlighted code, table classes, bare
 * addresses and placeholders are ours.
 *
 * If ctx->lint is set, the lint (lint/lint.h) reads every text except code. Its
 * findings are collected in a list, so that a build can report them all.
 *
 * Placeholders are found in the source, where bytes and places are exact. Each is
 * replaced by U+E000 index U+E001. Code spans and code blocks get their text back;
 * elsewhere they are expanded. Raw HTML is an error. Sources that would cost
 * cmark-gfm more than linear time are refused first (limits.c has the reasons).
 */
#ifndef SITE_GEN_MARKDOWN_MARKDOWN_H
#define SITE_GEN_MARKDOWN_MARKDOWN_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/kinds/expand.h"
#include "site-gen/base/image.h"

struct md_heading {
	int level;        /* 2 to 4 appear in the table of contents */
	const char *id;   /* unique on the page */
	const char *text; /* plain text */
};

struct md_link {
	const char *url; /* address of a link or image as written, with entities decoded */
	struct loc at;
};

/* A picture with a known file. */
struct md_picture {
	const char *url, *file; /* as written; "content/posts/x/photo.jpg" */
	struct image image;
};

struct traced_found;
struct waiver;

/* A range of lines of the file, both ends included. */
struct md_lines {
	int from, to;
};

struct md_doc {
	struct str html; /* in the arena */
	struct md_heading *headings;
	size_t nheadings;
	struct md_link *links; /* for the check that their targets exist */
	size_t nlinks;
	struct md_picture *pictures;
	size_t npictures;
	const char *first_paragraph; /* plain text; the description if none is given */
	/* its numbers: from the context's lists as they were after it to those before it */
	struct quote *first_quotes, *before_quotes;
	struct fact *first_facts, *before_facts;
	size_t words; /* words of prose, plus one per CJK character; code does not count */
	size_t cjk;   /* the CJK characters among them */
	struct traced_found *found; /* findings of the lint (traced.h), newest first */
	struct waiver *waivers;     /* waivers in the text, newest first */
	struct md_lines *unshown;   /* unpublished footnotes, in order */
	size_t nunshown;
};

/* A top-level block of a page that exists in several languages. */
struct md_block_mark {
	int anchor;        /* gives it the id "para-<anchor>", unless it is a heading; 0: none */
	const char *older; /* anchor of its changed original ("": none); NULL: up to date */
};

struct md_options {
	const char *const *ids;             /* ids of headings, in order; NULL: from their texts */
	bool anchors;                       /* blocks get the ids para-1, para-2, … */
	const struct md_block_mark *blocks; /* or one mark per block; NULL: none */
	size_t nblocks;
	const char *original; /* address of the original page, without the site's prefix */
};

/*
 * Renders `src`, which starts at line `first_line` of `path`. `ctx` expands
 * placeholders, and ctx->base is prepended to root-relative addresses. With
 * ctx->problems, errors in blocks go there, and the following blocks are read, too;
 * the result is then false, but *e need not be set.
 */
MUST_CHECK bool markdown_render(struct expand_ctx *ctx, struct str src, const char *path,
                                int first_line, struct md_doc *out, struct err *e);

/* The same; `options` may be NULL. */
MUST_CHECK bool markdown_render_with(struct expand_ctx *ctx, struct str src, const char *path,
                                     int first_line, const struct md_options *options,
                                     struct md_doc *out, struct err *e);

/* --- the parts of a text, for comparison with another ---------------------- */

struct md_outline_block {
	const char *kind; /* "paragraph", "heading", "list", … */
	int level;        /* headings: their level; else 0 */
	struct str text;  /* its source, with single spaces between words of prose */
	int line;
	const char *anchor; /* "para-3", or a heading's id; NULL if the page has no such anchors */
};

struct md_outline_heading {
	int level;
	const char *id;
	bool given; /* the source gives the id: {#id} */
	struct loc at;
};

struct md_outline_number {
	struct str text; /* the placeholder as written */
	struct loc at;
	const char *same; /* normal form, equal for placeholders with the same meaning */
};

struct md_outline {
	struct md_outline_block *blocks; /* in printing order */
	size_t nblocks;
	struct md_outline_heading *headings;
	size_t nheadings;
	struct md_outline_number *numbers; /* placeholders outside of code */
	size_t nnumbers;
};

/* Reads the parts of a source. Everything lives in the arena. */
MUST_CHECK bool markdown_outline(struct str src, const char *path, int first_line, struct arena *a,
                                 struct md_outline *out, struct err *e);

/* Adds the placeholders of a plain text, such as a title. */
MUST_CHECK bool markdown_outline_text(struct str text, struct loc at, struct arena *a,
                                      struct md_outline *out, struct err *e);

/* Reading time in minutes, at 220 words or 400 CJK characters a minute; at least 1. */
int markdown_minutes(const struct md_doc *d);

#endif
