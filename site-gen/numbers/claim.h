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
 * With over=cards the subject's value over cards is compared, by its interval over
 * them, with a number or a share of a data sheet's. A ratio to another case is
 * one within a run, where the card cancels.
 *
 * Keys of the placeholder belong to the first selector; a second selector
 * inherits the keys that it does not set, as with `over=`. Two cases are
 * compared by their ratio, paired process by process.
 *
 * The 95 % interval decides: the claim is true if the whole interval meets the
 * condition, false if no part of it does, else undecided. `fastest` holds if the
 * ratio of times to every other match with a number and the same parameters
 * is below 1; `saturates` holds if the share is CLAIM_SATURATES % or more.
 *
 * A goal has the same grammar, but a build does not fail if it is missed; the
 * page shows the miss: <<bench:goal scan/… n=2^28,2^30 >= 85 % of spec:hbm>>…<</bench:goal>>.
 * A goal may select several cases, and each must reach it. Of several variants
 * that were measured in the same way, only the fastest must.
 */
#ifndef SITE_GEN_NUMBERS_CLAIM_H
#define SITE_GEN_NUMBERS_CLAIM_H

#include "lib/err.h"
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

/* What the subject is compared with. */
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
	bool cards; /* over=cards: the subject's value over cards */
	bool has_metric, has_object_metric;
	enum metric metric, object_metric; /* if given; else the case's headline metric counts */
	enum claim_relation relation;
	enum claim_against against;
	double number;
	struct str unit, spec;  /* CLAIM_NUMBER: unit as written; CLAIM_SPEC: key of the spec */
	struct str number_text; /* the number as written, to place errors about it */
};

enum claim_verdict { CLAIM_TRUE, CLAIM_FALSE, CLAIM_UNDECIDED };

struct claim_result {
	enum claim_verdict verdict;
	struct number subject;
	struct number compared; /* the number that the condition tests: subject, ratio or share */
	bool has_object;
	struct number object; /* the other case's number */
	size_t rivals;        /* `fastest`: how many others there are; `object` is the closest */
	size_t more;          /* further processes that would decide it; 0: too many to ask for */
	double bound;         /* what `compared` is held against; of `within` the nearer one */
	const char *why;      /* both values with their intervals, by the ids of their cases */
	const char *said;     /* the same for readers, in the words of the page (claim_said.h) */
	double gap; /* distance from the bound: % of the bound, or percentage points of a share */
	bool is_share;
	const char *where; /* goals: the case in question, "" if there is only one */
	bool unmeasured;   /* goals: the runs have the case, but none measured it; no `compared` */
};

/* Errors name their place in the placeholder. A share without a peak breaks rule `typed`. */
MUST_CHECK bool claim_parse(const struct placeholder *p, struct claim *out, struct err *e);

/* False only if there is nothing to decide by: no such case, no such metric. */
MUST_CHECK bool claim_decide(struct expand_ctx *ctx, const struct claim *c,
                             struct claim_result *out, struct err *e);

/* The condition alone: "transpose/down >= 4 TB/s" of "<<bench:claim transpose/down >= 4 TB/s>>". */
const char *claim_condition(const struct placeholder *p, struct arena *a);

/*
 * Decides a goal; the result is that of the case farthest from it. It is undecided if the runs
 * have such cases and none could be measured, as those of four GPUs on a machine of two. False
 * only if there is no such case, or nothing to hold it against: no such unit, spec or other case.
 */
MUST_CHECK bool claim_decide_goal(struct expand_ctx *ctx, const struct claim *c,
                                  struct claim_result *out, struct err *e);

/*
 * Does the condition back what the lint found in the sentence (`what` is the
 * kind of finding, `text` its words)? It backs every comparison in words. It
 * backs figures and amounts ("twice", "half") only if it names them in the same
 * kind of unit, and a reached peak only if it is about a share.
 */
bool claim_answers(const struct claim *c, const char *what, struct str text);

/*
 * The number of processes, beyond those already measured, after which n's
 * interval no longer contains `bound`, if its value and spread stay the same.
 * 0: more than CLAIM_MOST_LAUNCHES. Declared for tests.
 */
size_t claim_more_launches(const struct number *n, size_t launches, double bound);

#endif
