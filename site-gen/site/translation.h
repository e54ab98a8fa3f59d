/*
 * site-gen/site/translation.h - compares a translation with its original. Rule
 * `bilingual`:
 *
 *   - both quote the same numbers, figures and claims: they have the same
 *     placeholders, in any order (titles and descriptions included);
 *   - headings with an explicit id ({#id}) have the same id in both;
 *   - the translation names the text that it translates, with `source: <blob id>`
 *     in its front matter, and has a block for each block of that text.
 *
 * Later changes of the original are found block by block. The top-level blocks
 * (paragraphs, lists, tables, code, …) of the original as translated, read from the
 * repository, are compared with those of the present original.
 * `site-gen translated FILE` writes the new id after the translation was updated.
 */
#ifndef SITE_GEN_SITE_TRANSLATION_H
#define SITE_GEN_SITE_TRANSLATION_H

#include "lib/err.h"
#include "site-gen/base/front.h"
#include "site-gen/markdown/markdown.h"

struct maker;

/* A block of the translation whose original changed, or a block that the translation lacks. */
struct translation_block {
	const char *anchor;   /* anchor in the translation; NULL: not there */
	const char *original; /* anchor in the original; NULL: removed there */
	struct translation_block *next;
};

struct translation {
	const struct page *original;
	struct translation_block *older; /* original changed since; in the translation's order */
	struct translation_block *added; /* new in the original */
	size_t nolder, nadded;
	bool head_older; /* the original's title, description, key or take has changed */
	bool unknown;    /* outdated, but without a repository the changes are unknown */
};

/* A translation and its original, ready for rendering. */
struct translation_pair {
	struct front original;     /* front matter of the original */
	struct md_options options; /* options for rendering the translation */
	struct translation *state; /* result for the page */
};

/*
 * Compares the translation `p` with front matter `f` with its original of kind
 * `kind`. `f` inherits missing keys from the original. Reports all differences as
 * problems of the build. False if there are any, or if *e is set.
 */
MUST_CHECK bool translation_compare(struct maker *m, struct page *p, struct front *f,
                                    enum front_kind kind, struct translation_pair *out,
                                    struct err *e);

/* The original of a page; NULL if the page is no translation. */
const struct page *translation_original(const struct page *p);

/*
 * `site-gen translated FILE`: writes the id of the present original into the
 * translation's front matter, and prints the changes since the last id. Returns
 * the exit status.
 */
int translation_mark(const char *path);

#endif
