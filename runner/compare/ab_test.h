/*
 * runner/compare/ab_test.h - a comparison of B with A, case by case, for people and for
 * CI. Null controls give the band of equivalence; the rate of false alarms is bounded.
 */
#ifndef RUNNER_COMPARE_AB_TEST_H
#define RUNNER_COMPARE_AB_TEST_H

#include "lib/record.h"

/* A case of A and its counterpart of B. */
struct ab_test_row {
	const char *a, *b;     /* ids of the cases */
	const double *ma, *mb; /* medians by process, s */
	size_t na, nb;         /* numbers of medians; equal if paired */
	bool paired;           /* ma[i] and mb[i] were measured next to each other */
	bool same_code;        /* equal hashes of machine code: there is nothing to test */
	const char *broken;    /* why times cannot decide: a launch failed, B lacks it; or NULL */
	const char *note;      /* a remark for the reader; may be NULL */
	struct stats_comparison cmp; /* B / A; set by ab_test_judge() if both have two medians */
	bool alarm;                  /* B is slower, even allowing for the number of rows tested */
};

struct ab_test {
	const char *a, *b;  /* names of the two sides, for people */
	double *null_ratio; /* A against A */
	size_t nnull;
	double band;
	bool wide;         /* noise made the band wider than 1 %: "equivalent" is then no success */
	double least_band; /* minimum of a band that nobody asked for; 0: that of stats_band() */
	const char *remark; /* on the whole comparison; may be NULL */
	struct ab_test_row *row;
	size_t n;
	size_t only_a, only_b; /* cases that the other side lacks; they have no rows */
};

/*
 * Sets the band, then compares each row and sets its alarm. The band is `band` if that
 * is not 0, else it follows from the null ratios (stats_band()) and least_band. An alarm
 * means slower, with a false-discovery rate of 5 % over all rows tested.
 */
void ab_test_judge(struct ab_test *v, double band);

/*
 * The row's verdict: "same code", the name of its stats verdict, or "undecided" if broken.
 * Declared for tests.
 */
const char *ab_test_word(const struct ab_test_row *r);

/* Prints the comparison to stdout, as a table or as a JSON object. */
void ab_test_print(const struct ab_test *v);
void ab_test_print_json(const struct ab_test *v);

/*
 * Exit status. 1: some row raises an alarm. 0: every row is the same code, faster, or
 * equivalent (unless v->wide). 2: anything else, including no rows at all.
 */
int ab_test_status(const struct ab_test *v);

#endif
