/*
 * site-gen/kinds/ledger.h - scores of all predictions, or of those of a series. Only
 * predictions that were foretold and decided (held or missed) count.
 */
#ifndef SITE_GEN_KINDS_LEDGER_H
#define SITE_GEN_KINDS_LEDGER_H

#include "lib/err.h"
#include "site-gen/numbers/prediction.h"

/* Hits among decided predictions. */
struct ledger_score {
	size_t hits, decided;
};

enum { LEDGER_BUCKETS = 4 };

struct ledger {
	const struct prediction **row; /* sorted by verdict, misses first; then latest first */
	size_t n;
	size_t count[PREDICTION_VERDICTS];
	struct ledger_score limiter;  /* predictions of the limiter */
	struct ledger_score interval; /* predictions of an interval */
	size_t above, below;          /* missed intervals: measured above, below */
	/* by stated confidence: [0, 0.5), [0.5, 0.7), [0.7, 0.9), [0.9, 1] */
	struct ledger_score sure[LEDGER_BUCKETS];
	double stated[LEDGER_BUCKETS]; /* mean confidence of the decided ones in each bucket */
	double brier; /* Brier score, mean (confidence - held)²: 0 is perfect, 0.25 is chance */
};

/* `series` NULL: all predictions. */
struct ledger ledger_of(const struct predictions *all, const char *series, struct arena *a);

/* The names of all series, sorted. */
const char **ledger_series(const struct predictions *all, struct arena *a, size_t *n);

/*
 * Writes p.ledger-sum (counts), dl.facts (scores), svg.ledger-time (verdicts in the order of
 * registration) and table.numbers.calibration. ledger_print() adds table.numbers.ledger, with a row
 * for each prediction.
 */
void ledger_sums(struct expand_ctx *ctx, const struct ledger *l, struct sb *to);
void ledger_print(struct expand_ctx *ctx, const struct ledger *l, struct sb *to); /* with rows */

#endif
