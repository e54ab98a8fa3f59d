/*
 * site-gen/base/inputs.h - list of a build's input files. It holds every regular file
 * under a few folders of the work tree, with its size, time and inode. A symbolic
 * link or a special file is an error. Names that start with '.' or end in '~' are
 * editors' files and are skipped.
 */
#ifndef SITE_GEN_BASE_INPUTS_H
#define SITE_GEN_BASE_INPUTS_H

#include <stdbool.h>
#include <sys/types.h>

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/hash.h"
#include "lib/str.h"

struct input {
	const char *path; /* from the root, "content/posts/a.md" */
	int64_t size, mtime_ns, ctime_ns;
	ino_t inode;
	bool young; /* when it was listed: a second change might have left the times as they are */
};

struct inputs {
	struct input *file; /* sorted by path, byte order */
	size_t n, cap;
};

/*
 * Adds the files under `folder`; adds none if there is no such folder. A folder that
 * is a symbolic link is an error, too, because its target is outside the repository.
 * Sort after the last call.
 */
MUST_CHECK bool inputs_add(struct inputs *in, const char *folder, struct arena *a, struct err *e);
void inputs_sort(struct inputs *in);

/* The half-open range of files under `prefix`, a folder with a trailing slash. */
void inputs_under(const struct inputs *in, const char *prefix, size_t *from, size_t *to);

/* The file with this path, or NULL. */
const struct input *inputs_find(const struct inputs *in, const char *path);

/* Has the file not changed since it was listed? Its path counts from the working directory. */
bool inputs_unchanged(const struct input *f);

/*
 * Digests all names, sizes, times and inodes, and `extra`. Equal digests mean equal
 * contents, unless a file changed twice within one tick of the clock: `*settled` is
 * false if a file was young enough for that when it was listed.
 */
void inputs_digest(const struct inputs *in, struct str extra, char hex[HASH_SHA256_HEX + 1],
                   bool *settled);

struct stat;

/*
 * The time of a file's or a folder's last change; 0 if that is so young that another change might
 * leave it as it is.
 */
int64_t inputs_change(const struct stat *st);

#endif
