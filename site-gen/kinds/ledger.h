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

/* Those of its predictions that speak of a family, without means. */
struct ledger ledger_of_family(const struct ledger *all, const char *family, struct arena *a);
/* The ids of all families of which it has a prediction, sorted. */
const char **ledger_families(const struct ledger *all, struct arena *a, size_t *n);

/* Writes p.ledger-sum (counts), dl.facts (scores), the curve and table.numbers.calibration. */
void ledger_sums(struct expand_ctx *ctx, const struct ledger *l, struct sb *to);
/* Writes only the counts, in line: "3 missed · 4 held". */
void ledger_counts(struct expand_ctx *ctx, const struct ledger *l, struct sb *to);

enum { LEDGER_ALL = -1 };
/* Writes table.numbers.ledger, a row for each prediction with this verdict. */
void ledger_rows(struct expand_ctx *ctx, const struct ledger *l, int verdict, struct sb *to);

/* --- ledger_draw.c --- */

/* Draws stated confidence against the share that held; nothing without a decided prediction. */
void ledger_curve(const struct words *w, const struct ledger *l, struct arena *a, struct sb *to);
/* A square for each prediction, in the order in which they were made, which links to it. */
void ledger_squares(const struct expand_ctx *ctx, const struct ledger *l, struct sb *to);

#endif
