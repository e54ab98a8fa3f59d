/*
 * site-gen/build/build.h - from the work tree to a published site, or to all the
 * reasons why not.
 */
#ifndef SITE_GEN_BUILD_BUILD_H
#define SITE_GEN_BUILD_BUILD_H

#include <stdio.h>

#include "site-gen/build/reuse.h"
#include "site-gen/site/site.h"

/*
 * The repository, its records and the pages made from them alone: what takes
 * longest and changes least.
 */
struct build_base {
	bool loaded;
	char digest[HASH_SHA256_HEX + 1]; /* of what they were read from */
	struct arena arena;
	struct git *git;
	const char *head;
	struct data data;
	struct data_family *families;
	size_t nfamilies;
	struct worker_pool *pool; /* has the pages' memory */
	struct page **pages;      /* of families and runs, loaded */
	size_t npages;
	struct reuse_base texts;
};

/* Loads them if they are not loaded or have changed. False: not loaded; a build says why. */
bool build_base_refresh(struct build_base *b, const struct site_options *options);

/*
 * Builds the repository in the current folder. Problems go to stderr, one a
 * line, sorted; then the output is as it was. With options->write == false
 * nothing is written at all. `base` may be NULL. Returns the exit status.
 */
int build_site(const struct site_options *options, const struct build_base *base);

/*
 * Loads all pages as a build does, makes none, and calls `then` with the site.
 * Problems go to stderr, and then it is not called. `g` NULL: the repository
 * of the current folder; it is closed at the end. Returns the exit status.
 */
int build_loaded(const struct site_options *options, struct git *g,
                 bool (*then)(struct site *s, void *ctx, struct err *e), void *ctx);

/* Loads settings, repository and records, and no content: for `explain`. */
bool build_load_data(struct site *s, struct err *e);

#endif
