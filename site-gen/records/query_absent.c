#include "site-gen/records/query_absent.h"

#include <stdlib.h>
#include <string.h>

#include "site-gen/records/query_inner.h"

struct absents {
	struct query_absent *all;
	size_t n, cap;
};

/* --- names that nobody has --------------------------------------------------------- */

static bool is_known(const struct expand_ctx *ctx, const char *family, struct str variant)
{
	for (size_t i = 0; i < ctx->data->nruns; i++) {
		const struct run *r = &ctx->data->runs[i].run;
		for (size_t k = 0; k < r->ncases; k++)
			if (strcmp(r->cases[k].family, family) == 0 &&
			    str_glob(variant, str_of(r->cases[k].variant)))
				return true;
	}
	return false;
}

/* Of the list {a,b}: each name is that of a variant. */
static bool check_names(const struct expand_ctx *ctx, const struct query *q, const char *family,
                        struct err *e)
{
	struct str list = q->variant, name;
	if (list.n < 2 || list.p[0] != '{' || list.p[list.n - 1] != '}')
		return true;
	list = str_sub(list, 1, list.n - 1);
	for (bool more = true; more;) {
		more = str_cut(list, ',', &name, &list);
		if (!is_known(ctx, family, name))
			return err_at(e, query_where(q, name),
			              "family '%s' has no variant '" STR_FMT
			              "' in any run, expected one that was measured",
			              family, STR_ARG(name));
	}
	return true;
}

/* --- variants without a case ------------------------------------------------------- */

static bool has_variant(const struct pick *picks, size_t n, const char *variant)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(picks[i].d->c->variant, variant) == 0)
			return true;
	return false;
}

static bool is_step(const struct query *q, const struct run_case *c)
{
	return q->role.p ? str_is(q->role, c->role)
	                 : strcmp(c->role, "kernel") == 0 || strcmp(c->role, "peer") == 0;
}

/* A variant that this device measured with other values is not called one of another device. */
static void add(struct absents *all, const struct run_case *c, enum query_absence why,
                struct arena *a)
{
	for (size_t i = 0; i < all->n; i++)
		if (strcmp(all->all[i].c->variant, c->variant) == 0) {
			if (why < all->all[i].why)
				all->all[i].why = why;
			return;
		}
	all->all = arena_grow(a, all->all, all->n, &all->cap, sizeof *all->all);
	all->all[all->n++] = (struct query_absent){c, why};
}

static int by_rank(const void *a, const void *b)
{
	const struct run_case *x = ((const struct query_absent *)a)->c;
	const struct run_case *y = ((const struct query_absent *)b)->c;
	int order = (x->rank > y->rank) - (x->rank < y->rank);
	return order ? order : strcmp(x->variant, y->variant);
}

bool query_absent(const struct expand_ctx *ctx, const struct query *q, const struct pick *picks,
                  size_t n, struct query_absent **out, size_t *count, struct err *e)
{
	const char *family = picks[0].d->c->family;
	struct absents all = {0};
	if (!check_names(ctx, q, family, e))
		return false;
	for (size_t i = 0; i < ctx->data->nruns; i++) {
		const struct data_run *r = &ctx->data->runs[i];
		enum query_absence why = q->run.p                          ? QUERY_OTHER_RUN
		                         : query_in_scope(ctx, q, NULL, r) ? QUERY_OTHER_INPUTS
		                                                           : QUERY_OTHER_DEVICE;
		for (size_t k = 0; !r->why_none && k < r->run.ncases; k++) {
			const struct run_case *c = &r->run.cases[k];
			if (strcmp(c->family, family) == 0 && query_names_match(q, c) &&
			    is_step(q, c) && !has_variant(picks, n, c->variant))
				add(&all, c, why, ctx->arena);
		}
	}
	if (all.n > 0)
		qsort(all.all, all.n, sizeof *all.all, by_rank);
	*out = all.all;
	*count = all.n;
	return true;
}
