#include "site-gen/query.h"

#include <stdlib.h>
#include <string.h>

static const struct str NOT_GIVEN = {NULL, 0};

/* --- reading a selector --- */

/* Where a selecting key is kept; NULL: it is the name of a parameter. */
static struct str *known_key(struct query *q, struct str name)
{
	return str_is(name, "device")  ? &q->device
	       : str_is(name, "run")   ? &q->run
	       : str_is(name, "dtype") ? &q->dtype
	       : str_is(name, "cache") ? &q->cache
	       : str_is(name, "role")  ? &q->role
	                               : NULL;
}

static bool set_key(struct query *q, struct str name, struct str value, struct err *e)
{
	struct str *known = known_key(q, name);
	if (known) {
		*known = value;
		return true;
	}
	for (size_t i = 0; i < q->nparams; i++)
		if (str_cmp(q->param[i].name, name) == 0)
			return err_at(e, placeholder_loc(q->p, name),
			              "parameter '" STR_FMT "' is given twice", STR_ARG(name));
	if (q->nparams == QUERY_MAX_PARAMS)
		return err_at(e, placeholder_loc(q->p, name), "too many parameters");
	q->param[q->nparams++] = (struct query_param){name, value};
	return true;
}

static bool end_condition(struct query *q, struct query_param *c, struct err *e)
{
	return !c->name.p || set_key(q, c->name, c->value, e);
}

/*
 * conditions -> key '=' value { ',' key '=' value }
 * A part without '=' continues the list of the value before it.
 */
static bool parse_conditions(struct query *q, struct str s, struct err *e)
{
	struct query_param c = {NOT_GIVEN, NOT_GIVEN};
	struct str part, name, value;
	bool more = true;
	while (more) {
		more = str_cut(s, ',', &part, &s);
		if (str_cut(part, '=', &name, &value) && name.n > 0 && value.n > 0) {
			if (!end_condition(q, &c, e))
				return false;
			c = (struct query_param){name, value};
		} else if (part.n > 0 && c.name.p) {
			c.value.n = (size_t)(part.p + part.n - c.value.p);
		} else {
			return err_at(e, placeholder_loc(q->p, part),
			              "'" STR_FMT "' is no condition, expected key=value",
			              STR_ARG(part));
		}
	}
	return end_condition(q, &c, e);
}

static bool is_own(const char *const *own, struct str name)
{
	for (; own && *own; own++)
		if (str_is(name, *own))
			return true;
	return false;
}

bool query_parse(const struct placeholder *p, struct str selector, const char *const *own,
                 bool keys, struct query *out, struct err *e)
{
	*out = (struct query){.p = p, .text = selector};
	struct str path = selector, conditions = NOT_GIVEN;
	bool has_conditions = str_cut(selector, ':', &path, &conditions);
	if (!str_cut(path, '/', &out->family, &out->variant))
		out->variant = STR("*");
	if (out->family.n == 0 || out->variant.n == 0)
		return err_at(e, placeholder_loc(p, selector),
		              "'" STR_FMT "' is no selector, expected family/variant",
		              STR_ARG(selector));
	if (has_conditions && !parse_conditions(out, conditions, e))
		return false;
	for (size_t i = 0; keys && i < p->nkeys; i++)
		if (!is_own(own, p->key[i].name) &&
		    !set_key(out, p->key[i].name, p->key[i].value, e))
			return false;
	return true;
}

/* --- matching --- */

/* Is `word` an item of the list a,b,c (items may be globs)? */
static bool in_list(struct str list, const char *word)
{
	struct str item;
	bool more = true;
	while (more) {
		more = str_cut(list, ',', &item, &list);
		if (str_glob(item, str_of(word)))
			return true;
	}
	return false;
}

static bool size_in_list(struct str list, int64_t num)
{
	struct str item;
	int64_t v;
	bool more = true;
	while (more) {
		more = str_cut(list, ',', &item, &list);
		if (unit_parse_size(item, &v) && v == num)
			return true;
	}
	return false;
}

static const struct run_pair *param_of(const struct run_case *c, struct str name)
{
	for (size_t i = 0; i < c->nparams; i++)
		if (str_is(name, c->param[i].name))
			return &c->param[i];
	return NULL;
}

static bool param_matches(const struct run_case *c, const struct query_param *want)
{
	const struct run_pair *p = param_of(c, want->name);
	if (!p)
		return false;
	return p->word ? in_list(want->value, p->word) : size_in_list(want->value, p->num);
}

static bool names_match(const struct query *q, const struct run_case *c)
{
	return str_glob(q->family, str_of(c->family)) && str_glob(q->variant, str_of(c->variant));
}

static bool case_matches(const struct query *q, const struct run_case *c)
{
	if (!names_match(q, c) || (q->dtype.p && !in_list(q->dtype, c->dtype)) ||
	    (q->cache.p && !in_list(q->cache, c->cache)) ||
	    (q->role.p && !in_list(q->role, c->role)))
		return false;
	for (size_t i = 0; i < q->nparams; i++)
		if (!param_matches(c, &q->param[i]))
			return false;
	return true;
}

static struct str device_of(const struct expand_ctx *ctx, const struct query *q)
{
	return q->device.p ? q->device : str_of(ctx->device);
}

static bool run_in_scope(const struct expand_ctx *ctx, const struct query *q,
                         const struct data_run *pinned, const struct data_run *r)
{
	return pinned ? r == pinned : str_is(device_of(ctx, q), r->run.head.device);
}

/* --- messages --- */

/* Distinct words, nearest to what was written first. */
struct names {
	const char *name[64];
	size_t n;
};

static void add_name(struct names *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->name[i], name) == 0)
			return;
	if (l->n < sizeof l->name / sizeof l->name[0])
		l->name[l->n++] = name;
}

static const char *join(struct names *l, struct str written, struct arena *a)
{
	enum { SHOWN = 12, CAP = 64 };
	for (size_t i = 0; written.p && i < l->n; i++)
		for (size_t k = i + 1; k < l->n; k++)
			if (str_distance(written, str_of(l->name[k]), CAP) <
			    str_distance(written, str_of(l->name[i]), CAP)) {
				const char *swap = l->name[i];
				l->name[i] = l->name[k];
				l->name[k] = swap;
			}
	struct sb text = {0};
	for (size_t i = 0; i < l->n && i < SHOWN; i++)
		sb_printf(&text, "%s%s", i ? ", " : "", l->name[i]);
	if (l->n > SHOWN)
		sb_cstr(&text, ", …");
	const char *out = arena_strndup(a, text.p ? text.p : "", text.n);
	sb_free(&text);
	return out;
}

const char *query_value(const struct run_case *c, const char *key, struct arena *a)
{
	if (strcmp(key, "dtype") == 0)
		return c->dtype;
	if (strcmp(key, "cache") == 0)
		return c->cache;
	const struct run_pair *p = record_param(c, key);
	if (!p)
		return NULL;
	if (p->word)
		return p->word;
	char size[32];
	unit_size(p->num, size);
	return arena_strdup(a, size);
}

typedef bool case_test(const struct query *q, const struct run_case *c);

/* The values that `key` has over the cases that pass a test. */
static struct names values_of(const struct expand_ctx *ctx, const struct query *q,
                              const struct data_run *pinned, const char *key, case_test *test)
{
	struct names l = {.n = 0};
	for (size_t i = 0; i < ctx->data->nruns; i++) {
		const struct data_run *r = &ctx->data->runs[i];
		for (size_t k = 0; run_in_scope(ctx, q, pinned, r) && k < r->run.ncases; k++) {
			const char *v;
			if (test(q, &r->run.cases[k]) &&
			    (v = query_value(&r->run.cases[k], key, ctx->arena)))
				add_name(&l, v);
		}
	}
	return l;
}

static bool any_name(const struct query *q, const struct run_case *c)
{
	(void)q;
	(void)c;
	return true;
}

static bool family_matches(const struct query *q, const struct run_case *c)
{
	return str_glob(q->family, str_of(c->family));
}

/* Names of families or variants over the cases that pass a test. */
static struct names names_of(const struct expand_ctx *ctx, const struct query *q,
                             const struct data_run *pinned, bool variants, case_test *test)
{
	struct names l = {.n = 0};
	for (size_t i = 0; i < ctx->data->nruns; i++) {
		const struct data_run *r = &ctx->data->runs[i];
		for (size_t k = 0; run_in_scope(ctx, q, pinned, r) && k < r->run.ncases; k++) {
			const struct run_case *c = &r->run.cases[k];
			if (test(q, c))
				add_name(&l, variants ? c->variant : c->family);
		}
	}
	return l;
}

static struct loc where(const struct query *q, struct str part)
{
	return placeholder_loc(q->p, part.p ? part : q->text);
}

/* No case satisfies this one condition: say what there is. */
static bool bad_condition(const struct expand_ctx *ctx, const struct query *q,
                          const struct data_run *pinned, struct str key, struct str value,
                          struct err *e)
{
	const char *name = arena_strndup(ctx->arena, key.p, key.n);
	struct names l = values_of(ctx, q, pinned, name, names_match);
	if (l.n > 0)
		return err_at(e, where(q, value),
		              "no case of " STR_FMT "/" STR_FMT " has %s=" STR_FMT
		              ", expected one of %s",
		              STR_ARG(q->family), STR_ARG(q->variant), name, STR_ARG(value),
		              join(&l, value, ctx->arena));
	for (size_t i = 0; i < ctx->data->nruns; i++) {
		const struct data_run *r = &ctx->data->runs[i];
		for (size_t k = 0; run_in_scope(ctx, q, pinned, r) && k < r->run.ncases; k++)
			for (size_t m = 0;
			     names_match(q, &r->run.cases[k]) && m < r->run.cases[k].nparams; m++)
				add_name(&l, r->run.cases[k].param[m].name);
	}
	add_name(&l, "dtype");
	add_name(&l, "cache");
	return err_at(e, where(q, key),
	              "key '%s' is neither known here nor a parameter of " STR_FMT "/" STR_FMT
	              ", expected one of %s",
	              name, STR_ARG(q->family), STR_ARG(q->variant), join(&l, key, ctx->arena));
}

static bool some_case(const struct expand_ctx *ctx, const struct query *q,
                      const struct data_run *pinned, case_test *test)
{
	for (size_t i = 0; i < ctx->data->nruns; i++) {
		const struct data_run *r = &ctx->data->runs[i];
		for (size_t k = 0; run_in_scope(ctx, q, pinned, r) && k < r->run.ncases; k++)
			if (test(q, &r->run.cases[k]))
				return true;
	}
	return false;
}

/* Each condition alone; the first that nothing satisfies is the error. */
static bool explain_conditions(const struct expand_ctx *ctx, const struct query *q,
                               const struct data_run *pinned, struct err *e)
{
	struct query one = {.p = q->p, .text = q->text, .family = q->family, .variant = q->variant};
	one.device = q->device;
	const struct {
		struct str key, value;
		struct str *slot;
	} words[] = {{STR("dtype"), q->dtype, &one.dtype}, {STR("cache"), q->cache, &one.cache}};
	for (size_t i = 0; i < q->nparams; i++) {
		one.param[0] = q->param[i];
		one.nparams = 1;
		if (!some_case(ctx, &one, pinned, case_matches))
			return bad_condition(ctx, q, pinned, q->param[i].name, q->param[i].value,
			                     e);
	}
	one.nparams = 0;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		*words[i].slot = words[i].value;
		if (words[i].value.p && !some_case(ctx, &one, pinned, case_matches))
			return bad_condition(ctx, q, pinned, words[i].key, words[i].value, e);
		*words[i].slot = NOT_GIVEN;
	}
	return true;
}

/* The ids of cases that have the right names, for "nearest: …". */
static const char *nearest_cases(const struct expand_ctx *ctx, const struct query *q,
                                 const struct data_run *pinned)
{
	enum { SHOWN = 4 };
	struct names l = {.n = 0};
	for (size_t i = 0; i < ctx->data->nruns && l.n < SHOWN; i++) {
		const struct data_run *r = &ctx->data->runs[i];
		for (size_t k = 0; run_in_scope(ctx, q, pinned, r) && k < r->run.ncases; k++)
			if (l.n < SHOWN && names_match(q, &r->run.cases[k]))
				add_name(&l, r->run.cases[k].id);
	}
	return join(&l, NOT_GIVEN, ctx->arena);
}

static bool no_device(const struct expand_ctx *ctx, const struct query *q, struct err *e)
{
	struct names l = {.n = 0};
	for (size_t i = 0; i < ctx->data->ndevices; i++)
		add_name(&l, ctx->data->devices[i]);
	struct str device = device_of(ctx, q);
	if (l.n == 0)
		return err_at(e, where(q, NOT_GIVEN),
		              "nothing is measured yet: data/runs holds no run; 'make bench' makes "
		              "one");
	return err_at(e, where(q, q->device), "device '" STR_FMT "' has no run, expected one of %s",
	              STR_ARG(device), join(&l, device, ctx->arena));
}

static const struct run_case *unpublished(const struct expand_ctx *ctx, const struct query *q,
                                          const struct data_run *pinned,
                                          const struct data_run **run)
{
	for (size_t i = 0; i < ctx->data->nruns; i++) {
		*run = &ctx->data->runs[i];
		for (size_t k = 0; run_in_scope(ctx, q, pinned, *run) && k < (*run)->run.ncases;
		     k++)
			if (case_matches(q, &(*run)->run.cases[k]))
				return &(*run)->run.cases[k];
	}
	return NULL;
}

/* Why nothing was found: the first step at which nothing is left. */
static bool nothing_found(const struct expand_ctx *ctx, const struct query *q,
                          const struct data_run *pinned, struct err *e)
{
	const struct data_run *run;
	struct names l;
	const struct run_case *c = unpublished(ctx, q, pinned, &run);
	if (c)
		return err_at(e, where(q, NOT_GIVEN),
		              "%s is only in run %s, which publishes nothing: %s", c->id,
		              run->run.head.id, run->why_none);
	if (!some_case(ctx, q, pinned, any_name))
		return no_device(ctx, q, e);
	if (!some_case(ctx, q, pinned, family_matches)) {
		l = names_of(ctx, q, pinned, false, any_name);
		return err_at(e, where(q, q->family),
		              "no family '" STR_FMT "' is measured, expected one of %s",
		              STR_ARG(q->family), join(&l, q->family, ctx->arena));
	}
	if (!some_case(ctx, q, pinned, names_match)) {
		l = names_of(ctx, q, pinned, true, family_matches);
		return err_at(
		        e, where(q, q->variant),
		        "family '" STR_FMT "' has no variant '" STR_FMT "', expected one of %s",
		        STR_ARG(q->family), STR_ARG(q->variant), join(&l, q->variant, ctx->arena));
	}
	if (!explain_conditions(ctx, q, pinned, e))
		return false;
	return err_at(e, where(q, NOT_GIVEN),
	              "no case matches all conditions of '" STR_FMT "'; nearest: %s",
	              STR_ARG(q->text), nearest_cases(ctx, q, pinned));
}

/* --- runs --- */

const struct data_run *query_run(const struct expand_ctx *ctx, const struct placeholder *p,
                                 struct str id, struct str device, struct err *e)
{
	struct names l = {.n = 0};
	const struct data_run *found = NULL;
	struct query q = {.p = p, .text = p->kind, .device = device};
	for (size_t i = 0; i < ctx->data->nruns; i++) {
		const struct data_run *r = &ctx->data->runs[i];
		if (!id.p) {
			if (str_is(device_of(ctx, &q), r->run.head.device) && !r->why_none)
				return r;
			continue;
		}
		add_name(&l, r->run.head.id);
		if (!str_starts(str_of(r->run.head.id), arena_strndup(ctx->arena, id.p, id.n)))
			continue;
		if (found) {
			err_at(e, placeholder_loc(p, id), "run '" STR_FMT "' is ambiguous: %s, %s",
			       STR_ARG(id), found->run.head.id, r->run.head.id);
			return NULL;
		}
		found = r;
	}
	if (!id.p)
		no_device(ctx, &q, e);
	else if (!found)
		err_at(e, placeholder_loc(p, id), "no run '" STR_FMT "', expected one of %s",
		       STR_ARG(id), join(&l, id, ctx->arena));
	return found;
}

/* --- answers --- */

int query_order(const struct run_case *a, const struct run_case *b)
{
	for (size_t i = 0; i < a->nparams && i < b->nparams; i++) {
		const struct run_pair *x = &a->param[i], *y = &b->param[i];
		int c = x->word && y->word ? strcmp(x->word, y->word)
		                           : (x->num > y->num) - (x->num < y->num);
		if (c)
			return c;
	}
	int c = strcmp(a->dtype, b->dtype);
	return c ? c : strcmp(a->cache, b->cache);
}

static int by_reading_order(const void *pa, const void *pb)
{
	const struct run_case *a = ((const struct pick *)pa)->d->c;
	const struct run_case *b = ((const struct pick *)pb)->d->c;
	int c = strcmp(a->family, b->family);
	if (!c)
		c = (a->rank > b->rank) - (a->rank < b->rank);
	return c ? c : query_order(a, b);
}

/*
 * Runs come newest first, so the first to hold a case is the one to take.
 * "Could not run here" is no measurement: an older run that did measure the
 * case replaces it.
 */
static void take(struct pick *picks, size_t *n, const struct data_run *r, const struct data_case *d)
{
	for (size_t i = 0; i < *n; i++) {
		if (strcmp(picks[i].d->c->id, d->c->id) != 0)
			continue;
		if (picks[i].d->c->unavailable && !d->c->unavailable)
			picks[i] = (struct pick){r, d};
		return;
	}
	picks[(*n)++] = (struct pick){r, d};
}

static size_t most_cases(const struct expand_ctx *ctx, const struct query *q,
                         const struct data_run *pinned)
{
	size_t n = 0;
	for (size_t i = 0; i < ctx->data->nruns; i++) {
		const struct data_run *r = &ctx->data->runs[i];
		for (size_t k = 0; run_in_scope(ctx, q, pinned, r) && k < r->run.ncases; k++)
			n += case_matches(q, &r->run.cases[k]);
	}
	return n;
}

bool query_all(const struct expand_ctx *ctx, const struct query *q, struct pick **out, size_t *n,
               struct err *e)
{
	const struct data_run *pinned = NULL;
	*n = 0;
	if (q->run.p && !(pinned = query_run(ctx, q->p, q->run, q->device, e)))
		return false;
	*out = ARENA_ARRAY(ctx->arena, struct pick, most_cases(ctx, q, pinned) + 1);
	for (size_t i = 0; i < ctx->data->nruns; i++) {
		const struct data_run *r = &ctx->data->runs[i];
		if (r->why_none || !run_in_scope(ctx, q, pinned, r))
			continue;
		for (size_t k = 0; k < r->run.ncases; k++)
			if (case_matches(q, &r->run.cases[k]))
				take(*out, n, r, &r->cases[k]);
	}
	if (*n == 0)
		return nothing_found(ctx, q, pinned, e);
	qsort(*out, *n, sizeof **out, by_reading_order);
	return true;
}

static struct names keys_of(const struct pick *picks, size_t n)
{
	struct names keys = {.n = 0};
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < picks[i].d->c->nparams; k++)
			add_name(&keys, picks[i].d->c->param[k].name);
	add_name(&keys, "dtype");
	add_name(&keys, "cache");
	return keys;
}

const char **query_keys(const struct pick *picks, size_t n, struct arena *a, size_t *count)
{
	struct names keys = keys_of(picks, n);
	const char **out = ARENA_ARRAY(a, const char *, keys.n);
	memcpy(out, keys.name, keys.n * sizeof *out);
	*count = keys.n;
	return out;
}

const char *query_differs(const struct expand_ctx *ctx, const struct pick *picks, size_t n)
{
	struct names keys = keys_of(picks, n);
	struct sb text = {0};
	for (size_t k = 0; k < keys.n; k++) {
		struct names values = {.n = 0};
		for (size_t i = 0; i < n; i++) {
			const char *v = query_value(picks[i].d->c, keys.name[k], ctx->arena);
			add_name(&values, v ? v : "none");
		}
		if (values.n > 1)
			sb_printf(&text, "%s%s= (%s)", text.n ? ", " : "", keys.name[k],
			          join(&values, NOT_GIVEN, ctx->arena));
	}
	const char *out = arena_strndup(ctx->arena, text.p ? text.p : "", text.n);
	sb_free(&text);
	return out;
}

static bool ambiguous(const struct expand_ctx *ctx, const struct query *q, const struct pick *picks,
                      size_t n, struct err *e)
{
	enum { SHOWN = 4 };
	struct names variants = {.n = 0}, ids = {.n = 0};
	for (size_t i = 0; i < n; i++)
		add_name(&variants, arena_printf(ctx->arena, "%s/%s", picks[i].d->c->family,
		                                 picks[i].d->c->variant));
	for (size_t i = 0; i < n && i < SHOWN; i++)
		add_name(&ids, picks[i].d->c->id);
	if (variants.n > 1)
		return err_at(e, where(q, NOT_GIVEN),
		              "'" STR_FMT "' matches %zu variants where one is needed: %s",
		              STR_ARG(q->text), variants.n, join(&variants, NOT_GIVEN, ctx->arena));
	return err_at(e, where(q, NOT_GIVEN),
	              "'" STR_FMT "' matches %zu cases where one is needed; say %s: %s%s",
	              STR_ARG(q->text), n, query_differs(ctx, picks, n),
	              join(&ids, NOT_GIVEN, ctx->arena), n > SHOWN ? ", …" : "");
}

bool query_one(const struct expand_ctx *ctx, const struct query *q, struct pick *out, struct err *e)
{
	struct pick *picks;
	size_t n;
	if (!query_all(ctx, q, &picks, &n, e))
		return false;
	if (n > 1)
		return ambiguous(ctx, q, picks, n, e);
	*out = picks[0];
	return !out->d->why_none ||
	       err_at(e, where(q, NOT_GIVEN), "%s has no number to show in run %s: %s",
	              out->d->c->id, out->run->run.head.id, out->d->why_none);
}

/* What q leaves open is as in the base case. */
static void fill_from(struct query *q, const struct run_case *base, struct arena *a)
{
	if (!q->dtype.p)
		q->dtype = str_of(base->dtype);
	if (!q->cache.p)
		q->cache = str_of(base->cache);
	if (!str_is(q->family, base->family))
		return;
	for (size_t i = 0; i < base->nparams && q->nparams < QUERY_MAX_PARAMS; i++) {
		const struct run_pair *p = &base->param[i];
		bool given = false;
		for (size_t k = 0; k < q->nparams; k++)
			given = given || str_is(q->param[k].name, p->name);
		const char *v = p->word ? p->word : arena_printf(a, "%lld", (long long)p->num);
		if (!given)
			q->param[q->nparams++] = (struct query_param){str_of(p->name), str_of(v)};
	}
}

bool query_beside(const struct expand_ctx *ctx, struct query *q, const struct pick *base,
                  struct pick *out, struct err *e)
{
	struct err first = ERR_NONE;
	bool pinned = q->run.p || q->device.p;
	fill_from(q, base->d->c, ctx->arena);
	if (pinned)
		return query_one(ctx, q, out, e);
	q->run = str_of(base->run->run.head.id);
	if (query_one(ctx, q, out, &first))
		return true;
	struct err other = ERR_NONE;
	struct pick elsewhere;
	q->run = NOT_GIVEN;
	q->device = str_of(base->run->run.head.device);
	if (query_one(ctx, q, &elsewhere, &other))
		return err_at(
		        e, where(q, NOT_GIVEN),
		        "%s and %s were not measured in one run (%s, %s): a comparison needs "
		        "launches that took turns; measure them together, or pin the other run "
		        "with '" STR_FMT ":run=%s'",
		        base->d->c->id, elsewhere.d->c->id, base->run->run.head.id,
		        elsewhere.run->run.head.id, STR_ARG(q->text), elsewhere.run->run.head.id);
	return err_set(e, "%s", first.text);
}
