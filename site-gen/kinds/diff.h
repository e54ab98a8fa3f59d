/*
 * site-gen/kinds/diff.h - the markup of a difference between two sources: line numbers, syntax
 * colours, marks on the changed words, and the function at the head of each hunk.
 *
 *   pre.diff[tabindex=0] > code
 *     span.gap            the head of a hunk: "⋯" and the function that it begins in
 *     span.ctx[data-n]    an unchanged line, with its number in the newer file
 *     span.ins[data-n]    an added line: the number in the newer file, "+" as first character
 *     span.del[data-n]    a removed line: the number in the older file, "-" as first character
 *       .rest             hidden on a phone until the label after the pre is checked (listing.h)
 *       mark              words that the line on the other side does not have
 *   label.unfold
 */
#ifndef SITE_GEN_KINDS_DIFF_H
#define SITE_GEN_KINDS_DIFF_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/lua/words.h"

struct highlight_lang;

/* One side: a file or a part of it. */
struct diff_side {
	struct str code;   /* the lines that are compared */
	const int *number; /* the number of each line in its file; NULL: from 1 */
	struct str file;   /* the whole file, where functions are looked up */
};

/* Writes the difference. Nothing but the empty element stands for equal sides. */
MUST_CHECK bool diff_print(const struct highlight_lang *lang, const struct diff_side *was,
                           const struct diff_side *is, const struct words *w, struct arena *a,
                           struct sb *to, struct err *e);

#endif
