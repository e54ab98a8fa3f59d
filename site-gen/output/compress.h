/*
 * site-gen/output/compress.h - gzip and brotli forms of a file, for servers that
 * send them as they are: gzip by lib/gzip, brotli by brotli.c. Equal input gives
 * equal output: the forms hold no times and no names.
 */
#ifndef SITE_GEN_OUTPUT_COMPRESS_H
#define SITE_GEN_OUTPUT_COMPRESS_H

#include "lib/str.h"

/* A form of compression: a row of compress_forms(). */
struct compress_form {
	const char *name;      /* "gzip" */
	const char *extension; /* ".gz" */
	/* Appends the compressed bytes. False if the library failed. */
	bool (*compress)(struct str bytes, struct sb *to);
	/* True if `small` is exactly a compressed form of these bytes, without trailing data. */
	bool (*holds)(struct str small, struct str bytes);
};

const struct compress_form *compress_forms(size_t *n);

/* True for files worth compressing, by extension; pictures and fonts are compressed already. */
bool compress_pays(struct str path);

/* The form with this file's extension, and in *page the name without it; NULL if it is none. */
const struct compress_form *compress_form_of(struct str path, struct str *page);

bool compress_brotli(struct str bytes, struct sb *to);
bool compress_brotli_holds(struct str small, struct str bytes);

#endif
