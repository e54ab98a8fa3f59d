/*
 * runner/against.h - a measurement against an earlier one of the same cases:
 * does it reproduce? For `runner reproduce` and `runner compare`.
 */
#ifndef RUNNER_AGAINST_H
#define RUNNER_AGAINST_H

#include "lib/record.h"

enum against_answer {
	AGAINST_EQUIVALENT,
	AGAINST_DIFFERENT,
	AGAINST_INCONCLUSIVE,
	AGAINST_NOT_COMPARABLE,
	AGAINST_ANSWERS,
};

/* "EQUIVALENT", "DIFFERENT", "INCONCLUSIVE", "NOT COMPARABLE" */
const char *against_name(enum against_answer a);

/* One case of `then`, and what `now` says of it. */
struct against_row {
	const struct run_case *then, *now; /* now: NULL if it has no such case */
	enum against_answer answer;
	bool measured; /* both have a typical time: the three below are set */
	struct stats_summary time_then, time_now;
	struct stats_comparison cmp; /* now / then; ratio.launches is 0 without an interval */
	bool same_code;              /* the hashes of the machine code are equal */
	const char *why;             /* why not comparable, or a note; may be NULL */
};

/*
 * The band of two runs that lie apart in time: one percent, or what the null
 * controls of either show, if that is more. Within a run half a percent is the
 * least; between runs the clocks, the memory and the temperature are others.
 */
double against_band(const struct run *then, const struct run *now, struct arena *a);

enum { AGAINST_FEWEST = 20 }; /* cases, for against_moved() to mean anything */

/*
 * How far apart the two runs lie by themselves: what 95 of 100 cases of the same
 * machine code, measured in two launches at least on either side, moved by less
 * than (0.02: 2 %). Returns how many such cases there are; none: *moved is 0.
 */
size_t against_moved(const struct run *then, const struct run *now, struct arena *a, double *moved);

/*
 * Compares one case. Comparable are cases measured on the same model of
 * device, from the same machine code or the same sources by blob id; another
 * compiler or other flags are noted. Strings and rows live in the arena.
 */
void against_case(const struct run *then, const struct run_case *c, const struct run *now,
                  double band, struct arena *a, struct against_row *out);

/* Rows as a table on stdout, and how many of each answer. */
void against_print(const struct run *then, const struct run *now, const struct against_row *row,
                   size_t n, double band);

/* Rows as one JSON object on stdout. */
void against_print_json(const struct run *then, const struct run *now,
                        const struct against_row *row, size_t n, double band);

/* 0: all comparable ones are equivalent; 1: one is different; 2: anything else. */
int against_status(const struct against_row *row, size_t n);

#endif
