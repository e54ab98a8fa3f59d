/*
 * site-gen/build/kept_pages.h - what a build has read of its sources, for the next one: a source
 * that is the same by time, size and inode is neither read nor parsed nor linted again.
 *
 * One file of the cache holds all such pages (base/kept.h). It counts as long as everything but the
 * texts is the same: the program, HEAD, the records, the settings, templates, styles and pictures
 * (reuse_surroundings()). A page counts as long as its sources in all languages are the same.
 *
 * Kept are pages without problems that show no number, are no translation and no part of the
 * handbook: what others point into records, or into other pages. Of a large site the bodies are
 * left out (page_kept.unread), as they would be most of the file; source_complete() reads one again
 * where a file needs it.
 */
#ifndef SITE_GEN_BUILD_KEPT_PAGES_H
#define SITE_GEN_BUILD_KEPT_PAGES_H

#include "lib/err.h"
#include "site-gen/base/pack.h"
#include "site-gen/site/page.h"

struct site;

/* Texts of a page that are markup: of its title, description and key result, and the take-aways. */
enum { KEPT_TITLE, KEPT_DESCRIPTION, KEPT_KEY, KEPT_TAKES, KEPT_MARKUP = KEPT_TAKES + FRONT_TAKES };

/* A page as it is kept. */
struct kept_page {
	const char *url, *out;
	struct page_text text;
	struct page_front front;
	struct page_source source;
	struct page_numbers numbers;
	size_t nfigures;
	struct expand_figure *figures;
	const char *markup[KEPT_MARKUP];
	const char *body; /* NULL: left out */
};

/* Call it before pages are loaded: takes the pages whose sources are the same. */
void kept_pages_take(struct site *s);

/*
 * Call it after reuse_outputs(): reads the bodies that were left out, if a text for search has to
 * be made and its pieces are not to be had. A single worker would take too long for all of them.
 */
MUST_CHECK bool kept_pages_complete(struct site *s, struct err *e);

/* Keeps the pages of a build that was published. */
void kept_pages_leave(const struct site *s);

/* The tables, with a NULL at the end, to compare them with the headers. Declared for tests. */
extern const struct pack_type *const kept_pages_types[];

#endif
