/*
 * site-gen/records/query.h - finds the cases that a placeholder's selector names.
 *
 *   selector -> family [ '/' variant ] [ ':' key '=' value { ',' key '=' value } ]
 *
 * family and variant are globs; a family alone means all its variants. Conditions
 * after ':' mean the same as keys of the placeholder (`transpose/tile:rows=4096`,
 * `transpose/tile rows=4096`). The first form is needed if a key has another meaning
 * (`table … rows=`) or if the placeholder has two selectors (`over=`, `of=measured:`).
 *
 * A case that was measured in an unusual way (input=zeros, side=host, load=sustained; see
 * ways_unusual()), or is one of a sweep (the knob's name, slots=4), matches only a selector that
 * has the key. Ceilings and the selftest match only a selector that begins with their name.
 *
 * Each case comes from the newest run that may publish it, never from the best one
 * (rule `unpicked`); `run=` pins a run. Nothing is guessed: if one case is wanted and a
 * key has several values, the error lists them.
 */
#ifndef SITE_GEN_RECORDS_QUERY_H
#define SITE_GEN_RECORDS_QUERY_H

#include "lib/err.h"
#include "site-gen/records/data.h"
#include "site-gen/records/context.h"
#include "site-gen/base/placeholder.h"
#include "site-gen/base/placeholder.h"

enum { QUERY_MAX_PARAMS = 16 };

struct query_param {
	struct str name, value; /* value may be a list: a,b */
};

struct query {
	const struct placeholder *p; /* gives errors their place */
	struct str text;             /* the selector as written */
	struct str family, variant;
	struct str device, run, dtype, cache, role; /* p == NULL: not given */
	struct query_param param[QUERY_MAX_PARAMS];
	size_t nparams;
	struct str axis; /* x= of a plot, which names a knob as a condition does; not given: p ==
	                    NULL */
};

/* A case and the run that it comes from. */
struct pick {
	const struct data_run *run;
	const struct data_case *d;
};

/*
 * Reads a selector and the selecting keys of its placeholder. `own` lists the keys that
 * mean something else to this kind, NULL-terminated. If `keys` is false, reads only the
 * selector.
 */
MUST_CHECK bool query_parse(const struct placeholder *p, struct str selector,
                            const char *const *own, bool keys, struct query *out, struct err *e);

/*
 * Do family, variant and all conditions match a case, and does the query name each unusual way in
 * which it was measured, and its knob? Asks neither for the device nor for the run.
 */
bool query_matches(const struct query *q, const struct run_case *c);

/*
 * All cases that match, each once: families by name, variants in reading order, then
 * parameters ascending. Includes cases without a number (data_case.why_none). If
 * nothing matches, the error names the nearest candidates.
 */
MUST_CHECK bool query_all(const struct expand_ctx *ctx, const struct query *q, struct pick **out,
                          size_t *n, struct err *e);

/*
 * Has a run a case that matches, but for unusual ways of measuring that the query does not name?
 * The error names the nearest candidates. Tells a typo from what is not measured yet.
 */
MUST_CHECK bool query_is_known(const struct expand_ctx *ctx, const struct query *q, struct err *e);

/* The only case that matches, which must have a number; anything else is an error. */
MUST_CHECK bool query_one(const struct expand_ctx *ctx, const struct query *q, struct pick *out,
                          struct err *e);

/*
 * The case of `q` to compare `base` with (over=, of=measured:). Where q is silent, it
 * takes the run, dtype and cache of base, and within the same family its parameters,
 * too. A ceiling comes from the newest run that measured it. `e` may be NULL: why there is
 * none takes a search through all runs.
 */
MUST_CHECK bool query_beside(const struct expand_ctx *ctx, struct query *q, const struct pick *base,
                             struct pick *out, struct err *e);

/*
 * As query_beside(). But if the run of `base` did not measure the other case, `base` moves to the
 * newest run of its device that measured both, right or wrong. It stays if a run was named.
 */
MUST_CHECK bool query_pair(const struct expand_ctx *ctx, struct query *q, struct pick *base,
                           struct pick *out, struct err *e);

/* The run whose id begins with `id`; the device's newest run if `id` is empty. */
MUST_CHECK const struct data_run *query_run(const struct expand_ctx *ctx,
                                            const struct placeholder *p, struct str id,
                                            struct str device, struct err *e);

/* The device for placeholders that name none: the page's, else the site's. */
const char *query_default_device(const struct expand_ctx *ctx);

/* The value of a parameter, "dtype" or "cache", as printed; NULL if there is no such key. */
const char *query_value(const struct run_case *c, const char *key, struct arena *a);

/* The keys in which the picks differ: "rows= (4096, 16384), cache= (cold, hot)"; "" if in none. */
const char *query_differs(const struct expand_ctx *ctx, const struct pick *picks, size_t n);

/* The keys of the picks' cases: parameters in their order, then dtype and cache. */
const char **query_keys(const struct pick *picks, size_t n, struct arena *a, size_t *count);

/* Orders two cases of one family by parameters, dtype and cache. */
int query_order(const struct run_case *a, const struct run_case *b);

#endif
