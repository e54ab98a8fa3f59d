/*
 * runner/compare/replication.h - a comparison of a run with an earlier run of the same
 * cases: does it reproduce? For `runner reproduce` and `runner compare`.
 */
#ifndef RUNNER_COMPARE_REPLICATION_H
#define RUNNER_COMPARE_REPLICATION_H

#include "lib/record.h"

enum replication_answer {
	REPLICATION_EQUIVALENT,
	REPLICATION_DIFFERENT,
	REPLICATION_INCONCLUSIVE,
	REPLICATION_NOT_COMPARABLE,
	REPLICATION_ANSWERS,
};

/* A case of the earlier run `then`, compared with the later run `now`. */
struct replication_row {
	const struct run_case *then, *now; /* now: NULL if the later run lacks the case */
	enum replication_answer answer;
	bool measured; /* both have a typical time; the next three members are set */
	struct stats_summary time_then, time_now;
	struct stats_comparison cmp; /* now / then; ratio.launches is 0 without an interval */
	bool same_code;              /* equal hashes of machine code */
	const char *why;             /* why they cannot be compared, or a note; may be NULL */
};

/*
 * Band of equivalence for two runs at different times: one percent, or more if the null
 * controls of either run show more. Within one run the minimum is half a percent; between
 * runs, clocks, temperature and placement in memory differ, too.
 */
#define REPLICATION_BAND_PERCENT 1
double replication_band(const struct run *then, const struct run *now, struct arena *a);

enum { REPLICATION_FEWEST = 20 }; /* with fewer cases, replication_moved() means nothing */

/*
 * How far the two runs differ although the machine code is the same: 95 % of the cases
 * with equal code, and at least two launches on either side, changed by less than *moved
 * (0.02: 2 %). Returns the number of such cases; without any, *moved is 0.
 */
size_t replication_moved(const struct run *then, const struct run *now, struct arena *a,
                         double *moved);

/*
 * Compares one case. Cases are comparable if they ran on the same model of device, from
 * the same machine code or the same sources (by blob id). Different compilers or flags
 * are noted, and what a library chose if it chose otherwise. Strings live in the arena.
 */
void replication_case(const struct run *then, const struct run_case *c, const struct run *now,
                      double band, struct arena *a, struct replication_row *out);

/* Prints the rows as a table to stdout, with the number of each answer. */
void replication_print(const struct run *then, const struct run *now,
                       const struct replication_row *row, size_t n, double band);

/* Prints the rows as one JSON object to stdout. */
void replication_print_json(const struct run *then, const struct run *now,
                            const struct replication_row *row, size_t n, double band);

/* Exit status. 0: all comparable rows are equivalent; 1: one is different; 2: anything else. */
int replication_status(const struct replication_row *row, size_t n);

#endif
