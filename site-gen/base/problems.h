/*
 * site-gen/base/problems.h - all errors and warnings of a build, from all processes,
 * printed in one order whoever found them.
 */
#ifndef SITE_GEN_BASE_PROBLEMS_H
#define SITE_GEN_BASE_PROBLEMS_H

#include <stdio.h>

#include "lib/arena.h"
#include "lib/err.h"
#include "site-gen/base/rules.h"

struct problem {
	struct problem *next;
	const char *text; /* "path:line:col: what"; of a warning "path:line:col: warning: what" */
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

/* The same, as a breach of a rule: with " [id]" at the end. */
void problems_rule(struct problems *p, enum rule r, struct loc at, const char *fmt, ...)
        __attribute__((format(printf, 4, 5)));

/* Something that an author should know, and that fails no build unless it is told to. */
void problems_warn(struct problems *p, struct loc at, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));

/* Is there an error, or, if `warnings`, anything? */
bool problems_any(const struct problems *p, bool warnings);

/*
 * Prints every problem of all lists once, sorted by path, line and column,
 * each as "site-gen: …" on a line, with `excerpts` followed by the line it is
 * about (excerpt.h). Returns how many.
 */
size_t problems_print(const struct problems *const *lists, size_t n, bool excerpts, FILE *to);

/* One of them. */
void problems_print_one(const char *text, bool excerpts, FILE *to);

#endif
