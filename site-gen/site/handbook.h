/*
 * site-gen/site/handbook.h - the handbook: numbered sections, and reading paths
 * through them.
 *
 *   content/sections/03-memory.md   number 03, address /handbook/memory/; front matter has its
 *                                   status (written, wip, planned) and the sections it needs
 *   content/paths/NAME.md           a list of sections in reading order, at /paths/NAME/
 *
 * Both are ordinary pages: they are translated and searched, and all rules apply.
 */
#ifndef SITE_GEN_SITE_HANDBOOK_H
#define SITE_GEN_SITE_HANDBOOK_H

#include <stdbool.h>

#include "site-gen/base/front.h"

struct maker;
struct page;
struct script;

/* The additional data of a section or a path. */
struct section {
	const char *id, *number;                    /* "memory", "03"; a path has no number */
	const char *status;                         /* NULL: a path */
	const char **needs, **families, **sections; /* ids */
	size_t nneeds, nfamilies, nsections;

	/* set by handbook_build(); versions in the page's language where they exist */
	struct page **need, **needed_by; /* sections only */
	size_t nneed, nneeded_by;
	struct page **step; /* paths only */
	size_t nsteps;
};

/* In a worker: reads the data from a page's front matter; NULL if it is neither. */
struct section *handbook_keep(struct maker *m, const struct page *p, const struct front *f);

/*
 * True for a section that is only planned: it is no step of a list, and neither searched, nor in
 * the sitemap, nor in llms.txt.
 */
bool handbook_planned(const struct page *p);

/* In the parent: builds the lists of each language. Missing sections and cycles are problems. */
void handbook_build(struct maker *m);

#endif
