/*
 * runner/manifest.h - the list of a folder's run files, `<folder>/MANIFEST`:
 * a file that is gone is missed, and one that was changed and hashed anew no
 * longer passes. One line a file, in the order in which they came,
 *
 *     <SHA-256 of the file>  <device>/<id>.jsonl
 *
 * as sha256sum(1) writes and checks it. Lines are added when a run file gets
 * its name, and never changed.
 */
#ifndef RUNNER_MANIFEST_H
#define RUNNER_MANIFEST_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"

#define MANIFEST_NAME "MANIFEST"

/* One listed file. */
struct manifest_line {
	const char *name;   /* "<device>/<id>.jsonl" */
	const char *sha256; /* 64 hex */
};

struct manifest {
	struct manifest_line *line;
	size_t n;
};

/*
 * The list of a folder, in the arena; a folder without one has an empty list.
 * A line that is none, or names what another does, is an error with its place.
 */
bool manifest_read(const char *folder, struct arena *a, struct manifest *out, struct err *e);

/* The line of a file, or NULL. */
const struct manifest_line *manifest_find(const struct manifest *m, const char *name);

/*
 * Adds `path`, a file in a folder of `folder`, whose content is `bytes`. Fine
 * if it is there already; with another hash it is an error.
 */
bool manifest_add(const char *folder, const char *path, struct str bytes, struct err *e);

#endif
