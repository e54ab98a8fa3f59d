/*
 * runner/versus.h - B against A, case by case: verdicts with a band from null
 * controls, alarms with a bounded share of false ones, for people and for CI.
 */
#ifndef RUNNER_VERSUS_H
#define RUNNER_VERSUS_H

#include "lib/record.h"

/* One case of A with its counterpart of B. */
struct versus_row {
	const char *a, *b;     /* ids of the cases */
	const double *ma, *mb; /* launch medians, s */
	size_t na, nb;         /* how many; equal if they pair */
	bool paired;           /* ma[i] and mb[i] were taken next to each other */
	bool same_code;        /* one hash of machine code: nothing to test */
	const char *broken;    /* why no times decide: a launch failed, or B lacks it; or NULL */
	const char *note;      /* what a reader should know, or NULL */
	struct stats_comparison cmp; /* B / A; set by versus_judge() if both have two medians */
	bool alarm;                  /* B is slower, also among all the rows tested */
};

struct versus {
	const char *a, *b;  /* what is compared, for people */
	double *null_ratio; /* A against A */
	size_t nnull;
	double band;
	bool wide; /* noise alone made the band wider than a percent: equivalence is no success */
	double least_band;  /* at least this, unless one was asked for; 0: as stats_band has it */
	const char *remark; /* of the whole, or NULL */
	struct versus_row *row;
	size_t n;
	size_t only_a, only_b; /* cases that the other has not: no rows */
};

/*
 * The band from the null ratios (stats_band) and least_band, or `band` if that is not 0; then
 * the comparison of each row, and its alarm: slower, with a false-discovery
 * rate of 5 % over all rows tested.
 */
void versus_judge(struct versus *v, double band);

/* "same code", or the verdict's name; "undecided" of what is broken. */
const char *versus_word(const struct versus_row *r);

void versus_print(const struct versus *v);
void versus_print_json(const struct versus *v);

/*
 * 0: every row is equivalent (unless v->wide), faster or the same code; 1: an alarm;
 * 2: neither: undecided, broken, slower without being an alarm, or no row at all.
 */
int versus_status(const struct versus *v);

#endif
