/*
 * lib/gzip.h - gzip, by zlib. Equal input gives equal output: the compressed form
 * holds no time and no name. Only gzip.c includes zlib.
 */
#ifndef LIB_GZIP_H
#define LIB_GZIP_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"

/* Appends the compressed form at zlib's best level. False if zlib failed. */
MUST_CHECK bool gzip_pack(struct str bytes, struct sb *to);

/*
 * Inflates the gzip file `small` into the arena and adds a NUL after its last byte. The
 * file's own count of bytes decides how much memory is taken, at most `max_bytes`; zlib
 * stops where that is full. Fails for a larger content, for a damaged or cut file, and
 * for bytes after the end. Messages name the file `path`.
 */
MUST_CHECK bool gzip_unpack(struct str small, size_t max_bytes, const char *path, struct arena *a,
                            struct str *out, struct err *e);

/*
 * The content of the file `path`, whose bytes are `stored`: what they inflate to if its name ends
 * with ".gz", as gzip_unpack() does it, and else these bytes, at most `max_bytes`, too.
 */
MUST_CHECK bool gzip_content(struct str stored, size_t max_bytes, const char *path, struct arena *a,
                             struct str *out, struct err *e);

/* True if `small` is exactly a compressed form of these bytes, without trailing data. */
MUST_CHECK bool gzip_holds(struct str small, struct str bytes);

#endif
