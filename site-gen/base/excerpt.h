/*
 * site-gen/base/excerpt.h - problems shown with their source line, for the terminal
 * and the preview, in place of "path:line:col: what".
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
	const struct rule_info *rule; /* named in brackets at the message's end, or NULL */
	struct str source; /* the file's bytes; empty: no line, or the file cannot be read */
};

/* Parses "[site-gen: ]path:line:col: what [rule]" and reads the file into `a`. Views `problem`. */
struct excerpt excerpt_of(struct str problem, struct arena *a);

/* Calls back for the line and for up to `context` lines before and after it. */
void excerpt_lines(const struct excerpt *x, int context,
                   void (*line)(void *ctx, int64_t number, struct str text), void *ctx);

/*
 * Appends white space as wide as the text before column `col` of `line`, to put a
 * caret below it. Tabs stay tabs; a double-width character becomes a wide space.
 */
void excerpt_indent(struct sb *to, struct str line, int64_t col);

/*
 * Appends the problem as a terminal shows it:
 *
 *   site-gen: content/posts/x.md:17:3: no metric 'valeu' [traced]
 *      |
 *   17 | A <<bench:valeu x>>.
 *      |   ^
 *      = traced: Every number comes from a record, …
 */
void excerpt_text(struct sb *to, struct str problem);

#endif
