/*
 * site-gen/records/query.h - from the words of a placeholder to cases of runs.
 *
 *   selector -> family [ '/' variant ] [ ':' key '=' value { ',' key '=' value } ]
 *
 * family and variant are globs; a family alone means all its variants. The
 * conditions after ':' and the keys of the placeholder say the same thing
 * (`transpose/tile:rows=4096`, `transpose/tile rows=4096`); the first form
 * serves where a key has another meaning (`table … rows=`) or where two
 * selectors stand in one placeholder (`over=`, `of=measured:`).
 *
 * A case that was measured in another way than usual (input=zeros, side=host,
 * load=sustained) is meant only by a selector that has the key; ceilings and
 * the instrument's own test only by one that begins with their name.
 *
 * Each case is taken from the newest run that may publish it (rule
 * `unpicked`: never the best); `run=` pins a run. What is not said is not
 * guessed: where one case is wanted and a key has several values, that is an
 * error which lists them.
 */
#ifndef SITE_GEN_RECORDS_QUERY_H
#define SITE_GEN_RECORDS_QUERY_H

#include "site-gen/records/data.h"
#include "site-gen/records/context.h"
#include "site-gen/base/placeholder.h"
#include "site-gen/base/placeholder.h"

enum { QUERY_MAX_PARAMS = 16 };

struct query_param {
	struct str name, value; /* value may be a list: a,b */
};

struct query {
	const struct placeholder *p; /* for the places of errors */
	struct str text;             /* the selector as written */
	struct str family, variant;
	struct str device, run, dtype, cache, role; /* p == NULL: not given */
	struct query_param param[QUERY_MAX_PARAMS];
	size_t nparams;
};

/* A case and the run it is taken from. */
struct pick {
	const struct data_run *run;
	const struct data_case *d;
};

/*
 * Reads a selector and the selecting keys of its placeholder. `own` are the
 * keys that mean something else to this kind, NULL-terminated. With
 * `keys` false only the selector itself counts.
 */
bool query_parse(const struct placeholder *p, struct str selector, const char *const *own,
                 bool keys, struct query *out, struct err *e);

/*
 * All cases that match, each once: families by name, variants in reading
 * order, then parameters ascending. Cases without a number are among them
 * (d->why_none). None at all is an error that names the nearest.
 */
bool query_all(const struct expand_ctx *ctx, const struct query *q, struct pick **out, size_t *n,
               struct err *e);

/* The one case that matches, and it has a number; all else is an error. */
bool query_one(const struct expand_ctx *ctx, const struct query *q, struct pick *out,
               struct err *e);

/*
 * The case of `q` that belongs beside `base` (over=, of=measured:): from the
 * same run unless q names one, with base's dtype and cache and, in the same
 * family, its parameters, wherever q is silent. A ceiling is taken as it is,
 * from the newest run that measured it.
 */
bool query_beside(const struct expand_ctx *ctx, struct query *q, const struct pick *base,
                  struct pick *out, struct err *e);

/* A run by its id or the beginning of one; the newest of the device if `id` is not given. */
const struct data_run *query_run(const struct expand_ctx *ctx, const struct placeholder *p,
                                 struct str id, struct str device, struct err *e);

/* The device of placeholders that name none: the page's, else the site's. */
const char *query_default_device(const struct expand_ctx *ctx);

/* The value of a parameter, of "dtype" or of "cache" as readers see it; NULL: no such key. */
const char *query_value(const struct run_case *c, const char *key, struct arena *a);

/* "uniform" of "input": what the usual way is called; NULL: the key says nothing of how it was measured. */
const char *query_usual_way(const char *key);

/* "rows= (4096, 16384), cache= (cold, hot)": the keys in which picks differ, "" if in none. */
const char *query_differs(const struct expand_ctx *ctx, const struct pick *picks, size_t n);

/* The keys that the picks' cases have, in the order of their parameters, then dtype and cache. */
const char **query_keys(const struct pick *picks, size_t n, struct arena *a, size_t *count);

/* Orders two cases of one family by parameters, dtype and cache. */
int query_order(const struct run_case *a, const struct run_case *b);

#endif
