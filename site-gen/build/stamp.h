/*
 * site-gen/build/stamp.h - detects that nothing has changed, without building. A stamp
 * is a digest of the last build's inputs and outputs by time and size. It only saves
 * work; it never decides the content of a page.
 */
#ifndef SITE_GEN_BUILD_STAMP_H
#define SITE_GEN_BUILD_STAMP_H

#include "lib/err.h"
#include "lib/hash.h"

struct output_file;
struct site;

struct stamp {
	char inputs[HASH_SHA256_HEX + 1];
	bool settled; /* false: an input is too young for its times to prove anything */
};

/*
 * Takes the stamp of the inputs, HEAD, the options and the program itself. What was not audited
 * does not count as audited.
 */
void stamp_take(const struct site *s, struct stamp *out);

/* True if the last build left this stamp and its output is unchanged. */
bool stamp_holds(const struct site *s, const struct stamp *stamp);

/* Writes the stamp of a successful build that left these files. */
MUST_CHECK bool stamp_write(const struct site *s, const struct stamp *stamp,
                            const struct output_file *files, size_t n, struct err *e);

#endif
