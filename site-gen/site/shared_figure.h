/*
 * site-gen/site/shared_figure.h - the subject of a page of kind "figure", which shows one drawing
 * of a post under an address of its own (pages/figure_page.h).
 */
#ifndef SITE_GEN_SITE_SHARED_FIGURE_H
#define SITE_GEN_SITE_SHARED_FIGURE_H

#include <stdbool.h>

struct expand_figure; /* records/context.h */
struct page;

struct shared_figure {
	const struct page *post;
	const struct expand_figure *figure;
	bool unmarked; /* none of its numbers breaks rule `unmarked`, so a card may show it */
};

/* The subject of a page; NULL: it is no page of a figure. */
const struct shared_figure *shared_figure(const struct page *p);

#endif
