#include "site-gen/records/query.h"

#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/ways.h"
#include "site-gen/records/query_inner.h"

/* --- parsing a selector --- */

/* The member for a selecting key; NULL: the key is the name of a parameter. */
static struct str *known_key(struct query *q, struct str name)
{
	return str_is(name, "device")  ? &q->device
	       : str_is(name, "run")   ? &q->run
	       : str_is(name, "dtype") ? &q->dtype
	       : str_is(name, "cache") ? &q->cache
	       : str_is(name, "role")  ? &q->role
	                               : NULL;
}

/* {a,b} is the list a,b, as in the runner's selectors. */
static struct str list_of(struct str value)
{
	const char *end = value.n > 1 && value.p[0] == '{' ? memchr(value.p, '}', value.n) : NULL;
	return end == value.p + value.n - 1 ? (struct str){value.p + 1, value.n - 2} : value;
}

static bool set_key(struct query *q, struct str name, struct str value, struct err *e)
{
	value = list_of(value);
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
 * A part without '=' continues the list of the previous value.
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
	/* the id and the title of the block (kinds/kinds.h) */
	return str_is(name, "id") || str_is(name, "title");
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

/* Does the list a,b,c contain `word`? Its items may be globs. In a list of sizes * is any. */
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
		if (str_is(item, "*") || (unit_parse_size(item, &v) && v == num))
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

/* The selector's word for the usual way of this parameter; NULL: it is no way of measuring. */
static const char *usual_way(struct str name)
{
	const struct ways_key *k = ways_find(name);
	return k ? k->word[0] : NULL;
}

static bool param_matches(const struct run_case *c, const struct query_param *want)
{
	const struct run_pair *p = param_of(c, want->name);
	const char *word = p ? p->word : usual_way(want->name);
	if (!p && !word)
		return false;
	return word ? in_list(want->value, word) : size_in_list(want->value, p->num);
}

/* Does the query name the knob of a sweep's case, and each unusual way of its measurement? */
static bool unusual_are_named(const struct query *q, const struct run_case *c)
{
	for (size_t i = 0; i < c->nparams; i++) {
		const char *name = c->param[i].name;
		bool named = !ways_unusual(c, i) && !record_is_knob(c, name);
		named = named || (q->axis.p && str_is(q->axis, name));
		for (size_t k = 0; !named && k < q->nparams; k++)
			named = str_is(q->param[k].name, name);
		if (!named)
			return false;
	}
	return true;
}

/* "*" matches no ceiling, no selftest, and nothing of another harness. */
static bool family_matches(struct str pattern, const char *family)
{
	return str_glob(pattern, str_of(family)) &&
	       (!data_is_apart(family) || data_names_apart(pattern));
}

/* Quick test: most names already differ from a pattern in their first letter. */
static bool may_match(struct str pattern, const char *name)
{
	char first = pattern.n > 0 ? pattern.p[0] : 0;
	return first == *name || first == '*' || first == '?' || first == '{';
}

bool query_family_matches(const struct query *q, const char *family)
{
	return may_match(q->family, family) && family_matches(q->family, family);
}

bool query_names_match(const struct query *q, const struct run_case *c)
{
	return may_match(q->variant, c->variant) && query_family_matches(q, c->family) &&
	       str_glob(q->variant, str_of(c->variant));
}

bool query_matches(const struct query *q, const struct run_case *c)
{
	return query_covers(q, c) && unusual_are_named(q, c);
}

bool query_covers(const struct query *q, const struct run_case *c)
{
	if (!query_names_match(q, c) || (q->dtype.p && !in_list(q->dtype, c->dtype)) ||
	    (q->cache.p && !in_list(q->cache, c->cache)) ||
	    (q->role.p && !in_list(q->role, c->role)))
		return false;
	for (size_t i = 0; i < q->nparams; i++)
		if (!param_matches(c, &q->param[i]))
			return false;
	return true;
}

const char *query_default_device(const struct expand_ctx *ctx)
{
	return ctx->device ? ctx->device : ctx->data->default_device;
}

struct str query_device(const struct expand_ctx *ctx, const struct query *q)
{
	if (!q->device.p)
		return str_of(query_default_device(ctx));
	const char *measured = data_device_find(ctx->data, q->device);
	return measured ? str_of(measured) : q->device;
}

bool query_in_scope(const struct expand_ctx *ctx, const struct query *q,
                    const struct data_run *pinned, const struct data_run *r)
{
	return pinned ? r == pinned : str_is(query_device(ctx, q), r->run.head.device);
}

/* The same for many runs: the device is looked up once. */
struct scope {
	const struct data_run *pinned;
	struct str device;
};

static struct scope scope_of(const struct expand_ctx *ctx, const struct query *q,
                             const struct data_run *pinned)
{
	return (struct scope){pinned, query_device(ctx, q)};
}

static bool is_in(const struct scope *s, const struct data_run *r)
{
	return s->pinned ? r == s->pinned : str_is(s->device, r->run.head.device);
}

const char *query_value(const struct run_case *c, const char *key, struct arena *a)
{
	if (strcmp(key, "dtype") == 0)
		return c->dtype;
	if (strcmp(key, "cache") == 0)
		return c->cache;
	const struct run_pair *p = record_param(c, key);
	if (!p)
		return usual_way(str_of(key));
	if (p->word)
		return p->word;
	char size[32];
	unit_size(p->num, size);
	return arena_strdup(a, size);
}

/* --- results --- */

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

struct picks {
	struct pick *all;
	size_t n, cap;
};

/*
 * Runs come newest first, so the first run with a case counts. A case that could
 * not run there is no measurement: an older run that did measure it replaces it.
 */
static void take(struct picks *p, const struct data_run *r, const struct data_case *d,
                 struct arena *a)
{
	for (size_t i = 0; i < p->n; i++) {
		if (strcmp(p->all[i].d->c->id, d->c->id) != 0)
			continue;
		if (p->all[i].d->c->unavailable && !d->c->unavailable)
			p->all[i] = (struct pick){r, d};
		return;
	}
	p->all = arena_grow(a, p->all, p->n, &p->cap, sizeof *p->all);
	p->all[p->n++] = (struct pick){r, d};
}

static void take_from(const struct query *q, const struct data_run *r, size_t from, size_t to,
                      bool pinned, struct picks *picks, struct arena *a)
{
	for (size_t k = from; k < to; k++)
		if (query_matches(q, &r->run.cases[k]) &&
		    (pinned || !r->cases[k].why[DATA_WITHDRAWN]))
			take(picks, r, &r->cases[k], a);
}

bool query_all(const struct expand_ctx *ctx, const struct query *q, struct pick **out, size_t *n,
               struct err *e)
{
	const struct data_run *pinned = NULL;
	struct picks picks = {0};
	if (q->run.p && !(pinned = query_run(ctx, q->p, q->run, q->device, e)))
		return false;
	const struct scope scope = scope_of(ctx, q, pinned);
	size_t first = pinned ? (size_t)(pinned - ctx->data->runs) : 0;
	for (size_t i = first; i < (pinned ? first + 1 : ctx->data->nruns); i++) {
		const struct data_run *r = &ctx->data->runs[i];
		if (r->why_none || !is_in(&scope, r))
			continue;
		for (size_t k = 0; k < r->nspans; k++)
			if (query_family_matches(q, r->spans[k].family))
				take_from(q, r, r->spans[k].from, r->spans[k].to, pinned, &picks,
				          ctx->arena);
		if (r->nspans == 0)
			take_from(q, r, 0, r->run.ncases, pinned, &picks, ctx->arena);
	}
	*out = picks.all;
	*n = picks.n;
	if (*n == 0)
		return query_nothing(ctx, q, pinned, e);
	qsort(*out, *n, sizeof **out, by_reading_order);
	return true;
}

bool query_is_known(const struct expand_ctx *ctx, const struct query *q, struct err *e)
{
	const struct data_run *pinned = NULL;
	if (q->run.p && !(pinned = query_run(ctx, q->p, q->run, q->device, e)))
		return false;
	const struct scope scope = scope_of(ctx, q, pinned);
	for (size_t i = 0; i < ctx->data->nruns; i++) {
		const struct data_run *r = &ctx->data->runs[i];
		for (size_t k = 0; is_in(&scope, r) && k < r->run.ncases; k++)
			if (query_covers(q, &r->run.cases[k]))
				return true;
	}
	return query_nothing(ctx, q, pinned, e);
}

bool query_one(const struct expand_ctx *ctx, const struct query *q, struct pick *out, struct err *e)
{
	struct pick *picks;
	size_t n;
	if (!query_all(ctx, q, &picks, &n, e))
		return false;
	if (n > 1)
		return query_ambiguous(ctx, q, picks, n, e);
	*out = picks[0];
	return !out->d->why_none || query_no_number(q, out, e);
}

/* Fills the keys that q leaves open from the base case; a knob is of its variant alone. */
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
		if (record_is_knob(base, p->name) && !str_is(q->variant, base->variant))
			continue;
		const char *v = p->word ? p->word : arena_printf(a, "%lld", (long long)p->num);
		if (!given)
			q->param[q->nparams++] = (struct query_param){str_of(p->name), str_of(v)};
	}
}

/* Does a pattern name the family of another harness? */
static bool names_harness(struct str pattern)
{
	return data_names_apart(pattern) && !data_names_instrument(pattern);
}

bool query_beside(const struct expand_ctx *ctx, struct query *q, const struct pick *base,
                  struct pick *out, struct err *e)
{
	struct err first = ERR_NONE, *say = e ? e : &first;
	bool ceiling = data_names_instrument(q->family);
	bool pinned = q->run.p || q->device.p;
	if (base->d->c->foreign != names_harness(q->family))
		return rule_err(
		        say, RULE_NATIVE, query_where(q, NOT_GIVEN),
		        "one of %s and '" STR_FMT "' is of another harness: a ratio of them "
		        "would say more of the harnesses than of the code. Show both numbers",
		        base->d->c->id, STR_ARG(q->text));
	if (ceiling && !q->device.p)
		q->device = str_of(base->run->run.head.device);
	if (!ceiling || data_is_instrument(base->d->c->family))
		fill_from(q, base->d->c, ctx->arena);
	if (pinned || ceiling)
		return query_one(ctx, q, out, say);
	q->run = str_of(base->run->run.head.id);
	if (query_one(ctx, q, out, &first))
		return true;
	if (!e)
		return false;
	struct err other = ERR_NONE;
	struct pick elsewhere;
	q->run = NOT_GIVEN;
	q->device = str_of(base->run->run.head.device);
	if (query_one(ctx, q, &elsewhere, &other))
		return err_at(e, query_where(q, NOT_GIVEN),
		              "%s and %s were not measured in one run (%s, %s): a comparison needs "
		              "cases that were measured in turns; measure them together, or pin "
		              "the other run "
		              "with '" STR_FMT ":run=%s'",
		              base->d->c->id, elsewhere.d->c->id, base->run->run.head.id,
		              elsewhere.run->run.head.id, STR_ARG(q->text),
		              elsewhere.run->run.head.id);
	return err_set(e, "%s", first.text);
}

/* Did the run measure a case of q, right or wrong? */
static bool holds(const struct query *q, const struct data_run *r)
{
	for (size_t i = 0; i < r->run.ncases; i++)
		if (!r->run.cases[i].unavailable && !r->cases[i].why[DATA_WITHDRAWN] &&
		    query_matches(q, &r->run.cases[i]))
			return true;
	return false;
}

bool query_pair(const struct expand_ctx *ctx, struct query *q, struct pick *base, struct pick *out,
                struct err *e)
{
	const struct query asked = *q;
	const char *device = base->run->run.head.device;
	if (query_beside(ctx, q, base, out, NULL))
		return true;
	bool stays = asked.run.p || asked.device.p || data_names_instrument(asked.family) ||
	             base->d->why[DATA_SUPERSEDED] || holds(q, base->run);
	for (size_t i = 0; !stays && i < ctx->data->nruns; i++) {
		const struct data_run *r = &ctx->data->runs[i];
		const struct run_case *c = data_run_case(r, base->d->c->id);
		if (r->why_none || strcmp(r->run.head.device, device) != 0 || !c ||
		    c->unavailable || data_case_of(r, c)->why[DATA_WITHDRAWN] || !holds(q, r))
			continue;
		*base = (struct pick){r, data_case_of(r, c)};
		stays = true;
	}
	*q = asked;
	return query_beside(ctx, q, base, out, e);
}
