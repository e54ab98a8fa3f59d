/*
 * site-gen/numbers/case.h - the words and the colour by which every page shows a case
 * and its run.
 */
#ifndef SITE_GEN_NUMBERS_CASE_H
#define SITE_GEN_NUMBERS_CASE_H

#include "lib/record.h"
#include "lib/units.h"
#include "site-gen/records/context.h"

enum { CASE_COLOURS = 24 };

/* Metric name for readers: "bandwidth"; with the operation where it is special, "rate (update)". */
const char *case_metric_words(const struct expand_ctx *ctx, const struct run_case *c,
                              enum metric m);
/* "16384 × 16384, f32, cold cache": identifies a case within its variant. */
const char *case_words(const struct words *w, const struct run_case *c, struct arena *a);
/* One of them: "1 token", "2²⁸ elements", or the value alone if it is a word; NULL: no such key.
 */
const char *case_part(const struct words *w, const struct run_case *c, const char *key,
                      struct arena *a);
/* Several of them; what belongs together is said together, as rows and columns are. */
const char *case_parts(const struct words *w, const struct run_case *c, const char *const *keys,
                       size_t n, struct arena *a);
/* The English texts of the table that they use; NULL: after the last. Declared for tests. */
const char *case_saying(size_t i);
/* The title of an axis over a numeric parameter: "Bytes in flight per SM, KiB". */
const char *case_axis(const struct words *w, const struct run_case *c, const char *param);
/* "Look-ahead, 2²⁸ elements, f32, cold cache": the case, for people. */
const char *case_title(const struct words *w, const struct run_case *c, struct arena *a);
/* The same beside case `c`: without the conditions that both share. */
const char *case_beside(const struct words *w, const struct run_case *c,
                        const struct run_case *other, struct arena *a);
/* The colour of a variant, 0 … CASE_COLOURS - 1. */
int case_colour(const struct run_case *c);
/* Date of a run: "2026-01-31". */
const char *case_date(const struct run *r, struct arena *a);

#endif
