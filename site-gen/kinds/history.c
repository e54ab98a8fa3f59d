/*
 * history: a metric over all runs of some cases. figure.bench.history has a row
 * for each case, with its newest number and svg.draw (pages/number_draw.h). A
 * dashed line marks a change of driver, compiler or source. A step is a shift in
 * the level of the medians without such a change (stats_steps()).
 */
#include <string.h>

#include "site-gen/base/html.h"
#include "site-gen/numbers/case.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/tables.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/plot/draw.h"
#include "site-gen/records/what_changed.h"

enum { MOST_CASES = 12 };

/* The runs of a number, oldest first. */
static struct draw_run *runs_of(const struct data_number *n, enum metric m, struct arena *a)
{
	struct draw_run *r = ARENA_ARRAY(a, struct draw_run, n->nruns + 1);
	size_t before = n->nruns;
	for (size_t i = 0; i < n->nruns; i++) {
		size_t k = n->nruns - 1 - i; /* n->runs has the newest first */
		struct pick p = {n->runs[k], n->in[k]};
		struct number x;
		r[i].label = case_date(&p.run->run, a);
		r[i].has = number_of(&p, m, &x);
		if (!r[i].has)
			continue;
		r[i].value = x.value;
		r[i].lo = x.lo;
		r[i].hi = x.hi;
		r[i].marked = data_state_marked(p.d->state) && p.d->state != DATA_SUPERSEDED;
		if (before < n->nruns)
			r[i].change =
			        what_changed(&p, &(struct pick){n->runs[before], n->in[before]}, a);
		before = k;
	}
	return r;
}

/* Marks shifts of the level that no known change explains. */
static void mark_steps(struct draw_run *r, size_t n, struct arena *a)
{
	double *y = ARENA_ARRAY(a, double, n + 1);
	size_t *at = ARENA_ARRAY(a, size_t, n + 1), *first = ARENA_ARRAY(a, size_t, n + 1),
	       used = 0;
	for (size_t i = 0; i < n; i++)
		if (r[i].has && r[i].value > 0) {
			at[used] = i;
			y[used++] = r[i].value;
		}
	size_t stretches = used ? stats_steps(y, used, first) : 0;
	for (size_t s = 1; s < stretches; s++)
		if (!r[at[first[s]]].change)
			r[at[first[s]]].change = "step";
}

static bool row(struct kind_call *k, const struct pick *p, enum metric m, struct err *e)
{
	struct arena *a = k->ctx->arena;
	const struct data_number *n = data_number_at(k->ctx->data, str_of(p->d->url));
	struct number v;
	if (!number_of(p, m, &v))
		return err_at(e, k->p->at, "%s has no %s", p->d->c->id, metric_info(m)->name);
	struct draw_run *r = runs_of(n, m, a);
	mark_steps(r, n->nruns, a);
	html_raw(k->to, "<tr><th scope=\"row\">");
	table_variant(p->d->c, k->ctx->words, k->to);
	html_raw(k->to, " ");
	html_text(k->to, str_of(case_words(k->ctx->words, p->d->c, a)));
	html_raw(k->to, "</th><td class=\"right\">");
	number_link(k->ctx, &v, "", NULL, k->to);
	number_interval(&v, k->to);
	html_raw(k->to, "</td><td class=\"history-draw\">");
	draw_history(r, n->nruns, v.si, a, k->to);
	html_raw(k->to, "</td></tr>\n");
	return true;
}

bool kind_history(struct kind_call *k, struct err *e)
{
	struct pick *picks;
	size_t n;
	enum metric m;
	static const char *const own[] = {"metric", NULL};
	if (!kind_picks(k, own, &picks, &n, e) || !kind_metric(k, &picks[0], &m, e))
		return false;
	if (n > MOST_CASES)
		return err_at(e, k->p->at,
		              "%zu cases are too many to draw, expected at most %d; %s", n,
		              MOST_CASES, query_differs(k->ctx, picks, n));
	block_open(k, block_caption(k, picks, n, metric_info(m)->title));
	table_open(k->to, "");
	html_raw(k->to, "<tbody>\n");
	bool ok = true;
	for (size_t i = 0; ok && i < n; i++)
		ok = row(k, &picks[i], m, e);
	html_raw(k->to, "</tbody>");
	table_close(k->to);
	block_close(k);
	return ok;
}
