/*
 * Errors for selectors that find nothing, or too much. They name the step after
 * which no case was left, and the names nearest to the written one.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/records/query_inner.h"

/* --- messages --- */

/* Distinct words, sorted by distance from the written one. */
struct names {
	const char *name[64];
	size_t n;
};

static void add_name(struct names *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->name[i], name) == 0)
			return;
	if (l->n < ARRAY_LEN(l->name))
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
	return sb_take(a, &text);
}

typedef bool case_test(const struct query *q, const struct run_case *c);

/* The values of `key` among the cases that pass a test. */
static struct names values_of(const struct expand_ctx *ctx, const struct query *q,
                              const struct data_run *pinned, const char *key, case_test *test)
{
	struct names l = {.n = 0};
	for (size_t i = 0; i < ctx->data->nruns; i++) {
		const struct data_run *r = &ctx->data->runs[i];
		for (size_t k = 0; query_in_scope(ctx, q, pinned, r) && k < r->run.ncases; k++) {
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

/* The names of families or variants among the cases that pass a test. */
static struct names names_of(const struct expand_ctx *ctx, const struct query *q,
                             const struct data_run *pinned, bool variants, case_test *test)
{
	struct names l = {.n = 0};
	for (size_t i = 0; i < ctx->data->nruns; i++) {
		const struct data_run *r = &ctx->data->runs[i];
		for (size_t k = 0; query_in_scope(ctx, q, pinned, r) && k < r->run.ncases; k++) {
			const struct run_case *c = &r->run.cases[k];
			if (test(q, c))
				add_name(&l, variants ? c->variant : c->family);
		}
	}
	return l;
}

struct loc query_where(const struct query *q, struct str part)
{
	return placeholder_loc(q->p, part.p ? part : q->text);
}

/* Sets an error for a condition that no case meets; names the values there are. */
static bool bad_condition(const struct expand_ctx *ctx, const struct query *q,
                          const struct data_run *pinned, struct str key, struct str value,
                          struct err *e)
{
	const char *name = str_dup(ctx->arena, key);
	struct names l = values_of(ctx, q, pinned, name, query_names_match);
	if (l.n > 0)
		return err_at(e, query_where(q, value),
		              "no case of " STR_FMT "/" STR_FMT " has %s=" STR_FMT
		              ", expected one of %s",
		              STR_ARG(q->family), STR_ARG(q->variant), name, STR_ARG(value),
		              join(&l, value, ctx->arena));
	for (size_t i = 0; i < ctx->data->nruns; i++) {
		const struct data_run *r = &ctx->data->runs[i];
		for (size_t k = 0; query_in_scope(ctx, q, pinned, r) && k < r->run.ncases; k++)
			for (size_t m = 0;
			     query_names_match(q, &r->run.cases[k]) && m < r->run.cases[k].nparams;
			     m++)
				add_name(&l, r->run.cases[k].param[m].name);
	}
	add_name(&l, "dtype");
	add_name(&l, "cache");
	return err_at(e, query_where(q, key),
	              "key '%s' is neither known here nor a parameter of " STR_FMT "/" STR_FMT
	              ", expected one of %s",
	              name, STR_ARG(q->family), STR_ARG(q->variant), join(&l, key, ctx->arena));
}

static bool some_case(const struct expand_ctx *ctx, const struct query *q,
                      const struct data_run *pinned, case_test *test)
{
	for (size_t i = 0; i < ctx->data->nruns; i++) {
		const struct data_run *r = &ctx->data->runs[i];
		for (size_t k = 0; query_in_scope(ctx, q, pinned, r) && k < r->run.ncases; k++)
			if (test(q, &r->run.cases[k]))
				return true;
	}
	return false;
}

/* Tries each condition alone, and reports the first that no case meets. */
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
		if (!some_case(ctx, &one, pinned, query_covers))
			return bad_condition(ctx, q, pinned, q->param[i].name, q->param[i].value,
			                     e);
	}
	one.nparams = 0;
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		*words[i].slot = words[i].value;
		if (words[i].value.p && !some_case(ctx, &one, pinned, query_covers))
			return bad_condition(ctx, q, pinned, words[i].key, words[i].value, e);
		*words[i].slot = NOT_GIVEN;
	}
	return true;
}

/* Case ids with the right family and variant, for "nearest: …". */
static const char *nearest_cases(const struct expand_ctx *ctx, const struct query *q,
                                 const struct data_run *pinned)
{
	enum { SHOWN = 4 };
	struct names l = {.n = 0};
	for (size_t i = 0; i < ctx->data->nruns && l.n < SHOWN; i++) {
		const struct data_run *r = &ctx->data->runs[i];
		for (size_t k = 0; query_in_scope(ctx, q, pinned, r) && k < r->run.ncases; k++)
			if (l.n < SHOWN && query_names_match(q, &r->run.cases[k]))
				add_name(&l, r->run.cases[k].id);
	}
	return join(&l, NOT_GIVEN, ctx->arena);
}

static bool no_device(const struct expand_ctx *ctx, const struct query *q, struct err *e)
{
	struct names l = {.n = 0};
	for (size_t i = 0; i < ctx->data->ndevices; i++)
		add_name(&l, ctx->data->devices[i]);
	struct str device = query_device(ctx, q);
	if (l.n == 0)
		return err_at(e, query_where(q, NOT_GIVEN),
		              "nothing is measured yet: data/runs holds no run; 'make bench' makes "
		              "one");
	for (size_t i = 0; i < ctx->data->ndevices; i++)
		if (str_is(device, ctx->data->devices[i]))
			return err_at(e, query_where(q, q->device),
			              "the runs of device '" STR_FMT "' hold no case, expected one "
			              "that was measured to its end ('runner verify' names those "
			              "that were not)",
			              STR_ARG(device));
	return err_at(e, query_where(q, q->device),
	              "device '" STR_FMT "' has no run, expected one of %s", STR_ARG(device),
	              join(&l, device, ctx->arena));
}

/* Finds the newest matching case, though its number is not publishable. */
static bool not_offered(const struct expand_ctx *ctx, const struct query *q,
                        const struct data_run *pinned, struct pick *out)
{
	for (size_t i = 0; i < ctx->data->nruns; i++) {
		const struct data_run *r = &ctx->data->runs[i];
		for (size_t k = 0; query_in_scope(ctx, q, pinned, r) && k < r->run.ncases; k++) {
			*out = (struct pick){r, &r->cases[k]};
			if (query_matches(q, out->d->c))
				return true;
		}
	}
	return false;
}

static bool say_not_offered(const struct query *q, const struct pick *p, struct err *e)
{
	const char *id = p->run->run.head.id;
	if (p->d->why[DATA_WITHDRAWN])
		return rule_err(e, RULE_UNPICKED, query_where(q, NOT_GIVEN),
		                "%s of run %s was %s (data/withdrawn/%s.md) and no other run "
		                "measured it; 'run=%s' shows it struck through",
		                p->d->c->id, id, p->d->why[DATA_WITHDRAWN], id, id);
	return rule_err(e, RULE_WHOLE, query_where(q, NOT_GIVEN),
	                "%s is only in run %s, which publishes nothing: %s", p->d->c->id, id,
	                p->run->why_none);
}

bool query_no_number(const struct query *q, const struct pick *p, struct err *e)
{
	struct loc at = query_where(q, NOT_GIVEN);
	const struct data_case *d = p->d;
	const char *id = p->run->run.head.id;
	if (d->none_rule == RULE_COUNT)
		return err_at(e, at, "%s has no number to show in run %s: %s", d->c->id, id,
		              d->why_none);
	return rule_err(e, d->none_rule, at, "%s has no number to show in run %s: %s", d->c->id, id,
	                d->why_none);
}

/* Explains an empty result: reports the first step after which no case is left. */
bool query_nothing(const struct expand_ctx *ctx, const struct query *q,
                   const struct data_run *pinned, struct err *e)
{
	struct names l;
	struct pick p;
	struct str device = query_device(ctx, q);
	if (not_offered(ctx, q, pinned, &p))
		return say_not_offered(q, &p, e);
	if (!some_case(ctx, q, pinned, any_name))
		return no_device(ctx, q, e);
	if (!some_case(ctx, q, pinned, family_matches)) {
		l = names_of(ctx, q, pinned, false, any_name);
		return err_at(e, query_where(q, q->family),
		              "no family '" STR_FMT "' is measured on " STR_FMT
		              ", expected one of %s",
		              STR_ARG(q->family), STR_ARG(device), join(&l, q->family, ctx->arena));
	}
	if (!some_case(ctx, q, pinned, query_names_match)) {
		l = names_of(ctx, q, pinned, true, family_matches);
		return err_at(e, query_where(q, q->variant),
		              "family '" STR_FMT "' has no variant '" STR_FMT
		              "' measured on " STR_FMT ", expected one of %s",
		              STR_ARG(q->family), STR_ARG(q->variant), STR_ARG(device),
		              join(&l, q->variant, ctx->arena));
	}
	if (!explain_conditions(ctx, q, pinned, e))
		return false;
	return err_at(e, query_where(q, NOT_GIVEN),
	              "no case matches all conditions of '" STR_FMT "'; nearest: %s",
	              STR_ARG(q->text), nearest_cases(ctx, q, pinned));
}

/* --- runs --- */

/* The newest run of a device that publishes something. */
static const struct data_run *newest_run(const struct expand_ctx *ctx, struct query *q,
                                         struct err *e)
{
	struct str device = query_device(ctx, q);
	for (size_t i = 0; i < ctx->data->nruns; i++) {
		const struct data_run *r = &ctx->data->runs[i];
		if (str_is(device, r->run.head.device) && !r->why_none)
			return r;
	}
	no_device(ctx, q, e);
	return NULL;
}

static void no_run(const struct expand_ctx *ctx, const struct placeholder *p, struct str id,
                   struct err *e)
{
	struct names l = {.n = 0};
	for (size_t i = 0; i < ctx->data->nruns; i++)
		add_name(&l, ctx->data->runs[i].run.head.id);
	err_at(e, placeholder_loc(p, id), "no run '" STR_FMT "', expected one of %s", STR_ARG(id),
	       join(&l, id, ctx->arena));
}

const struct data_run *query_run(const struct expand_ctx *ctx, const struct placeholder *p,
                                 struct str id, struct str device, struct err *e)
{
	const struct data_run *found = NULL;
	struct query q = {.p = p, .text = p->kind, .device = device};
	if (!id.p)
		return newest_run(ctx, &q, e);
	for (size_t i = 0; i < ctx->data->nruns; i++) {
		const struct data_run *r = &ctx->data->runs[i];
		if (r->run.head.id == id.p) /* query_beside() names a run by its own id */
			return r;
		if (!str_begins(str_of(r->run.head.id), id))
			continue;
		if (found) {
			err_at(e, placeholder_loc(p, id), "run '" STR_FMT "' is ambiguous: %s, %s",
			       STR_ARG(id), found->run.head.id, r->run.head.id);
			return NULL;
		}
		found = r;
	}
	if (!found)
		no_run(ctx, p, id, e);
	return found;
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
	return sb_take(ctx->arena, &text);
}

bool query_ambiguous(const struct expand_ctx *ctx, const struct query *q, const struct pick *picks,
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
		return err_at(e, query_where(q, NOT_GIVEN),
		              "'" STR_FMT "' matches %zu variants where one is needed: %s",
		              STR_ARG(q->text), variants.n, join(&variants, NOT_GIVEN, ctx->arena));
	return err_at(e, query_where(q, NOT_GIVEN),
	              "'" STR_FMT "' matches %zu cases where one is needed; say %s: %s%s",
	              STR_ARG(q->text), n, query_differs(ctx, picks, n),
	              join(&ids, NOT_GIVEN, ctx->arena), n > SHOWN ? ", …" : "");
}
