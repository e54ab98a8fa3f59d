#include "site-gen/site/unmarked.h"

#include <string.h>

#include "lib/array.h"
#include "site-gen/base/rules.h"

/* The case's worst state that a title may not show, or DATA_OK. */
static enum data_state mark_of(const struct data_case *k)
{
	static const enum data_state marks[] = {DATA_WITHDRAWN, DATA_FOREIGN,  DATA_PROGRAM,
	                                        DATA_STALE,     DATA_UNSTEADY, DATA_SUPERSEDED};
	if (!k || k->why[DATA_PREVIEW])
		return DATA_OK;
	for (size_t i = 0; i < ARRAY_LEN(marks); i++)
		if (k->why[marks[i]])
			return marks[i];
	return DATA_OK;
}

/* The first of the number's one or two cases that has a mark, or NULL; over cards, the worst. */
static const struct pick *marked_pick(const struct number *n)
{
	if (n->cards && n->worst.d->state > DATA_SUPERSEDED && mark_of(n->worst.d) != DATA_OK)
		return &n->worst;
	return mark_of(n->pick.d) != DATA_OK   ? &n->pick
	       : mark_of(n->over.d) != DATA_OK ? &n->over
	                                       : NULL;
}

/* Does a run have a number of case `id` without a mark? */
static bool has_unmarked(const struct data_run *r, const char *id)
{
	const struct run_case *c = r->why_none ? NULL : data_run_case(r, id);
	const struct data_case *k = c ? data_case_of(r, c) : NULL;
	return k && data_case_offered(k) && mark_of(k) == DATA_OK;
}

/* The newest run of the device with the number, and its other case, without a mark. */
static const struct data_run *better_run(const struct data *d, const struct number *n)
{
	bool together = n->over.d && n->over.run == n->pick.run;
	if (n->over.d && !together && mark_of(n->over.d) != DATA_OK)
		return NULL;
	for (size_t i = 0; i < d->nruns; i++) {
		const struct data_run *r = &d->runs[i];
		if (strcmp(r->run.head.device, n->pick.run->run.head.device) == 0 &&
		    has_unmarked(r, n->pick.d->c->id) &&
		    (!together || has_unmarked(r, n->over.d->c->id)))
			return r;
	}
	return NULL;
}

static const char *advice(const struct expand_ctx *ctx, const struct number *n)
{
	const struct data_run *r = better_run(ctx->data, n);
	if (r)
		return arena_printf(ctx->arena,
		                    "that of run %s has none, so leave out run=", r->run.head.id);
	return n->over.d
	               ? "no run has both cases without one, so measure them again in one run, or "
	                 "show another number"
	               : "no run has one, so measure the case again, or show another number";
}

static void check_quote(const struct expand_ctx *ctx, const struct quote *q, const char *what,
                        struct problems *to)
{
	const struct pick *p = marked_pick(&q->n);
	if (!p)
		return;
	enum data_state s = mark_of(p->d);
	problems_rule(
	        to, RULE_UNMARKED, q->at,
	        "%s shows %s, and '%s' of run %s is %s: %s. Expected a number without a mark: %s",
	        what, q->text, p->d->c->id, p->run->run.head.id, data_state_name(s), p->d->why[s],
	        advice(ctx, &q->n));
}

static void check_derivation(const struct fact *f, const char *what, struct problems *to)
{
	enum data_state s = f->worst.d ? mark_of(f->worst.d) : DATA_OK;
	if (s != DATA_OK)
		problems_rule(to, RULE_UNMARKED, f->at,
		              "%s shows %s, computed from '%s' of run %s, which is %s: %s. "
		              "Expected a number without a mark",
		              what, f->text, f->worst.d->c->id, f->worst.run->run.head.id,
		              data_state_name(s), f->worst.d->why[s]);
}

void unmarked_check(const struct expand_ctx *ctx, const struct quote *quotes,
                    const struct fact *facts, const char *what, struct problems *to)
{
	for (const struct quote *q = ctx->quotes; q != quotes; q = q->next)
		check_quote(ctx, q, what, to);
	for (const struct fact *f = ctx->facts; f != facts; f = f->next) {
		check_derivation(f, what, to);
		if (f->not_of.d)
			problems_rule(
			        to, RULE_UNMARKED, f->at,
			        "%s shows %s, a counter of another build than what run %s "
			        "measured. Expected a number without a mark: profile '%s' again, "
			        "or show another number",
			        what, f->text, f->not_of.run->run.head.id, f->not_of.d->c->id);
	}
}

bool unmarked_figure_breaks(const struct quote *quotes, int figure)
{
	for (const struct quote *q = quotes; q; q = q->next)
		if (q->figure == figure && marked_pick(&q->n))
			return true;
	return false;
}
