/*
 * site-gen/kinds/derived.h - arithmetic with checked dimensions over datasheet numbers, measured
 * numbers and the author's sizes.
 *
 *   expr   -> term { ('+' | '-') term }
 *   term   -> factor { ('*' | '/') factor }
 *   factor -> number [ 'FLOP' | 'B' | 's' ] | 'spec:' key [ '@' device ]
 *           | '[' selector [ metric ] ']' | '(' expr ')'
 */
#ifndef SITE_GEN_KINDS_DERIVED_H
#define SITE_GEN_KINDS_DERIVED_H

#include "site-gen/kinds/kinds.h"

/* A value in SI base units with the exponents of FLOP, byte, second and joule. */
struct quantity {
	double value;
	int flop, byte, second, joule;
};

/* A unit of a result: its dimensions, and how many of it make one in base units. */
struct derived_unit {
	const char *si;
	int flop, byte, second, joule;
	double scale;
};

/* NULL: derivations do not know it. */
const struct derived_unit *derived_unit(struct str si);
bool derived_is_in(const struct quantity *q, const struct derived_unit *u);

/* A measured number of the expression. */
struct derived_number {
	struct str written; /* with its brackets */
	struct number n;
	size_t first; /* index of the first one that is the same number */
};

enum { DERIVED_NUMBERS = 24 };

struct derivation {
	struct kind_call *k;
	struct str s;  /* the expression */
	struct str at; /* where its errors are; p NULL: in the expression itself */
	struct derived_number number[DERIVED_NUMBERS]; /* in order */
	size_t n;
	bool fraction; /* it has a literal that is not whole */
	bool sizes;    /* it has a literal of bytes or operations */
	bool home;     /* it has a datasheet number for which nothing names the device */
};

/* What is changed, to see what depends on it. */
struct derived_change {
	bool all;     /* each datasheet number and each measured one, by a factor of its own */
	bool one;     /* only the number `which`, which becomes `to` */
	size_t which; /* an index of derivation.number that is its own `first` */
	double to;
};

/*
 * Computes the expression. The first call finds its measured numbers. `e` has the place of what is
 * wrong.
 */
MUST_CHECK bool derived_compute(struct derivation *d, const struct derived_change *change,
                                struct quantity *out, struct err *e);

/* Copies the expression, but writes each measured number by `put`. */
void derived_each(const struct derivation *d,
                  void (*put)(const struct derived_number *n, struct arena *a, struct sb *to),
                  struct sb *to);

/* A derivation that keeps the rules of `derived`. */
struct derived_made {
	struct derivation d;
	struct number n;
	bool depends; /* on a number that was looked up */
};

/*
 * Computes `expression` in the unit= of the placeholder. The expression may be made of parts of the
 * placeholder: then `at` is the place of errors.
 */
MUST_CHECK bool derived_make(struct kind_call *k, struct str expression, struct str at,
                             struct derived_made *out, struct err *e);
/* Writes it where the call wants it, records it as a fact of the page, and returns its text. */
const char *derived_print(struct derived_made *m);

#endif
