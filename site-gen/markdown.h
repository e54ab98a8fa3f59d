/*
 * site-gen/markdown.h - Markdown to markup: cmark-gfm parses (tables,
 * strikethrough, footnotes, task lists; autolink of bare URLs is off), our
 * own renderer prints, because anchors, highlighted code, table classes and
 * placeholders belong to us.
 *
 * Placeholders are found in the source, where bytes and places are exact;
 * each is replaced by U+E000 index U+E001, put back as text in code spans and
 * code blocks, and expanded elsewhere. Raw HTML is an error. Inputs that cost
 * cmark-gfm more than linear time are refused before it sees them (limits in
 * markdown.c, with their reasons).
 */
#ifndef SITE_GEN_MARKDOWN_H
#define SITE_GEN_MARKDOWN_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/expand.h"

struct md_heading {
	int level;        /* 2 to 4 enter a table of contents */
	const char *id;   /* unique on the page */
	const char *text; /* plain */
};

struct md_link {
	const char *url; /* a link or image address as written, entities decoded */
	struct loc at;
};

struct md_doc {
	struct str html; /* in the arena */
	struct md_heading *headings;
	size_t nheadings;
	struct md_link *links; /* to check against what the site has */
	size_t nlinks;
	const char *first_paragraph; /* plain text: a description where none is given */
	size_t words; /* of prose: words, plus one per CJK character; code not counted */
	size_t cjk;   /* the CJK characters among them */
};

/*
 * Renders `src`, which starts at line `first_line` of `path`. `ctx` expands
 * placeholders; root-relative addresses get ctx->base in front.
 */
bool markdown_render(struct expand_ctx *ctx, struct str src, const char *path, int first_line,
                     struct md_doc *out, struct err *e);

/* Minutes to read: 220 words a minute, CJK 400 characters; at least 1. */
int markdown_minutes(const struct md_doc *d);

#endif
