/*
 * site-gen/lint/directed.h - what a sentence calls the ratio that stands in it.
 *
 * A ratio of bandwidths is the inverse of that of the times. So beside the word
 * "time" a ratio is of times, and who is "faster by" one has it above 1. The
 * words next to the number decide, English or Chinese; a sentence that says
 * neither is not judged. tests/lint/directed.txt has examples of both.
 */
#ifndef SITE_GEN_LINT_DIRECTED_H
#define SITE_GEN_LINT_DIRECTED_H

#include "lib/str.h"

struct directed {
	struct str before, after; /* plain text of the paragraph around the number */
	bool is_time;             /* a ratio of times, not of a rate */
	bool below_one;           /* its interval is */
};

/* What the sentence says that the ratio is not: "a ratio of times", … NULL: nothing. */
const char *directed_wrong(const struct directed *d);

#endif
