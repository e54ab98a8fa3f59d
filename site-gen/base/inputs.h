/*
 * site-gen/base/inputs.h - what a build reads from the work tree: every regular
 * file under a few folders, with what stat says of it. A symbolic link or a
 * special file is an error; names that start with '.' or end in '~' are an
 * editor's and are passed over.
 */
#ifndef SITE_GEN_BASE_INPUTS_H
#define SITE_GEN_BASE_INPUTS_H

#include <sys/types.h>

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/hash.h"
#include "lib/str.h"

struct input {
	const char *path; /* from the root, "content/posts/a.md" */
	int64_t size, mtime_ns, ctime_ns;
	ino_t inode;
};

struct inputs {
	struct input *file; /* sorted by path, byte order */
	size_t n, cap;
};

/*
 * Adds the files under `folder`; none if there is no such folder. A link is an
 * error here too: what it leads to is not of the repository. Sort when all are added.
 */
bool inputs_add(struct inputs *in, const char *folder, struct arena *a, struct err *e);
void inputs_sort(struct inputs *in);

/* The half-open range of files under `prefix`, a folder with its slash. */
void inputs_under(const struct inputs *in, const char *prefix, size_t *from, size_t *to);

/*
 * A digest of all names, sizes, times and inodes, and of `extra`. Equal
 * digests mean equal contents, unless a file changed twice within one tick of
 * the clock: `*settled` is false if a file is that young.
 */
void inputs_digest(const struct inputs *in, struct str extra, char hex[HASH_SHA256_HEX + 1],
                   bool *settled);

#endif
