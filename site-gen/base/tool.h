/*
 * site-gen/base/tool.h - confined runs of programs that draw or translate for us:
 * gnuplot, blahtexml, rsvg-convert, woff2_decompress and cwebp. Whatever its input
 * makes it try, such a program has an empty environment and limits on time, memory
 * and output. It writes only in a private folder, reads only its own libraries and
 * fonts, starts no program and opens no socket (tool_confine.h).
 *
 * If the kernel cannot confine it like this, that is an error and the program does
 * not start. RIDGEPOINT_NO_SANDBOX=1 in the environment, which no content can set,
 * starts it anyway, confined as far as the kernel allows.
 */
#ifndef SITE_GEN_BASE_TOOL_H
#define SITE_GEN_BASE_TOOL_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"

struct tool {
	const char *name;        /* "gnuplot" */
	const char *path;        /* from tool_find */
	const char *const *args; /* arguments after its name; NULL-terminated */
	const char *dir;         /* private current folder; NULL: it may write nothing */
	const char *input;       /* a file in dir as standard input; NULL: no input */
	const char *output;      /* a file in dir for standard output; NULL: joined to stderr */
	const char *reads;       /* one more file or folder that it may read; NULL: none */
	const char *const *env;  /* "NAME=value", NULL-terminated; NULL: an empty environment */
	int cpu_seconds;
	int wall_seconds; /* 0: a little more than cpu_seconds */
	size_t memory_bytes, file_bytes;
};

/* The program's path, from PATH or /usr/bin; NULL if it is not installed. */
const char *tool_find(const char *name, struct arena *a);

/*
 * Appends what tells one version of a program from another, for the keys of its kept results: size
 * and time of its file, because asking it would cost a process.
 */
MUST_CHECK bool tool_version(const char *path, struct sb *to, struct err *e);

/*
 * Checks, before the first program runs, that the kernel can confine programs. If
 * not, the error says what to do. Also removes old folders that killed builds left.
 */
MUST_CHECK bool tool_ready(struct err *e);

/* Creates a folder that only this user can enter; NULL and an error if it cannot. */
MUST_CHECK const char *tool_folder(struct arena *a, struct err *e);
/* Removes the folder and everything in it. */
void tool_folder_remove(const char *dir);

/*
 * Writes a file for a program, or its result into a cache: under another name first,
 * and without a sync. A cache may be lost, but is never half-written.
 */
MUST_CHECK bool tool_put(const char *path, struct str bytes, struct arena *a, struct err *e);

/*
 * Runs the program to its end. Fails if it could not start or be confined, if a
 * limit ended it, if it failed, or if it printed complaints, which *said then holds.
 * If the calling process dies, the program ends with it.
 */
MUST_CHECK bool tool_run(const struct tool *t, struct arena *a, struct str *said, struct err *e);

#endif
