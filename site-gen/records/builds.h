/*
 * site-gen/records/builds.h - what data/builds/ states: these blobs with these
 * flags and this compiler gave this machine code (data/builds/README.md).
 */
#ifndef SITE_GEN_RECORDS_BUILDS_H
#define SITE_GEN_RECORDS_BUILDS_H

#include "lib/record.h"
#include "site-gen/git/git.h"

struct build_unit {
	const char *file, *compiler, *flags, *code; /* code: 64 hex */
	struct run_source *source;
	size_t nsource;
	const char *path; /* of the file that states it */
};

struct builds {
	struct build_unit *unit;
	size_t n;
};

/* Reads HEAD's files: only what is committed states anything. A malformed one is an error. */
bool builds_load(struct git *g, struct arena *a, struct builds *out, struct err *e);

/*
 * The two units that show that the sources of a case and those of HEAD give
 * the same machine code, or false. `blob_at_head` is asked for the blob of a
 * path. Units that contradict each other show nothing.
 */
bool builds_same_code(const struct builds *b, const struct run_head *h, const struct run_case *c,
                      const char *(*blob_at_head)(void *ctx, const char *path), void *ctx,
                      const struct build_unit **now);

#endif
