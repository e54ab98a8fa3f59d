/*
 * site-gen/records/stored.h - the bytes of a record as they are stored: in the work tree, or
 * in a blob of HEAD.
 */
#ifndef SITE_GEN_RECORDS_STORED_H
#define SITE_GEN_RECORDS_STORED_H

#include "lib/err.h"
#include "lib/hash.h"
#include "site-gen/git/git.h"

/*
 * Reads the record `path` of the repository at `root`. `blob` is its id in HEAD, or NULL if
 * HEAD has none. If the work tree's copy has the same id, its bytes are used, which saves
 * reading the object. A copy with another id means that somebody edited a record, and is an
 * error. `id` gets the blob id of the bytes.
 */
MUST_CHECK bool stored_read(const char *root, struct git *git, const char *path, const char *blob,
                            struct arena *a, struct str *out, char id[HASH_GIT_HEX + 1],
                            struct err *e);

#endif
