/*
 * site-gen/numbers/published_parts.h - the files of the log of published numbers.
 *
 * Its lines stand in closed parts, data/published/0001.jsonl.gz, 0002.jsonl.gz …,
 * and after those in the open part, data/published.jsonl. A closed part is in gzip
 * and never changes. The open part is plain text, so that git merges it by lines.
 *
 * A note closes a part in two steps: it writes the closed part, then the open part
 * without those lines. If it is killed between them, the open part still begins with
 * the bytes of the newest closed part. Those bytes are skipped wherever the log is
 * read, in a commit as in the work tree, and the next note drops them, before it
 * closes another part.
 */
#ifndef SITE_GEN_NUMBERS_PUBLISHED_PARTS_H
#define SITE_GEN_NUMBERS_PUBLISHED_PARTS_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/git/git.h"

#define PUBLISHED_PATH "data/published.jsonl"
#define PUBLISHED_SCHEMA "ridgepoint-published/1.0"

/*
 * A log may begin anew, as that of a fork does. Its first line then names the commit that it was
 * begun at, "begins", and the next commit replaces the whole log. Returns that commit, if `log`
 * begins with such a line; else NULL.
 */
const char *published_parts_begun(struct str log, struct arena *a);

/* A closed part in the work tree or in HEAD. */
struct published_part {
	const char *path;
	struct str lines;
};

struct published_parts {
	struct published_part *closed; /* the first is number 1 */
	size_t n;
	struct str file;  /* the open part as it is */
	struct str open;  /* its lines, without those that the newest closed part has */
	size_t committed; /* bytes of the log, parts and open part, that HEAD has */
};

/*
 * Reads HEAD's files, and what the work tree adds to them. Fails (rule `noted`) if the
 * work tree's log does not begin with HEAD's, if it changed a closed part of HEAD, if
 * a new one holds a line that HEAD does not have, or if a number is left out. Without
 * a log in HEAD, the work tree's is taken as it is, and so is one that was begun at HEAD. All parts
 * together have at most 64 MiB.
 */
MUST_CHECK bool published_parts_load(struct git *g, struct arena *a, struct published_parts *out,
                                     struct err *e);

/*
 * Was the work tree's log begun at HEAD? Then HEAD's log does not count, and its closed parts go
 * with the next commit. Fails (rule `noted`) if one is still there.
 */
MUST_CHECK bool published_parts_begun_here(struct git *g, struct arena *a, bool *out,
                                           struct err *e);

/* All lines, in order. */
struct str published_parts_join(const struct published_parts *p, struct arena *a);

/*
 * Adds lines to the open part, at the path where it was read; `added` may be empty. If the
 * open part would grow beyond 1 MiB, first moves its lines that HEAD has to a new closed
 * part; *closed is its path, else NULL. Fewer than 64 KiB are not closed. With nothing
 * to do, no file is touched. Fails before it writes, if the log would pass its limit,
 * or if another process has changed it since it was read.
 */
MUST_CHECK bool published_parts_add(const struct published_parts *p, struct str added,
                                    struct arena *a, const char **closed, struct err *e);

/*
 * Begins the log anew with these lines, in place of all files of the log. They follow a first line
 * that names `head`, the commit that it is begun at.
 */
MUST_CHECK bool published_parts_begin(struct str lines, const char *head, struct arena *a,
                                      struct err *e);

/* --- the log in a commit --- */

/* Blob ids of the log's files. */
struct published_blobs {
	const char **closed;
	size_t n;
	const char *open; /* NULL: no such file */
};

/* True if the log consists of files of this name. */
bool published_parts_has(const char *path);
/* The path of closed part `number`, from 1. */
const char *published_parts_path(size_t number, struct arena *a);

/* The log's files at `commit` (NULL: HEAD). */
struct published_blobs published_blobs_at(struct git *g, const char *commit, struct arena *a);

/* The lines of the closed parts after the first `skip`, then those of the open part. */
MUST_CHECK bool published_blobs_lines(struct git *g, const struct published_blobs *b, size_t skip,
                                      struct arena *a, struct str *out, struct err *e);

#endif
