/*
 * site-gen/files/markdown_copy.h - pages as Markdown, for programs that read text.
 * With `markdown = true` in content/site.lua, each page that an author wrote has an
 * index.md beside it, and /llms.txt lists them (llmstxt.org).
 *
 * The text is the author's own. A placeholder in a sentence becomes a link to its
 * number: [4.13 TB/s](https://… "… 95 % interval …; 10 launches; device; date"). A
 * block becomes a table of its numbers. Code stays unchanged. Parts that the page
 * does not show, such as an unused footnote, are left out here, too.
 */
#ifndef SITE_GEN_FILES_MARKDOWN_COPY_H
#define SITE_GEN_FILES_MARKDOWN_COPY_H

#include <stdbool.h>

#include "lib/err.h"

struct maker;
struct page;
struct sb;
struct site;
struct str;

/* In the parent process: adds a Markdown copy for each loaded page that an author wrote. */
void markdown_copy_add(struct site *s);

/* The row functions (build/page_kinds.h). */
MUST_CHECK bool markdown_copy_bytes(struct maker *m, const struct page *p, struct sb *to,
                                    struct err *e);
MUST_CHECK bool markdown_copy_llms_bytes(struct maker *m, const struct page *p, struct sb *to,
                                         struct err *e);

/*
 * Appends inline markup as Markdown: links with titles, marks in brackets, and no
 * other tags. Addresses that begin with '/' get `origin` as a prefix. Declared for tests.
 */
void markdown_copy_inline(struct sb *to, struct str html, struct str origin);

#endif
