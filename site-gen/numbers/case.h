/*
 * site-gen/numbers/case.h - a case and its run in words and in colour, as every page
 * shows them.
 */
#ifndef SITE_GEN_NUMBERS_CASE_H
#define SITE_GEN_NUMBERS_CASE_H

#include "lib/record.h"
#include "lib/units.h"
#include "site-gen/records/context.h"

enum { CASE_COLOURS = 24 };

/* "bandwidth"; of what counts other operations also which: "rate (update)". For readers. */
const char *case_metric_words(const struct expand_ctx *ctx, const struct run_case *c,
                              enum metric m);
/* "rows = 16384, cols = 16384, f32, cold": what identifies a case within its variant. */
const char *case_words(const struct run_case *c, struct arena *a);
/* The colour of a variant, 0 … CASE_COLOURS - 1. */
int case_colour(const struct run_case *c);
/* "2026-01-31" of a run. */
const char *run_date(const struct run *r, struct arena *a);

#endif
