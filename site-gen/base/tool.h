/*
 * site-gen/base/tool.h - starting a program that draws or translates for us
 * (gnuplot, blahtexml, rsvg-convert, woff2_decompress, cwebp), so that whatever
 * it is fed, it can do no more than that: an empty environment, limits on time,
 * memory and output, a private folder, no other file to write, none but its own
 * libraries and fonts to read, no other program to start, no socket
 * (tool_confine.h).
 *
 * A kernel that cannot confine it so is an error, and the program is not
 * started. RIDGEPOINT_NO_SANDBOX=1 in the environment, which no content can set,
 * starts it all the same, confined as far as the kernel can.
 */
#ifndef SITE_GEN_BASE_TOOL_H
#define SITE_GEN_BASE_TOOL_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"

struct tool {
	const char *name;        /* "gnuplot" */
	const char *path;        /* of tool_find */
	const char *const *args; /* after its name; NULL-terminated */
	const char *dir;         /* a private folder, its current one */
	const char *input;       /* a file in dir as standard input; NULL: nothing */
	const char *output;      /* a file in dir for standard output; NULL: with the complaints */
	const char *reads; /* one more file, or folder of files, that it may read; NULL: none */
	const char *const *env; /* "NAME=value", NULL-terminated; NULL: an empty environment */
	int cpu_seconds;
	int wall_seconds; /* 0: some more than cpu_seconds */
	size_t memory_bytes, file_bytes;
};

/* The program's path, from PATH or /usr/bin; NULL if it is not installed. */
const char *tool_find(const char *name, struct arena *a);

/*
 * Before the first is run: can this kernel confine them? If not, an error that
 * says what to do. Also removes folders that a killed build has left long ago.
 */
bool tool_ready(struct err *e);

/* A new folder that nobody else can enter; NULL and an error if there can be none. */
const char *tool_folder(struct arena *a, struct err *e);
/* Removes the folder and what is in it, folders too. */
void tool_folder_remove(const char *dir);

/*
 * Writes a file for a program, or what it made into a cache: under another name
 * first, and not synced, for a cache may be lost but is never half written.
 */
bool tool_put(const char *path, struct str bytes, struct arena *a, struct err *e);

/*
 * Runs the program to its end. An error: it could not start or be confined, a
 * limit ended it, it failed, or it complained: *said holds what it said. It
 * ends with the process that called this, too.
 */
bool tool_run(const struct tool *t, struct arena *a, struct str *said, struct err *e);

#endif
