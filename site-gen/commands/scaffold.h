/*
 * site-gen/commands/scaffold.h - first lines of a new post, page, prediction or kernel.
 * It never replaces a file.
 */
#ifndef SITE_GEN_COMMANDS_SCAFFOLD_H
#define SITE_GEN_COMMANDS_SCAFFOLD_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"

/* What stands for {name}, {family} … in a new file; NULL: such braces stay as they are. */
struct scaffold_values {
	const char *name, *family, *variant, *title, *date;
	const char *version, *share; /* of Ridgepoint: "1.0", and its folder for a Makefile */
};

/*
 * Writes the file of a new `kind` called `name` ([a-z0-9-]; family/variant for a
 * kernel). `title` NULL: derived from the name. `date` is "2026-01-31". Sets *path to
 * the file and *next to the next steps, both in the arena. Fails on an unknown kind, a
 * bad name, or an existing file.
 */
MUST_CHECK bool scaffold_new(const char *kind, const char *name, const char *title,
                             const char *date, struct arena *a, const char **path,
                             const char **next, struct err *e);

/*
 * Writes a new kernel family `name` ([a-z0-9_]) of the shape "map", "reduce" or "product" (NULL:
 * "map"), from start/families/: its table, a variant each in C, CUDA and Triton, and the text of
 * its page. Sets *path and *next as above. If a file is there already, none is written.
 */
MUST_CHECK bool scaffold_family(const char *name, const char *shape, const char *title,
                                struct arena *a, const char **path, const char **next,
                                struct err *e);

/* The folder of start/ that has them. */
#define SCAFFOLD_FAMILIES "families"

/* The text with values in place of their words in braces. */
const char *scaffold_fill(const char *text, const struct scaffold_values *v, struct arena *a);

/* A title made from a name: "bytes-in-flight" -> "Bytes in flight". */
const char *scaffold_title(const char *name, struct arena *a);

/* May the title stand between quotation marks in front matter and in Lua? */
MUST_CHECK bool scaffold_is_title(const char *title, struct err *e);

/* Writes a new file and makes its folders. Fails if it is there already. */
MUST_CHECK bool scaffold_create(const char *path, struct str text, struct arena *a, struct err *e);

#endif
