/*
 * site-gen/output/manifest.h - manifest.json: every file of a published site with
 * its size and SHA-256, and the commit it was built from. It is an in-toto Statement v1
 * (https://github.com/in-toto/attestation/tree/main/spec/v1), so it can be signed as
 * it is, and anybody with a copy can tell which file was changed later.
 */
#ifndef SITE_GEN_OUTPUT_MANIFEST_H
#define SITE_GEN_OUTPUT_MANIFEST_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/output/output_file.h"

#define MANIFEST_FILE "manifest.json"

/* The generator that built a site, and the commit it built ("": none). */
struct manifest_origin {
	const char *generator, *number_format, *head;
};

/* Appends the manifest of these files, sorted by path. */
void manifest_put(struct sb *to, const struct manifest_origin *of, const struct output_file *files,
                  size_t n);

/* A file listed in a manifest. */
struct manifest_entry {
	const char *path, *sha256;
	int64_t size;
};

/* Reads a manifest; the entries are sorted by path. */
MUST_CHECK bool manifest_read(struct str text, const char *path, struct arena *a,
                              struct manifest_entry **out, size_t *n, struct err *e);

#endif
