/*
 * site-gen/build/noted.h - what a build notes of the files that it published, so that the next one
 * knows which of them are still as it left them. Notes that are lost only cost work.
 *
 * A file is proved if its size, time, inode and time of change are the noted ones: nobody can set
 * the last of these. A change within a tick of the clock might leave it as it was, so a file or a
 * folder that was noted too soon after it changed is not proved. The next build reads such a file,
 * and lists such a folder.
 */
#ifndef SITE_GEN_BUILD_NOTED_H
#define SITE_GEN_BUILD_NOTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/arena.h"
#include "lib/str.h"
#include "site-gen/output/output_file.h"

struct page;
struct site;

struct noted_file {
	struct output_file file; /* ctime_ns: its time of change now; 0: too young */
	const char *depends;     /* digest of its inputs; "-": made again each time */
	bool audited;            /* the build that noted it has audited it, or an earlier one has */
	bool there;              /* a regular file has the size, the time and the inode */
	bool proved;             /* and it has not changed since it was noted */
};

struct noted_folder {
	const char *path; /* "": the site's */
	int64_t ctime_ns; /* 0: too young, or not listed yet */
	size_t n;         /* of files and folders in it */
};

struct noted {
	const char *around;  /* reuse_surroundings() of the build, or NULL */
	const char *records; /* noted_records(), if a build read them for an audit; or NULL */
	struct noted_file *file;
	size_t nfiles;
	struct noted_folder *folder;
	size_t nfolders;
};

/* Do the notes describe the folder that is the output now? */
bool noted_is_output(const struct site *s);

/* Reads the notes, and looks at each file in the folder `dir`; -1: at none. */
bool noted_read(const struct site *s, int dir, struct arena *a, struct noted *out);

/* Does the folder `dir` hold the noted files and folders and nothing else? Proves its folders. */
bool noted_holds(struct noted *n, int dir);

/* Reads the page's published file. Fails unless it has the bytes that were noted. */
bool noted_bytes(const struct site *s, const struct page *p, struct arena *a, struct str *out);

/* The digest of the records and of what they depend on, as this program reads them. */
const char *noted_records(const struct site *s, struct arena *a);

/* Notes what this build has published. */
void noted_write(const struct site *s);

#endif
