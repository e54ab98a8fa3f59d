/*
 * runner/records/manifest.h - the list of a folder's run files, `<folder>/MANIFEST`. It
 * reveals a file that was deleted, and one that was changed even if its own hash was
 * renewed. It has one line per file, in order of arrival,
 *
 *     <SHA-256 of its lines>  <device>/<id>.jsonl
 *
 * as sha256sum(1) would list the file without gzip: `zcat FILE | sha256sum` prints the
 * hash. A line is added when a run file gets its final name, and
 * never changes.
 */
#ifndef RUNNER_RECORDS_MANIFEST_H
#define RUNNER_RECORDS_MANIFEST_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"

#define MANIFEST_NAME "MANIFEST"

/* A listed file. */
struct manifest_line {
	const char *name;   /* "<device>/<id>.jsonl" */
	const char *sha256; /* 64 hex */
};

struct manifest {
	struct manifest_line *line;
	size_t n;
};

/*
 * Reads a folder's list into the arena; a folder without the file has an empty list. A
 * malformed line and a name listed twice are errors, which give the line.
 */
MUST_CHECK bool manifest_read(const char *folder, struct arena *a, struct manifest *out,
                              struct err *e);

/* The line of the run file `path`, which lies in the list's folder; NULL if it is not listed. */
const struct manifest_line *manifest_find(const struct manifest *m, const char *folder,
                                          const char *path, struct arena *a);

/*
 * Adds the file `path`, which lies in a subfolder of `folder` and contains `bytes`.
 * Succeeds if it is listed already; if its listed hash is another, that is an error.
 */
MUST_CHECK bool manifest_add(const char *folder, const char *path, struct str bytes, struct err *e);

#endif
