/*
 * site-gen/build/stamp.h - "nothing changed" without building: a digest of all that
 * the last build read and of all that it left. It is about times and sizes,
 * so it only ever saves work; what a page holds is decided by building it.
 */
#ifndef SITE_GEN_BUILD_STAMP_H
#define SITE_GEN_BUILD_STAMP_H

#include "lib/hash.h"
#include "site-gen/site/site.h"

struct stamp {
	char inputs[HASH_SHA256_HEX + 1];
	bool settled; /* false: an input is so young that its times prove nothing */
};

/* Of the inputs, HEAD, the options and the program itself. */
void stamp_take(const struct site *s, struct stamp *out);

/* Did the last build leave this stamp, and is the output as it left it? */
bool stamp_holds(const struct site *s, const struct stamp *stamp);

/* Leaves the stamp of a build that succeeded and left these files. */
bool stamp_write(const struct site *s, const struct stamp *stamp, const struct output_file *files,
                 size_t n, struct err *e);

#endif
