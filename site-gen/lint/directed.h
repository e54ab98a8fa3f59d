/*
 * site-gen/lint/directed.h - check of the words beside a ratio: do they fit its
 * metric and its direction?
 *
 * A ratio of bandwidths is the inverse of the ratio of the times. So a ratio beside
 * the word "time" must be one of times, and something "faster by" a ratio needs one
 * above 1. The English or Chinese words next to the number decide. A sentence that
 * says neither is not judged. tests/lint/directed.txt has examples of both.
 */
#ifndef SITE_GEN_LINT_DIRECTED_H
#define SITE_GEN_LINT_DIRECTED_H

#include <stdbool.h>

#include "lib/str.h"

struct directed {
	struct str before, after; /* plain text of the paragraph around the number */
	bool is_time;             /* a ratio of times, not of a rate */
	bool below_one;           /* its interval is below 1 */
};

/* What the sentence wrongly calls the ratio: "a ratio of times", …; NULL if nothing is wrong. */
const char *directed_wrong(const struct directed *d);

/*
 * Does the sentence around a number name a quantity or a direction, as "bandwidth", "time",
 * "faster" or "快" do? If not, a ratio in it must say what it is a ratio of.
 */
bool directed_named(struct str before, struct str after);

#endif
