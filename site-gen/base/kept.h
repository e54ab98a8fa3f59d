/*
 * site-gen/base/kept.h - cache of other programs' results, under the hash of their
 * input. A cached file may be lost but never wrong: it begins with the hash of its
 * bytes, so a file damaged by a crash, a full disk or an editor is made again.
 * Nothing is synced.
 */
#ifndef SITE_GEN_BASE_KEPT_H
#define SITE_GEN_BASE_KEPT_H

#include "lib/arena.h"
#include "lib/str.h"

/* Reads the bytes kept at `path`; false if there are none or they are damaged. */
bool kept_read(const char *path, size_t max_bytes, struct arena *a, struct str *out);

/* Keeps the bytes. Reports no failure: the result would only be made again next time. */
void kept_write(const char *path, struct str bytes, struct arena *a);

#endif
