/*
 * site-gen/commands/scaffold.h - the first lines of something new: a post, a page, a
 * prediction, a kernel. Nothing that is there is ever replaced.
 */
#ifndef SITE_GEN_COMMANDS_SCAFFOLD_H
#define SITE_GEN_COMMANDS_SCAFFOLD_H

#include "lib/arena.h"
#include "lib/err.h"

struct scaffold_kind {
	const char *name;     /* "post" */
	const char *argument; /* "SLUG", "FAMILY/VARIANT" */
	const char *path;     /* "content/posts/{name}.md"; {family} and {variant} for kernels */
	const char *text;     /* of the new file, with {name}, {title}, {date}, … */
	const char *next;     /* what to do then */
};

const struct scaffold_kind *scaffold_kinds(size_t *n);

/*
 * Writes the file of a new `kind` called `name` ([a-z0-9-], for a kernel
 * family/variant). `title` NULL: made of the name. `date` is "2026-01-31".
 * *path is the file, *next what to do then, both in the arena. An unknown
 * kind, a bad name, a file that is there already: an error.
 */
bool scaffold_new(const char *kind, const char *name, const char *title, const char *date,
                  struct arena *a, const char **path, const char **next, struct err *e);

#endif
