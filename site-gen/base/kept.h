/*
 * site-gen/base/kept.h - results of other programs, kept in the cache folder under
 * the hash of what they were made from. A kept file may be lost, never wrong:
 * it begins with the hash of its bytes, so one that a crash, a full disk or an
 * editor has changed is made again. Nothing is synced.
 */
#ifndef SITE_GEN_BASE_KEPT_H
#define SITE_GEN_BASE_KEPT_H

#include "lib/arena.h"
#include "lib/str.h"

/* The bytes kept at `path`; false: there are none, or not those that were kept. */
bool kept_read(const char *path, size_t max_bytes, struct arena *a, struct str *out);

/* Keeps them. If that fails the result is made again next time, and nobody need know. */
void kept_write(const char *path, struct str bytes, struct arena *a);

#endif
