/*
 * site-gen/base/problems.h - errors and warnings of a build, from all its processes.
 * They are printed in one order, whichever process found them.
 */
#ifndef SITE_GEN_BASE_PROBLEMS_H
#define SITE_GEN_BASE_PROBLEMS_H

#include <stdio.h>

#include "lib/arena.h"
#include "lib/err.h"
#include "site-gen/base/rules.h"

struct problem {
	struct problem *next;
	const char *text; /* "path:line:col: what", or "path:line:col: warning: what" */
	bool is_warning;
};

/* One list per process; `arena` is memory that the parent sees. */
struct problems {
	struct problem *first;
	struct arena *arena;
};

void problems_add(struct problems *p, const struct err *e);
void problems_say(struct problems *p, struct loc at, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));

/* Adds a breach of a rule, with " [id]" at the end. */
void problems_rule(struct problems *p, enum rule r, struct loc at, const char *fmt, ...)
        __attribute__((format(printf, 4, 5)));

/* Adds a warning: an author should know it, but it fails the build only on request. */
void problems_warn(struct problems *p, struct loc at, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));

/* Drops the problems of all files but these. */
void problems_keep(struct problems *p, const char *const *path, size_t n);

/* True if there is an error or, with `warnings`, any problem. */
bool problems_any(const struct problems *p, bool warnings);

/*
 * Prints every problem of all lists once, sorted by path, line and column. Each
 * starts a line with "site-gen: "; with `excerpts`, its source line follows
 * (excerpt.h). Returns their number.
 */
size_t problems_print(const struct problems *const *lists, size_t n, bool excerpts, FILE *to);

/* Prints one problem in the same way. */
void problems_print_one(const char *text, bool excerpts, FILE *to);

#endif
