/*
 * site-gen/build/reuse.h - what a preview need not make again after a save.
 *
 * Pages: a source is read and rendered once, with the base of a builder
 * (build.h); a build takes the page as it is there, as long as the source, its
 * versions in other languages, and all that a text may show beside the records
 * (pictures, files) are the same files, by times, sizes and inodes.
 *
 * Outputs: each has a digest of what it may depend on, and one whose digest is
 * that of the build before stays as it was published. What that is, says the
 * kind of page (PAGE_OF_… in page_kinds.h); a kind that says nothing is made again
 * after any change. What other pages see of a page, its title, its headings,
 * its numbers, is its face: another face makes everything again.
 *
 * A site that is published is never made with this: it is built whole.
 */
#ifndef SITE_GEN_BUILD_REUSE_H
#define SITE_GEN_BUILD_REUSE_H

#include "site-gen/site/site.h"

/* The pages of sources, as a builder has loaded them. */
struct reuse_base {
	const char *digest; /* of records, HEAD, settings and words */
	struct inputs inputs;
	struct page **pages; /* loaded, and nothing was found in them */
	size_t npages;
};

/* Before pages are loaded: those that the base has are loaded then. */
void reuse_pages(struct site *s);

/* When the index is built: `depends` of each page, and which outputs stay as they are. */
void reuse_outputs(struct site *s);

/* For the next build: what this one has published. */
bool reuse_note(const struct site *s, struct err *e);

#endif
