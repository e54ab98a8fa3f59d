/*
 * lib/file.h - files are read whole, and written whole or not at all.
 */
#ifndef LIB_FILE_H
#define LIB_FILE_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"

/*
 * Reads a regular file (never a symbolic link) into the arena and adds a NUL
 * after its last byte. Fails if the file is larger than `max_bytes` or changes
 * while it is read.
 */
MUST_CHECK bool file_read(const char *path, size_t max_bytes, struct arena *a, struct str *out,
                          struct err *e);

/*
 * False only if there is no such name. If the system cannot tell (an I/O error,
 * no permission), returns true, so that opening the file fails with the reason.
 */
bool file_exists(const char *path);

/* Creates the folder and its parents; succeeds if it exists. */
MUST_CHECK bool file_mkdirs(const char *path, struct err *e);

/*
 * Replaces the file with these bytes: writes .NAME.XXXXXX beside it, syncs,
 * renames, and syncs the folder. On error the old file stays as it was.
 */
MUST_CHECK bool file_write(const char *path, struct str bytes, struct err *e);

/*
 * Calls `see` for each name in the folder open at `fd` except "." and "..", in no
 * particular order, until a call returns false. Takes ownership of fd; messages
 * name the folder `path`. All code that lists folders uses this function, because
 * readdir() also returns NULL on an error, and a folder that was read in part
 * must not look complete.
 */
MUST_CHECK bool file_each(int fd, const char *path,
                          bool (*see)(void *ctx, int fd, const char *name, struct err *e),
                          void *ctx, struct err *e);

/* One entry of a folder. */
struct file_entry {
	const char *name;
	bool is_dir; /* else a regular file; anything else is an error */
};

/*
 * The entries of a folder in byte order, without "." and "..". A missing folder
 * is an error, and so is a symbolic link or a special file in it.
 */
MUST_CHECK bool file_list(const char *path, struct arena *a, struct file_entry **out, size_t *n,
                          struct err *e);

/* Writes all bytes to fd; continues after short writes and EINTR. */
MUST_CHECK bool file_put_all(int fd, struct str bytes, const char *path, struct err *e);

#endif
