/*
 * site-gen/output/output_file.h - one file of a site as it was published: what the
 * publisher fills in and the manifest lists.
 */
#ifndef SITE_GEN_OUTPUT_OUTPUT_FILE_H
#define SITE_GEN_OUTPUT_OUTPUT_FILE_H

#include <stdint.h>
#include <sys/types.h>

#include "lib/hash.h"

/* A file of the site as publish_put left it. */
struct output_file {
	const char *path; /* "posts/x/index.html" */
	bool changed;     /* false: the output had these bytes already */
	int64_t size, mtime_ns;
	ino_t inode;
	char sha256[HASH_SHA256_HEX + 1];
};

#endif
