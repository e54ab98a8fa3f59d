/*
 * site-gen/build/reuse.h - reuse of pages between builds of a preview, and of outputs between
 * builds.
 *
 * Pages: a builder reads and renders a source once, into its base (build.h). A build
 * reuses that page as long as the source, its versions in other languages, and the
 * files that its text may show (pictures, files) are the same by time, size and inode.
 *
 * Outputs: each has a digest of everything that it may depend on. An output whose
 * digest equals the previous build's stays as it was published. The kind of page says
 * what it depends on (PAGE_OF_… in site/page_kind.h); a kind that says nothing is made
 * again after any change. A page's face is what other pages see of it: its title,
 * headings and numbers. If a face changes, everything is made again; so it is with another
 * program, another HEAD, other records or settings, and with whatever else the repository
 * decides about a record. No digest holds an address, so that they compare between processes.
 *
 * A file that stays is not read if it is proved (build/noted.h), and not audited if the same bytes
 * were audited with the same records. Otherwise a build that publishes reads it, compares its hash,
 * and audits it like a new one (build/jobs.c). It makes every file with --whole, where it has
 * records and no commit, and for `site-gen deploy`.
 */
#ifndef SITE_GEN_BUILD_REUSE_H
#define SITE_GEN_BUILD_REUSE_H

#include <stdbool.h>

#include "lib/err.h"
#include "lib/hash.h"
#include "site-gen/site/page.h"
#include "site-gen/base/inputs.h"

struct data;
struct site;

/* The pages of all sources that a builder has loaded. */
struct reuse_base {
	const char *digest; /* digest of records, HEAD, settings and words */
	struct inputs inputs;
	struct page_list pages; /* loaded without a problem */
};

/*
 * Does the published folder hold what the last build noted and nothing else? Then this build can
 * change it in place (output/publish.h). Files may have other bytes: that is found later.
 */
bool reuse_is_as_left(struct site *s);

/*
 * Call it before records are loaded: sets reuse.sure if the last build of this output has read the
 * same records for an audit. What it kept of them then need not be read again: each page that is
 * new is audited against the samples, which no cache has (records/launches.h).
 */
void reuse_records(struct site *s);

/* Call it before pages are loaded: takes over the pages that the base has. */
void reuse_pages(struct site *s);

/*
 * Call it after index_files(): sets `depends` of each page, which outputs stay, and which files are
 * gone.
 */
void reuse_outputs(struct site *s);

/*
 * Digests what any output and any page may depend on beside the texts: records, HEAD, settings, the
 * program and those that it calls, options, and all files of the work tree that are no texts.
 */
void reuse_surroundings(const struct site *s, char hex[HASH_SHA256_HEX + 1]);

/* Appends the state of a page's sources in all languages. */
void reuse_put_sources(struct sb *to, const struct site *s, const struct page *p);

/*
 * Digests what the repository beside HEAD decided about the records: a tag, or a commit that was
 * fetched, changes no file. A preview asks once, in site_reuse.judged.
 */
void reuse_judged(const struct data *d, char hex[HASH_SHA256_HEX + 1]);

#endif
