/*
 * lib/file.h - files read whole and written whole or not at all.
 */
#ifndef LIB_FILE_H
#define LIB_FILE_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"

/*
 * The bytes of a regular file (never a symbolic link), NUL-terminated after
 * the end, in the arena. Fails if the file is larger than `max_bytes` or
 * changes while it is read.
 */
bool file_read(const char *path, size_t max_bytes, struct arena *a, struct str *out, struct err *e);

/*
 * False only if there is no such name. Where the system cannot tell (an I/O
 * error, no permission) it is true, so that whoever opens the file next fails.
 */
bool file_exists(const char *path);

/* Creates the folder and its parents; fine if it is there. */
bool file_mkdirs(const char *path, struct err *e);

/*
 * Replaces `path` by these bytes: temporary file beside it, fsync, rename,
 * fsync of the folder. On error the old file stays as it was.
 */
bool file_write(const char *path, struct str bytes, struct err *e);

/*
 * Calls `see` for each name in the folder open at `fd`, in no order, without
 * "." and "..", until one returns false. Takes fd. `path` is what messages call
 * the folder. All listing of folders goes through here: readdir() ends with
 * NULL on an error, too, and a folder read in half must not look like a whole one.
 */
bool file_each(int fd, const char *path,
               bool (*see)(void *ctx, int fd, const char *name, struct err *e), void *ctx,
               struct err *e);

/* One entry of a folder. */
struct file_entry {
	const char *name;
	bool is_dir; /* else a regular file; anything else is an error */
};

/*
 * The entries of a folder, sorted by byte order, without "." and "..".
 * A missing folder is an error; a symbolic link or special file too.
 */
bool file_list(const char *path, struct arena *a, struct file_entry **out, size_t *n,
               struct err *e);

/* Writes all bytes to fd, through short writes and EINTR. */
bool file_put_all(int fd, struct str bytes, const char *path, struct err *e);

#endif
