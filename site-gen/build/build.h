/*
 * site-gen/build/build.h - building a site: from the work tree to published files, or
 * to a list of all problems.
 */
#ifndef SITE_GEN_BUILD_BUILD_H
#define SITE_GEN_BUILD_BUILD_H

#include <stdio.h>

#include "lib/err.h"
#include "site-gen/build/reuse.h"
#include "site-gen/lua/config.h"
#include "site-gen/numbers/published.h"
#include "site-gen/records/data.h"

struct code_files; /* pages/code_page.h */
struct comparison; /* pages/comparison.h */
struct headlines;  /* numbers/headline.h */
struct site_options;
struct traced_record; /* site/traced.h */

/*
 * The repository, its records, and the pages made only from them. Loading these takes
 * longest, and they change least.
 */
struct build_base {
	bool loaded;
	char digest[HASH_SHA256_HEX + 1]; /* digest of their inputs */
	char judged[HASH_SHA256_HEX + 1]; /* reuse_judged() */
	struct arena arena;
	struct git *git;
	const char *head;
	struct str settings; /* text of the settings, of which `config` was read */
	struct config config;
	const struct headlines *headlines; /* NULL: one is wrong, and a build says which */
	struct data data;
	struct worker_pool *pool; /* owns the pages' memory */
	struct page_list pages;   /* loaded pages of families and runs */
	struct code_files *code;
	const struct comparison *pairs;
	size_t npairs;
	const struct traced_record *traced;
	size_t ntraced;
	struct reuse_base texts;
	bool has_log; /* false: it is broken, and a build says how */
	struct published_log log;
};

/* Loads the base if it is missing or has changed. False: not loaded; the next build says why. */
bool build_base_refresh(struct build_base *b, const struct site_options *options);

/*
 * Builds the site of the repository in the current folder. Problems go to stderr,
 * sorted, one a line, and leave the output unchanged. With options->write == false,
 * writes nothing at all. `base` may be NULL. Returns the exit status.
 */
int build_site(const struct site_options *options, const struct build_base *base);

/*
 * Checks `n` sources alone, by their paths from the root: what a build finds while it loads them.
 * That is their front matter, numbers, claims and words. What other pages take part in is left to
 * a whole build: links between pages, lists, the log. Returns the exit status.
 */
int build_check_sources(const struct site_options *options, const char *const *path, size_t n);

/*
 * Loads all pages as a build does, writes none, and calls `then` with the site. If
 * there are problems, prints them to stderr instead. `g` is closed at the end; NULL
 * means the repository of the current folder. Returns the exit status.
 */
MUST_CHECK int build_loaded(const struct site_options *options, struct git *g,
                            bool (*then)(struct site *s, void *ctx, struct err *e), void *ctx);

/* Loads settings, repository and records, but no content; for `explain`. */
MUST_CHECK bool build_load_data(struct site *s, struct err *e);

#endif
