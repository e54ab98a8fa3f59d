/*
 * site-gen/commands/scaffold.h - first lines of a new post, page, prediction or kernel.
 * It never replaces a file.
 */
#ifndef SITE_GEN_COMMANDS_SCAFFOLD_H
#define SITE_GEN_COMMANDS_SCAFFOLD_H

#include "lib/arena.h"
#include "lib/err.h"

/*
 * Writes the file of a new `kind` called `name` ([a-z0-9-]; family/variant for a
 * kernel). `title` NULL: derived from the name. `date` is "2026-01-31". Sets *path to
 * the file and *next to the next steps, both in the arena. Fails on an unknown kind, a
 * bad name, or an existing file.
 */
MUST_CHECK bool scaffold_new(const char *kind, const char *name, const char *title,
                             const char *date, struct arena *a, const char **path,
                             const char **next, struct err *e);

#endif
