/*
 * site-gen/base/kept.h - cache of results, those of other programs and our own, under what they
 * were made from. A cached file may be lost but never wrong: it begins with the hash of its
 * bytes, so a file damaged by a crash, a full disk or an editor is made again.
 * Nothing is synced.
 */
#ifndef SITE_GEN_BASE_KEPT_H
#define SITE_GEN_BASE_KEPT_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"

/* Reads the bytes kept at `path`; false if there are none or they are damaged. */
bool kept_read(const char *path, size_t max_bytes, struct arena *a, struct str *out);

/* Keeps the bytes. Reports no failure: the result would only be made again next time. */
void kept_write(const char *path, struct str bytes, struct arena *a);

/* --- results of our own --- */

/*
 * Where the running program keeps what it has derived. A result of any other program, an older one
 * for example, does not count: so nobody has to raise a version when a rule or a struct changes.
 */
struct kept_by {
	const char *folder;  /* NULL: nothing is kept */
	const char *program; /* kept_program(); NULL: nothing is kept */
	bool renew;          /* take nothing, make all again: who audits trusts no cache */
};

/*
 * The hash of the running program, 64 hex digits in the arena: of the build id that the linker made
 * of its bytes, else of the bytes. NULL if they cannot be read.
 */
const char *kept_program(struct arena *a);

/*
 * Takes the result `name` that was left with the same key, one line that names all of its inputs
 * beside those in the name. False: the caller makes the result. A file that was renamed does not
 * count.
 */
MUST_CHECK bool kept_take(const struct kept_by *k, const char *name, const char *key,
                          size_t max_bytes, struct arena *a, struct str *out);
void kept_leave(const struct kept_by *k, const char *name, const char *key, struct str bytes);

#endif
