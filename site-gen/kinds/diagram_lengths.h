/*
 * site-gen/kinds/diagram_lengths.h - the lengths of a pipeline that is drawn to scale:
 *
 *   lengths -> NAME '=' EXPRESSION { ';' NAME '=' EXPRESSION }
 *
 * A NAME is a lower-case word, an EXPRESSION one of kinds/derived.h, all in the unit= of the
 * placeholder. The steps of the pipeline begin and end at places, which are sums of names:
 *
 *   place -> '0' | NAME { '+' NAME }
 */
#ifndef SITE_GEN_KINDS_DIAGRAM_LENGTHS_H
#define SITE_GEN_KINDS_DIAGRAM_LENGTHS_H

#include "site-gen/kinds/derived.h"

enum { LENGTHS_MOST = 24, LENGTHS_MOST_PICKS = 48 };

struct lengths {
	struct kind_call *k;
	struct length {
		struct str name, expression;
		double value;
		bool used; /* by a place */
	} of[LENGTHS_MOST];
	int n; /* 0: the pipeline is a schema */
	/* the measured cases behind them */
	struct pick pick[LENGTHS_MOST_PICKS];
	size_t npicks;
};

/* How often each length is between 0 and a place, or between two places. */
struct length_sum {
	int times[LENGTHS_MOST];
};

/* Reads lengths= and computes each. Without lengths= it leaves `l` empty and succeeds. */
MUST_CHECK bool lengths_read(struct kind_call *k, struct lengths *l, struct err *e);
/* A place that is written in a step. */
MUST_CHECK bool lengths_place(struct lengths *l, struct str written, struct length_sum *out,
                              struct err *e);
/* Is each of them used? One that is not would be a number that nobody sees. */
MUST_CHECK bool lengths_are_used(const struct lengths *l, struct err *e);

double lengths_value(const struct lengths *l, const struct length_sum *of);
struct length_sum lengths_between(const struct length_sum *from, const struct length_sum *to);
/* The sum as a number of the page. `at` is the place of errors. */
MUST_CHECK bool lengths_number(struct lengths *l, const struct length_sum *of, struct str at,
                               struct derived_made *out, struct err *e);

#endif
