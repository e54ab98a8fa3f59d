/*
 * lib/record_file.h - the container of a run file: `<id>.jsonl.gz`, its lines in gzip.
 *
 * Every hash of a record is a hash of its lines, inflated, so no hash depends on a
 * version of zlib. Older files are plain `<id>.jsonl`; all readers take both.
 */
#ifndef LIB_RECORD_FILE_H
#define LIB_RECORD_FILE_H

#include "lib/record.h"

/* The ending of new run files, and the one of older files and of inflated copies. */
#define RECORD_FILE_ENDING ".jsonl.gz"
#define RECORD_FILE_PLAIN ".jsonl"

/* True if a file of this name is a run file; hidden names are not. */
bool record_file_is(struct str path);

/* The path without ".gz": MANIFEST and published copies name a record so. */
struct str record_file_plain(struct str path);

/* True if both paths name the same record: they are equal but for ".gz". */
bool record_file_same(const char *x, const char *y);

/* The lines in `stored`, the bytes of a run file; at most RECORD_MAX_BYTES of them. */
MUST_CHECK bool record_file_lines(struct str stored, const char *path, struct arena *a,
                                  struct str *lines, struct err *e);

/* Reads the lines of a run file. */
MUST_CHECK bool record_file_read(const char *path, struct arena *a, struct str *lines,
                                 struct err *e);

/* Reads a run file into the model: record_file_read(), then record_read(). */
MUST_CHECK bool record_file_load(const char *path, struct arena *a, struct run *out, struct err *e);

/* The same for a file that must be whole: one that is not is an error, which says why. */
MUST_CHECK bool record_file_load_whole(const char *path, struct arena *a, struct run *out,
                                       struct err *e);

/*
 * Finds `<folder>/<name>.jsonl.gz`, or the plain `<folder>/<name>.jsonl`. Returns its path
 * in the arena, or NULL if there is neither.
 */
const char *record_file_find(const char *folder, const char *name, struct arena *a);

#endif
