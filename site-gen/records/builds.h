/*
 * site-gen/records/builds.h - the statements in data/builds/ about machine code: these
 * blobs, compiled with these flags by this compiler, gave this code hash
 * (data/builds/README.md).
 */
#ifndef SITE_GEN_RECORDS_BUILDS_H
#define SITE_GEN_RECORDS_BUILDS_H

#include "lib/err.h"
#include "lib/record.h"
#include "site-gen/base/kept.h"
#include "site-gen/base/pack.h"
#include "site-gen/git/git.h"

struct build_unit {
	const char *file, *compiler, *flags, *code; /* code: 64 hex */
	struct run_source *source;
	size_t nsource;
	const char *path; /* file that holds the statement */
	size_t at;        /* its place among the units of all files, as they were read */
};

struct builds {
	struct build_unit *unit; /* by file; those of one file in the order of the statements */
	size_t n;
};

/*
 * Reads HEAD's files only: what is not committed states nothing. A malformed one is an error.
 * `kept`: where what the same files said before is kept.
 */
MUST_CHECK bool builds_load(struct git *g, const struct kept_by *kept, struct arena *a,
                            struct builds *out, struct err *e);

/* The tables of what is kept, with a NULL at the end. Declared for tests. */
extern const struct pack_type *const builds_types[];

/*
 * Finds the two statements which show that the sources of a case and those of HEAD
 * give the same machine code. False if there are none; statements that contradict
 * each other do not count. `blob_at_head` returns the blob of a path at HEAD.
 */
bool builds_same_code(const struct builds *b, const struct run_head *h, const struct run_case *c,
                      const char *(*blob_at_head)(void *ctx, const char *path), void *ctx,
                      const struct build_unit **now);

#endif
