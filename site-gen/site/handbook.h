/*
 * site-gen/site/handbook.h - the handbook: numbered sections, and reading paths
 * through them as data.
 *
 *   content/sections/03-memory.md   number 03, address /handbook/memory/; says its status
 *                                   (written, wip, planned) and which sections it needs
 *   content/paths/NAME.md           a list of sections in reading order, at /paths/NAME/
 *
 * Both are pages like others: translated, searched, held to all rules.
 */
#ifndef SITE_GEN_SITE_HANDBOOK_H
#define SITE_GEN_SITE_HANDBOOK_H

#include "site-gen/base/front.h"
#include "site-gen/site/site.h"

/* What a section or a path has beyond a page. */
struct section {
	const char *id, *number;                    /* "memory", "03"; a path has no number */
	const char *status;                         /* NULL: a path */
	const char **needs, **families, **sections; /* ids */
	size_t nneeds, nfamilies, nsections;

	/* by handbook_build, in the page's language where they exist in it */
	struct page **need, **needed_by; /* of a section */
	size_t nneed, nneeded_by;
	struct page **step; /* of a path */
	size_t nsteps;
};

/* In a worker: what a page's front matter says of it; NULL if it is neither. */
struct section *handbook_keep(struct maker *m, const struct page *p, const struct front *f);

/* In the parent: lists of each language; a section that there is not, or a circle, is a problem. */
void handbook_build(struct maker *m);

/* The further variables of the handbook's list, a section and a path (build/page_kinds.c). */
void vars_handbook(struct maker *m, struct script *s, const struct page *p);
void vars_section(struct maker *m, struct script *s, const struct page *p);
void vars_path(struct maker *m, struct script *s, const struct page *p);

#endif
