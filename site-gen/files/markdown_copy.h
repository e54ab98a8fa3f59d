/*
 * site-gen/files/markdown_copy.h - pages as Markdown, for programs that read text: beside
 * each page that an author wrote its index.md, and /llms.txt that lists them
 * (llmstxt.org). Made where content/site.lua has `markdown = true`.
 *
 * The text is the author's own, with the placeholders of a sentence as links
 * to their numbers: [4.13 TB/s](https://… "… 95 % interval …; 10 launches;
 * device; date"), and those of a block as a table of the numbers it shows.
 * What is in code stays as it is. What the page does not show, a footnote that
 * nothing refers to, is left out here, too.
 */
#ifndef SITE_GEN_FILES_MARKDOWN_COPY_H
#define SITE_GEN_FILES_MARKDOWN_COPY_H

#include "site-gen/site/site.h"

/* In the parent: adds a twin for each written page that is loaded. */
void twin_add(struct site *s);

/* The row functions (build/page_kinds.h). */
bool twin_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);
bool twin_llms_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);

/*
 * Inline markup as Markdown: links with their titles, marks in brackets, other
 * tags dropped. Addresses that begin with '/' get `origin` before them.
 */
void twin_inline(struct sb *to, struct str html, struct str origin);

#endif
