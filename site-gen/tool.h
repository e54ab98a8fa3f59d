/*
 * site-gen/tool.h - running a program that draws or translates for us
 * (gnuplot, blahtexml, rsvg-convert, cwebp), so that whatever it is fed, it can do no more than
 * that: an empty environment, limits on time, memory and output, a private
 * folder, and, where the kernel has Landlock, no other file to write, none
 * but its own libraries and fonts to read, and no other program to start.
 */
#ifndef SITE_GEN_TOOL_H
#define SITE_GEN_TOOL_H

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
	size_t memory_bytes, file_bytes;
};

/* The program's path, from PATH or /usr/bin; NULL if it is not installed. */
const char *tool_find(const char *name, struct arena *a);

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
 * Runs the program to its end. An error: it could not start, a signal ended
 * it (a limit), it failed, or it complained: *said holds what it said.
 */
bool tool_run(const struct tool *t, struct arena *a, struct str *said, struct err *e);

#endif
