/*
 * site-gen/audit/derived.h - derivations, computed again from their keys:
 *
 *   key    -> device ' ' sum ' ' unit
 *   sum    -> product { ('+' | '-') product }
 *   product -> factor { ('*' | '/') factor }
 *   factor -> '(' sum ')' | 'spec:' key [ '@' device ] | '[' measured ']' | number [ unit ]
 *
 * `measured` is the key of a measured value (audit_number_keyed()). The dimensions must be those of
 * the unit, and the interval must not reach zero.
 */
#ifndef SITE_GEN_AUDIT_DERIVED_H
#define SITE_GEN_AUDIT_DERIVED_H

#include "site-gen/audit/state.h"

/* Its strings are in audit.records.scratch. */
struct audit_derived {
	double value, lo, hi;
	const char *si;                /* the unit of the key */
	bool refused;                  /* a rule of today refuses a case of the expression */
	const struct data_case *worst; /* of its measured numbers; NULL: it has none */
	const struct data_case *first; /* the first of them */
	const char *fragment;          /* of the first one's address: "time", "run-…" */
	const char *said;              /* the expression with their texts: "4.29 ms / 32" */
	const char *range;             /* "133.9–134.3 µs"; NULL: no interval */
	const char *ci;                /* "±0.2 %"; "" without an interval */
};

/*
 * Appends the text. `runs`: the run of all measured numbers, or one for each, with spaces between.
 * False: the key is invalid; `e` has the reason without a place.
 */
MUST_CHECK bool audit_derived(struct audit *a, struct str key, struct str runs, struct sb *to,
                              struct audit_derived *out, struct err *e);

#endif
