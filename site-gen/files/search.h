/*
 * site-gen/files/search.h - the search index of a language, which static/search.js
 * reads in the browser: no server, no third party, works offline.
 *
 *   /search/index.json
 *   { "version": 1,
 *     "pages": [ ["/posts/x/", "title", "description", "post", [["id", "heading"], …]], … ],
 *     "terms": { "warp": [3, 1, 12, 4, …], … } }
 *
 *   /search/text.json
 *   { "version": 1, "text": [ ["first paragraph", …], … ] }
 *
 * A term is followed by pairs: how far the page is from the one before in
 * `pages`, and what a match there is worth: by its place, how often it is in the
 * body, and the page's kind (`weights`, search.c): posts before records. Addresses
 * have the site's prefix. `text` has the paragraphs of what an author wrote, page by
 * page as in `pages`, for a line of context. Sections that are only planned are left out.
 *
 * Terms: runs of letters, digits and '_', ASCII capitals made small, 2 to 32
 * bytes, not digits alone; and every two neighbouring CJK characters, because
 * Chinese is written without spaces. static/search.js cuts queries the same
 * way (tests/browser/search.js holds the two against each other).
 */
#ifndef SITE_GEN_FILES_SEARCH_H
#define SITE_GEN_FILES_SEARCH_H

#include "site-gen/site/site.h"

/* Calls back for each term of a text, in its order. */
void search_terms(struct str text, void (*term)(void *ctx, struct str term), void *ctx);

/* The row functions of the index and of its text (build/page_kinds.h). */
bool search_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);
bool search_text_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);

#endif
