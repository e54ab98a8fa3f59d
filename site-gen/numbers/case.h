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
/* "rows = 16384, cols = 16384, f32, cold": identifies a case within its variant. */
const char *case_words(const struct run_case *c, struct arena *a);
/* The colour of a variant, 0 … CASE_COLOURS - 1. */
int case_colour(const struct run_case *c);
/* Date of a run: "2026-01-31". */
const char *case_date(const struct run *r, struct arena *a);

#endif
