/*
 * site-gen/kinds/prediction.h - markup of predictions, shared by placeholders, the ledger and the
 * pages of predictions.
 */
#ifndef SITE_GEN_KINDS_PREDICTION_H
#define SITE_GEN_KINDS_PREDICTION_H

#include "site-gen/numbers/prediction.h"

/* A list (markup) with a sentence for each proof: git's history, a tag, a time stamp. */
void prediction_proof(const struct prediction *p, const struct words *w, struct arena *a,
                      struct sb *to);
/* svg.pred: the predicted range and the deciding measurements, on an axis with labelled ends. */
void prediction_drawing(const struct prediction *p, const struct words *w, struct arena *a,
                        struct sb *to);
/* Its title as text, with powers set as powers: "2²⁸". */
void prediction_claim(const struct prediction *p, const struct words *w, struct sb *to);
/* Why it has no verdict, in the page's words, escaped. */
void prediction_why(const struct prediction *p, const struct words *w, struct sb *to);
/* A dash for a number that a test lacks, and why: `none`, else the fixed clause `why`. */
void prediction_unmeasured(const struct expand_ctx *ctx, const char *why, const struct reason *none,
                           struct sb *to);
/* span.verdict[data-verdict] */
void prediction_badge(const struct prediction *p, const struct words *w, struct sb *to);
/* The start of a prediction's page: drawing, dl.facts, p.why. */
void prediction_facts(struct expand_ctx *ctx, const struct prediction *p, struct sb *to);
/*
 * Writes the number of a test as a link and records it as a quote. The number
 * reports a past result, so its state does not count against the page, as that
 * of a current number does, unless its run is a preview.
 */
void prediction_number(struct expand_ctx *ctx, const struct prediction_test *k, const char *what,
                       struct sb *to);
/* All tests, newest last, as table.numbers. */
void prediction_tests(struct expand_ctx *ctx, const struct prediction *p, struct sb *to);

#endif
