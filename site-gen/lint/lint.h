/*
 * site-gen/lint/lint.h - finds performance numbers in plain text, English and
 * Chinese, typed as digits or as words: units of time, bandwidth, rate,
 * energy and power; factors; shares of performance; comparisons in words.
 * Sizes, capacities, counts, dimensions, dates, versions and names are none.
 *
 * It knows words, not meanings, so it errs both ways now and then;
 * tests/lint/ says how often. Its words are in words.c and zh.c,
 * each file opens with how to add one.
 */
#ifndef SITE_GEN_LINT_LINT_H
#define SITE_GEN_LINT_LINT_H

#include "lib/arena.h"
#include "lib/str.h"

/* In place of what is no text but stands in one: a number that was looked up, code, an image. */
#define LINT_OPAQUE "\xef\xbf\xbc" /* U+FFFC */

struct lint; /* the words, ready to be looked up; never changes once made */

struct lint *lint_new(struct arena *a);

struct lint_finding {
	size_t start, end; /* bytes of the text */
	const char *what;  /* "a time", "a factor", …: static */
};

/*
 * The findings of one paragraph, heading, cell or title, in order, none
 * overlapping. Returns how many there are, of which the first `cap` are in
 * `out`. Any bytes will do; time is linear.
 */
size_t lint_text(const struct lint *l, struct str text, struct lint_finding *out, size_t cap);

/*
 * A table says its unit once: do numbers under (or beside) this head measure
 * performance? "time (µs)", "GB/s", "speed-up"; not "rows" or "MiB".
 */
bool lint_head(const struct lint *l, struct str head);

/* Is it a number and nothing else, as in a cell below such a head? */
bool lint_bare_number(struct str cell);

#endif
