/*
 * site-gen/site/translation.h - how a translation stands to its original. The rule
 * is `bilingual`:
 *
 *   - both quote the same numbers, figures and claims: their placeholders are
 *     the same, in any order (titles and descriptions included);
 *   - headings that have an id of their own ({#id}) have the same one;
 *   - the translation says of which text it is one, with `source: <blob id>`
 *     in its front matter, and has a block for each block of that text.
 *
 * What has changed in the original since then is found block by block: the
 * texts at the top level (paragraphs, lists, tables, code, …) of the original
 * as translated, read from the repository, against those of the original now.
 * `site-gen translated FILE` writes the id when the translation has followed.
 */
#ifndef SITE_GEN_SITE_TRANSLATION_H
#define SITE_GEN_SITE_TRANSLATION_H

#include "site-gen/base/front.h"
#include "site-gen/markdown/markdown.h"
#include "site-gen/site/site.h"

/* A block of the translation that is older than its source, or one that the translation lacks. */
struct translation_block {
	const char *anchor;   /* in the translation; NULL: it has no place there */
	const char *original; /* in the original; NULL: taken out there */
	struct translation_block *next;
};

struct translation {
	const struct page *original;
	struct translation_block *older; /* has changed since, in the order of the translation */
	struct translation_block *added; /* is new in the original */
	size_t nolder, nadded;
	bool head_older; /* the original's title or description has changed */
	bool unknown;    /* older, but there is no repository that tells where */
};

/* A translation and its original, ready to be rendered. */
struct translation_pair {
	struct front original;     /* its front matter */
	struct md_options options; /* to render the translation with */
	struct translation *state; /* for the page */
};

/*
 * Compares the translation `p`, whose front matter is `f`, with its original;
 * `f` gets from the original what it does not say itself. All differences
 * between the two are problems of the build; false: there are some, or *e is set.
 * `kind` is what the original is.
 */
bool translation_compare(struct maker *m, struct page *p, struct front *f, enum front_kind kind,
                         struct translation_pair *out, struct err *e);

/* The original that a page is a translation of, or NULL. */
const struct page *translation_original(const struct page *p);

/*
 * `site-gen translated FILE`: writes the id of the original as it is now into
 * the translation's front matter, and says what has changed since the last
 * time. Returns the exit status.
 */
int translation_mark(const char *path);

#endif
