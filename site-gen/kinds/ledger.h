/*
 * site-gen/kinds/ledger.h - all predictions, or those of a series, and how good they
 * were. Counted is only what was foretold and decided: held or missed.
 */
#ifndef SITE_GEN_KINDS_LEDGER_H
#define SITE_GEN_KINDS_LEDGER_H

#include "site-gen/numbers/prediction.h"

/* Hits among decided predictions. */
struct ledger_score {
	size_t hits, decided;
};

enum { LEDGER_BUCKETS = 4 };

struct ledger {
	const struct prediction **row; /* misses first, then by verdict; in each the latest first */
	size_t n;
	size_t count[PREDICTION_VERDICTS];
	struct ledger_score limiter;  /* was the limiter what was called? */
	struct ledger_score interval; /* did the interval hold what was measured? */
	size_t above, below;          /* missed intervals: measured above, below */
	/* by how sure the author was: [0, 0.5), [0.5, 0.7), [0.7, 0.9), [0.9, 1] */
	struct ledger_score sure[LEDGER_BUCKETS];
	double stated[LEDGER_BUCKETS]; /* mean confidence of what was decided there */
	double brier; /* mean (confidence - held)²: 0 is perfect, 0.25 is "half" said of all */
};

/* `series` NULL: all predictions. */
struct ledger ledger_of(const struct predictions *all, const char *series, struct arena *a);

/* The names of all series, sorted. */
const char **ledger_series(const struct predictions *all, struct arena *a, size_t *n);

/*
 * Markup: p.ledger-sum (counts), dl.facts (scores), svg.ledger-time (verdicts in the order of
 * registration), table.numbers.calibration; after them table.numbers.ledger with a row for each
 * prediction.
 */
void ledger_sums(struct expand_ctx *ctx, const struct ledger *l, struct sb *to);
void ledger_print(struct expand_ctx *ctx, const struct ledger *l, struct sb *to); /* with rows */

/* --- pages/prediction_page.c: /predictions/ and /predictions/<id>/, below their titles --- */
bool ledger_page(struct expand_ctx *ctx, const struct predictions *all, struct body *body);
bool prediction_page(struct expand_ctx *ctx, const struct prediction *p, struct body *body,
                     struct err *e);

#endif
