/*
 * site-gen/files/search.h - search index of a language. static/search.js reads it in the
 * browser, so search needs no server and no third party, and works offline.
 *
 *   /search/index.json
 *   { "version": 1,
 *     "pages": [ ["/posts/x/", "title", "description", "post", [["id", "heading"], …]], … ],
 *     "terms": { "warp": [3, 1, 12, 4, …], … } }
 *
 *   /search/text.json
 *   { "version": 1, "text": [ ["first paragraph", 0, "of the first heading", …], … ] }
 *
 * Pairs follow each term: the distance to the previous page in `pages`, and the worth
 * of a match there. The worth depends on the term's place, on its frequency in the
 * body, and on the page's kind (`weights`, search.c), which puts posts before records.
 * Addresses have the site's prefix. For a line of context and the section that it stands
 * in, `text` has the paragraphs and list items of each page, page by page as in `pages`. The
 * number of a heading goes before the paragraphs of its section. Planned sections are left
 * out; a run is found by its title and description alone.
 *
 * A term is a run of letters, digits and '_', in lower case, of 2 to 32 bytes and not
 * only digits; or a pair of neighbouring CJK characters, because Chinese
 * is written without spaces. static/search.js splits queries in the same way
 * (tests/e2e/search.sh compares the two).
 */
#ifndef SITE_GEN_FILES_SEARCH_H
#define SITE_GEN_FILES_SEARCH_H

#include <stdbool.h>

#include "lib/err.h"

struct maker;
struct page;
struct sb;
struct site;
struct str;

/* Calls back for each term of a text, in the text's order. Declared for tests. */
void search_terms(struct str text, void (*term)(void *ctx, struct str term), void *ctx);

/* The row functions of the index and of its text (build/page_kinds.h). */
MUST_CHECK bool search_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);
MUST_CHECK bool search_text_bytes(struct maker *m, const struct page *p, struct sb *to,
                                  struct err *e);

/* Has the index of a language the words of bodies? Not of a large site. */
bool search_reads_bodies(const struct site *s, int language);

/*
 * Has the published text for search, the page `text`, the pieces that its pages know? Then those
 * that were not read are copied from there.
 */
bool search_has_pieces(const struct site *s, const struct page *text);

#endif
