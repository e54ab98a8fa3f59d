/*
 * lib/hash.h - SHA-256 and git object ids, through nettle.
 */
#ifndef LIB_HASH_H
#define LIB_HASH_H

#include "lib/str.h"

enum {
	HASH_SHA256_HEX = 64,
	HASH_GIT_HEX = 40,
};

/* Lower-case hex SHA-256 of the bytes, NUL-terminated. */
void hash_sha256(struct str bytes, char out[HASH_SHA256_HEX + 1]);

/* True if s is exactly n lower-case hex digits. */
bool hash_is_hex(const char *s, size_t n);

/* The id git gives these bytes as a blob: SHA-1 of "blob <n>\0" and the bytes. */
void hash_git_blob(struct str bytes, char out[HASH_GIT_HEX + 1]);

#endif
