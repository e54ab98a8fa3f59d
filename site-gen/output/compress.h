/*
 * site-gen/output/compress.h - gzip and brotli forms of a file, for servers that
 * send them as they are. One library, one file: gzip.c zlib, brotli.c brotli.
 * Same bytes in, same bytes out: no times, no names.
 */
#ifndef SITE_GEN_OUTPUT_COMPRESS_H
#define SITE_GEN_OUTPUT_COMPRESS_H

#include "lib/str.h"

/* A form of compression: a row of compress_forms(). */
struct compress_form {
	const char *name;      /* "gzip" */
	const char *extension; /* ".gz" */
	/* Appends the compressed bytes; false: the library refused. */
	bool (*compress)(struct str bytes, struct sb *to);
	/* Is `small` these bytes compressed, to its last byte, and nothing more? */
	bool (*holds)(struct str small, struct str bytes);
};

const struct compress_form *compress_forms(size_t *n);

/* Is a file of this name text that gets smaller? Pictures and fonts are compressed already. */
bool compress_pays(struct str path);

/* The form that a file of this name is, by its extension, and the file that it is a form of; or NULL. */
const struct compress_form *compress_form_of(struct str path, struct str *page);

bool compress_gzip(struct str bytes, struct sb *to);
bool compress_gzip_holds(struct str small, struct str bytes);
bool compress_brotli(struct str bytes, struct sb *to);
bool compress_brotli_holds(struct str small, struct str bytes);

#endif
