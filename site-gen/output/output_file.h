/*
 * site-gen/output/output_file.h - a published file: the publisher fills it in, and the
 * manifest lists it.
 */
#ifndef SITE_GEN_OUTPUT_OUTPUT_FILE_H
#define SITE_GEN_OUTPUT_OUTPUT_FILE_H

#include <stdint.h>
#include <sys/types.h>

#include "lib/hash.h"

/* A file of the site after publish_put(). */
struct output_file {
	const char *path; /* "posts/x/index.html" */
	bool changed;     /* the output did not have these bytes already */
	bool replaces;    /* a build made the file that the output has there */
	int64_t size, mtime_ns;
	int64_t ctime_ns; /* what build/noted.h knows of it; 0: nothing */
	ino_t inode;
	char sha256[HASH_SHA256_HEX + 1];
};

#endif
