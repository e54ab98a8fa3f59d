/*
 * site-gen/numbers/claim.h - a sentence tied to a condition over measurements:
 *
 *   <<bench:claim transpose/down rows=16384 bandwidth >= 0.9 * stream/memcpy:op=copy,n=2^28>>…
 *
 *   claim    -> selector [ metric ] relation
 *   relation -> op value
 *             | 'within' percent 'of' selector [ metric ]
 *             | 'fastest' 'of' selector
 *             | 'saturates' peak
 *   op       -> '>=' | '<=' | '>' | '<'
 *   value    -> number unit                   in the unit of the metric, with its prefix
 *             | percent 'of' peak             a share of it
 *             | [ number '*' ] selector [ metric ]
 *   peak     -> 'spec:' key | 'measured:' selector
 *   percent  -> number '%'
 *
 * Keys of the placeholder belong to the first selector; a second one takes
 * from it what it does not say, as with `over=`. Where two cases are compared
 * it is by their ratio, paired launch by launch.
 *
 * It is decided by 95 % intervals: true if all of the interval meets the
 * condition, false if none of it does, else undecided. `fastest` holds if the
 * ratio of times to every other match with a number and the same parameters
 * is below 1; `saturates` if the share is CLAIM_SATURATES % or more.
 *
 * A goal has the same grammar and may be missed, which is shown and stops
 * nothing: <<bench:goal scan/… n=2^28,2^30 >= 85 % of spec:hbm>>…<</bench:goal>>.
 * It may speak of several cases, and each of them must reach it: where several
 * variants were measured in the same way, the fastest of them.
 */
#ifndef SITE_GEN_NUMBERS_CLAIM_H
#define SITE_GEN_NUMBERS_CLAIM_H

#include "site-gen/numbers/number.h"

enum { CLAIM_SATURATES = 90, CLAIM_MOST_LAUNCHES = 10000 };

enum claim_relation {
	CLAIM_AT_LEAST,
	CLAIM_AT_MOST,
	CLAIM_ABOVE,
	CLAIM_BELOW,
	CLAIM_WITHIN,
	CLAIM_FASTEST,
	CLAIM_SATURATES_PEAK,
};

/* What the subject is held against. */
enum claim_against {
	CLAIM_NUMBER,   /* `number`, in SI */
	CLAIM_CASE,     /* `number` times the other case */
	CLAIM_SPEC,     /* `number` % of a theoretical peak */
	CLAIM_MEASURED, /* `number` % of what another case reached */
	CLAIM_ALL,      /* every other match */
};

struct claim {
	const struct placeholder *p;
	struct query subject, object;
	bool has_metric, has_object_metric;
	enum metric metric, object_metric; /* else the case's own */
	enum claim_relation relation;
	enum claim_against against;
	double number;
	struct str unit, spec;  /* of CLAIM_NUMBER, as written; of CLAIM_SPEC, its key */
	struct str number_text; /* for errors about it */
};

enum claim_verdict { CLAIM_TRUE, CLAIM_FALSE, CLAIM_UNDECIDED };

struct claim_result {
	enum claim_verdict verdict;
	struct number subject;
	struct number compared; /* what the condition was decided on: subject, a ratio or a share */
	bool has_object;
	struct number object; /* the other case's */
	size_t more;          /* launches that would decide it; 0: no number of them in reach */
	const char *why;      /* both values with their intervals */
	double gap; /* from the bound to what was compared: % of the bound, or points of a share */
	bool is_share;
	const char *where; /* of a goal: which of its cases this is, "" if it has but one */
};

/* Every error has its place in the placeholder; a share without its peak is refused [typed]. */
bool claim_parse(const struct placeholder *p, struct claim *out, struct err *e);

/* False only if there is nothing to decide by: no such case, no such metric. */
bool claim_decide(struct expand_ctx *ctx, const struct claim *c, struct claim_result *out,
                  struct err *e);

/* "transpose/down >= 4 TB/s" of "<<bench:claim transpose/down >= 4 TB/s>>". */
const char *claim_condition(const struct placeholder *p, struct arena *a);

/*
 * A goal: of the cases it speaks of, what the one farthest from it comes to.
 * False only if there is nothing to decide by.
 */
bool claim_decide_goal(struct expand_ctx *ctx, const struct claim *c, struct claim_result *out,
                       struct err *e);

/*
 * Does the condition decide what the lint found in the sentence (`what` is the
 * kind of finding, `text` its words)? Comparisons in words, yes; figures and
 * amounts ("twice", "half") only if the condition names them, in the same kind
 * of unit; that a peak is reached only if it speaks of a share.
 */
bool claim_answers(const struct claim *c, const char *what, struct str text);

/*
 * Launches beyond n's own after which its interval no longer holds `bound`, if
 * its value and spread stay; 0: more than CLAIM_MOST_LAUNCHES.
 */
size_t claim_more_launches(const struct number *n, size_t launches, double bound);

#endif
