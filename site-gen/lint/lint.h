/*
 * site-gen/lint/lint.h - finds performance numbers in plain text, English and
 * Chinese, typed as digits or as words: units of time, bandwidth, rate,
 * energy and power; factors; shares of performance; comparisons in words, and those
 * that name no amount ("outperforms the library", "takes less time").
 * Sizes, capacities, counts, dimensions, dates, versions and names are not findings.
 *
 * The lint knows words, not meanings, so it sometimes misses a number or reports a
 * wrong one; tests/lint/ measures how often. words.c and zh.c hold its words and say
 * how to add one.
 */
#ifndef SITE_GEN_LINT_LINT_H
#define SITE_GEN_LINT_LINT_H

#include "lib/arena.h"
#include "lib/str.h"

/* Replaces parts of a text that are not prose: a traced number, code, an image. */
#define LINT_OPAQUE "\xef\xbf\xbc" /* U+FFFC */

struct lint; /* the dictionary; immutable */

struct lint *lint_new(struct arena *a);

extern const char lint_comparison[]; /* `what` of a comparison that names no amount */

struct lint_finding {
	size_t start, end; /* byte positions in the text */
	const char *what;  /* "a time", "a factor", …: static */
};

/*
 * Finds the performance numbers of one paragraph, heading, cell or title. Findings
 * come in order and do not overlap. Returns their number; the first `cap` are in
 * `out`. Accepts any bytes, in linear time.
 */
size_t lint_text(const struct lint *l, struct str text, struct lint_finding *out, size_t cap);

/*
 * True if numbers under (or beside) this table head measure performance: "time (µs)",
 * "GB/s", "speed-up", but not "rows" or "MiB". A table gives its unit only once.
 */
bool lint_head(const struct lint *l, struct str head);

/* True if the cell contains a number and nothing else. */
bool lint_bare_number(struct str cell);

/* A copy of as many bytes, in which LINT_OPAQUE and spaces replace each placeholder. */
struct str lint_without_placeholders(struct str s, struct arena *a);

#endif
