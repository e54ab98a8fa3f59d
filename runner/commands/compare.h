/*
 * runner/commands/compare.h - the three kinds of `runner compare`: two files, two variants,
 * two builds. Each fills c->v with rows and null ratios; false if it fails, with c->e set.
 */
#ifndef RUNNER_COMMANDS_COMPARE_H
#define RUNNER_COMMANDS_COMPARE_H

#include "runner/compare/ab_test.h"
#include "runner/measure/session.h"

enum { COMPARE_NULLS = 3 };

/* A comparison: what was asked for, and the result. */
struct comparing {
	const struct cmd_args *args;
	const struct invocation *inv;
	struct session *s; /* its arena holds everything here */
	struct err *e;
	const char *out, *device; /* device may be NULL: choose one */
	long seed;                /* below 0: a fresh one */
	int64_t blocks;           /* launches each of A, B and the null control */
	struct ab_test v;
};

/*
 * Compares two selectors of variants in this build, at the cases that both have. It writes
 * one run file, in which each block is three processes: A, B and the null control; the next
 * block has them in reverse order.
 */
bool compare_variants(struct comparing *c, const char *a, const char *b);

/*
 * Compares this build with another at the same selectors, in the same order. Stops measuring
 * as soon as it sees that the machine code of all cases is equal.
 */
bool compare_builds(struct comparing *c, const char *program);

/* The case with this id; NULL if the run lacks it or could not measure it. */
const struct run_case *compare_case(const struct run *r, const char *id);

/* True if the hashes of both cases' machine code are known and equal. */
bool compare_same_code(const struct run_case *x, const struct run_case *y);

/* Counts of a case's launches on one side. */
struct compare_side {
	const char *name;   /* "A" or "B" */
	size_t n, failed;   /* launches: all, and those that failed */
	const char *status; /* of the first failed one */
};

/* Counts the launches of the case in a run, in addition to earlier ones. */
void compare_count(struct compare_side *s, const struct run *r, const char *id);

/* Why the side's times cannot decide: a launch failed, or there are not `want` of them (0: any). */
const char *compare_broken(const struct compare_side *s, size_t want, struct arena *a);

#endif
