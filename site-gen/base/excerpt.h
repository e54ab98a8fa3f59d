/*
 * site-gen/base/excerpt.h - a problem with the line it is about: what a terminal
 * and the preview show in place of "path:line:col: what".
 */
#ifndef SITE_GEN_BASE_EXCERPT_H
#define SITE_GEN_BASE_EXCERPT_H

#include <stdint.h>

#include "lib/arena.h"
#include "lib/str.h"
#include "site-gen/base/rules.h"

struct excerpt {
	struct str path;   /* empty: the problem has no place */
	int64_t line, col; /* 0: none; col counts characters */
	struct str what;
	bool is_warning;
	const struct rule_info *rule; /* that the message ends with in brackets, or NULL */
	struct str source; /* the bytes of the file; empty: no line, or it cannot be read */
};

/* Takes "[site-gen: ]path:line:col: what [rule]" apart and reads the file; views and `a`. */
struct excerpt excerpt_of(struct str problem, struct arena *a);

/* Calls back for the line itself and up to `context` lines on both sides. */
void excerpt_lines(const struct excerpt *x, int context,
                   void (*line)(void *ctx, int64_t number, struct str text), void *ctx);

/*
 * White space as wide as what stands before column `col` of `line`, for a
 * caret below it: tabs stay, a wide character of Chinese is a wide space.
 */
void excerpt_indent(struct sb *to, struct str line, int64_t col);

/*
 * The problem as a terminal shows it:
 *
 *   site-gen: content/posts/x.md:17:3: no metric 'valeu' [traced]
 *      |
 *   17 | A <<bench:valeu x>>.
 *      |   ^
 *      = traced: A number comes from a record, …
 */
void excerpt_text(struct sb *to, struct str problem);

#endif
