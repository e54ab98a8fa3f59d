#include "site-gen/audit/trust.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/selftest.h"
#include "lib/ways.h"
#include "site-gen/audit/number.h"
#include "site-gen/records/launches.h"

static const struct data_run *run_called(const struct data *d, struct str id)
{
	for (size_t i = 0; i < d->nruns; i++)
		if (str_is(id, d->runs[i].run.head.id) && !d->runs[i].why_none)
			return &d->runs[i];
	return NULL;
}

static double percent(size_t of, size_t all)
{
	return all ? 100 * (double)of / (double)all : 0;
}

/* --- selftest ------------------------------------------------------------------------- */

static double holding(const struct run *r, int64_t pad, struct arena *a)
{
	struct selftest_pair *p;
	size_t n = selftest_pairs(r, pad, a, &p), in = 0;
	for (size_t i = 0; i < n; i++)
		in += p[i].ratio.lo * 1000 <= (double)(1000 + pad) &&
		      p[i].ratio.hi * 1000 >= (double)(1000 + pad);
	return percent(in, n);
}

bool audit_selftest(struct audit *a, struct str rest, double *value)
{
	struct str id, pad, what;
	int64_t n;
	if (!str_cut(rest, ' ', &id, &rest) || !str_cut(rest, ' ', &pad, &what) ||
	    !str_i64(pad, &n))
		return false;
	const struct data_run *r = run_called(a->data, id);
	if (!r)
		return false;
	struct selftest_tally t = selftest_judge(launches_of(r), n, &a->records.scratch);
	if (str_is(what, "covered"))
		*value = holding(launches_of(r), n, &a->records.scratch);
	else if (str_is(what, "exchanged") && n == 0)
		*value = 100 * selftest_exchanged(launches_of(r), &a->records.scratch);
	else if (str_is(what, "width"))
		*value = 100 * t.halfwidth;
	else if (str_is(what, "interval"))
		*value = percent(t.found, t.pairs);
	else if (str_is(what, "verdict"))
		*value = percent(t.different, t.pairs);
	else if (str_is(what, "nvbench"))
		*value = percent(t.nvbench, t.processes);
	else if (str_is(what, "mann-whitney"))
		*value = percent(t.mann_whitney, t.processes);
	else
		return false;
	return true;
}

/* --- null controls -------------------------------------------------------------------- */

bool audit_null(struct audit *a, struct str rest, double *value)
{
	struct str id, name, end;
	if (!str_cut(rest, ' ', &id, &rest))
		return false;
	bool ends = str_cut(rest, ' ', &name, &end);
	const struct data_run *r = run_called(a->data, id);
	for (size_t i = 0; r && i < r->run.nnulls; i++) {
		const struct run_case *null = &r->run.nulls[i], *of = record_null_of(&r->run, null);
		double *x, *y;
		if (!str_is(name, null->id) || !of)
			continue;
		size_t n = record_pairs(launches_of(r), null, of, &a->records.scratch, &x, &y);
		if (n < 2)
			return false;
		struct stats_summary s = stats_paired_ratio(x, y, n);
		*value = 100 * ((!ends ? s.typical : str_is(end, "low") ? s.lo : s.hi) - 1);
		return true;
	}
	return false;
}

/* --- from run to run ------------------------------------------------------------------- */

struct moves {
	double *moved, *within;
	size_t n, outside;
};

/* The same choice of a library, where both runs name one. */
static bool same_choice(const struct run_build *a, const struct run_build *b)
{
	return a->choice.n == 0 || b->choice.n == 0 || record_choice_same(&a->choice, &b->choice);
}

static void add_moves(struct audit *a, const struct data_number *n, struct moves *m)
{
	for (size_t i = 1; i < n->nruns; i++) {
		const struct audit_case *then = audit_case_of(&a->records, n->runs[i], n->in[i]);
		const struct audit_case *now =
		        audit_case_of(&a->records, n->runs[i - 1], n->in[i - 1]);
		bool taken = n->in[i]->why[DATA_WITHDRAWN] || n->in[i - 1]->why[DATA_WITHDRAWN];
		if (!now->has || !then->has || taken || now->time.launches < 2 ||
		    then->time.launches < 2 || !audit_same_code(now->d->c, then->d->c) ||
		    !same_choice(&now->d->c->build, &then->d->c->build))
			continue;
		struct stats_summary s = stats_unpaired_ratio(now->medians, now->time.launches,
		                                              then->medians, then->time.launches);
		m->moved[m->n] = fabs(log(s.typical));
		m->within[m->n++] = stats_halfwidth(&now->time);
		m->outside += s.lo > 1 || s.hi < 1;
	}
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

bool audit_spread(struct audit *a, struct str rest, double *value)
{
	struct str device, family, what;
	const struct data *d = a->data;
	size_t most = 0;
	if (!str_cut(rest, ' ', &device, &rest) || !str_cut(rest, ' ', &family, &what))
		return false;
	for (size_t i = 0; i < d->nnumbers; i++)
		most += d->numbers[i].nruns;
	struct moves m = {ARENA_ARRAY(&a->records.scratch, double, most + 1),
	                  ARENA_ARRAY(&a->records.scratch, double, most + 1), 0, 0};
	for (size_t i = 0; i < d->nnumbers; i++) {
		const char *of = d->numbers[i].in[0]->c->family;
		bool all = str_is(family, "*") && !data_is_apart(of);
		if (str_is(device, d->numbers[i].device) && (all || str_is(family, of)))
			add_moves(a, &d->numbers[i], &m);
	}
	if (!m.n)
		return false;
	qsort(m.moved, m.n, sizeof *m.moved, by_value);
	if (str_is(what, "median"))
		*value = 100 * stats_median(m.moved, m.n);
	else if (str_is(what, "p90"))
		*value = 100 * m.moved[(m.n - 1) * 9 / 10];
	else if (str_is(what, "within"))
		*value = 100 * stats_median(m.within, m.n);
	else if (str_is(what, "outside"))
		*value = percent(m.outside, m.n);
	else
		return false;
	return true;
}

/* --- from card to card ------------------------------------------------------------------ */

struct cards {
	double *sd;
	size_t n, pairs, alarms, called;
};

static void add_pairs(const struct audit_cards *cards, struct cards *to)
{
	const double band = 1 + STATS_BAND_PERCENT / 100.0;
	for (size_t k = 1; k < cards->n; k++)
		for (size_t i = 0; i < k; i++) {
			const struct audit_case *x = cards->of[i], *y = cards->of[k];
			if (x->time.launches < 2 || y->time.launches < 2)
				continue;
			struct stats_summary s = stats_unpaired_ratio(x->medians, x->time.launches,
			                                              y->medians, y->time.launches);
			bool alarm = s.lo > 1 || s.hi < 1;
			to->pairs++;
			to->alarms += alarm;
			to->called += alarm && (s.lo < 1 / band || s.hi > band);
		}
}

/* Adds the case whose newest number several cards have, if it is one. */
static void add_cards(struct audit *a, const struct data_number *n, struct cards *to)
{
	for (size_t i = 0; i < n->nruns; i++) {
		const struct audit_case *c = audit_case_of(&a->records, n->runs[i], n->in[i]);
		if (!c->has || n->in[i]->why[DATA_WITHDRAWN])
			continue;
		struct audit_cards cards = audit_cards_of(&a->records, c);
		double mean = 0, squares = 0;
		for (size_t k = 0; k < cards.n; k++)
			mean += log(cards.of[k]->time.typical) / (double)cards.n;
		for (size_t k = 0; k < cards.n; k++)
			squares += pow(log(cards.of[k]->time.typical) - mean, 2);
		if (cards.n > 1)
			to->sd[to->n++] = sqrt(squares / (double)(cards.n - 1));
		add_pairs(&cards, to);
		return;
	}
}

/* "median" or "p90" of n shares, in per cent; sorts them. False: `what` is neither. */
static bool median_or_p90(double *x, size_t n, struct str what, double *value)
{
	qsort(x, n, sizeof *x, by_value);
	if (str_is(what, "median"))
		*value = 100 * stats_median(x, n);
	else if (str_is(what, "p90"))
		*value = 100 * x[(n - 1) * 9 / 10];
	else
		return false;
	return true;
}

bool audit_card(struct audit *a, struct str rest, double *value)
{
	struct str device, family, what;
	const struct data *d = a->data;
	struct cards t = {.sd = ARENA_ARRAY(&a->records.scratch, double, d->nnumbers + 1)};
	if (!str_cut(rest, ' ', &device, &rest) || !str_cut(rest, ' ', &family, &what))
		return false;
	for (size_t i = 0; i < d->nnumbers; i++) {
		const char *of = d->numbers[i].in[0]->c->family;
		bool all = str_is(family, "*") && !data_is_apart(of);
		if (str_is(device, d->numbers[i].device) && (all || str_is(family, of)))
			add_cards(a, &d->numbers[i], &t);
	}
	if (!t.n)
		return false;
	if (median_or_p90(t.sd, t.n, what, value))
		return true;
	if (str_is(what, "alarms"))
		*value = percent(t.alarms, t.pairs);
	else if (str_is(what, "verdict"))
		*value = percent(t.called, t.pairs);
	else
		return false;
	return true;
}

/* --- widths of intervals ---------------------------------------------------------------- */

struct widths {
	double *half;
	size_t n, reached, quick;
};

/* Microseconds of warm-up and sampling in all processes of a case. */
static int64_t busy_us(const struct run *r, const struct run_case *c)
{
	int64_t us = 0;
	for (const struct run_launch *l = r->launches; l < r->launches + r->nlaunches; l++)
		us += l->of == c ? l->spent_us[RUN_SAMPLES] + l->spent_us[RUN_WARM_UP] : 0;
	return us;
}

static bool timed_by_device(const struct run_case *c)
{
	for (size_t i = 0; i < c->nparams; i++)
		for (int k = 0; k < WAYS_COUNT; k++)
			if (ways_keys[k].other_time &&
			    strcmp(c->param[i].name, ways_keys[k].name) == 0)
				return false;
	return true;
}

/* Adds the newest number of a case that was not withdrawn. */
static void add_width(struct audit *a, const struct data_number *n, struct widths *w)
{
	for (size_t i = 0; i < n->nruns; i++) {
		const struct audit_case *c = audit_case_of(&a->records, n->runs[i], n->in[i]);
		if (!c->has || n->in[i]->why[DATA_WITHDRAWN])
			continue;
		double half = stats_halfwidth(&c->time);
		if (c->time.launches < 2 || c->time.typical > 1e-3 || !timed_by_device(c->d->c))
			return;
		w->half[w->n++] = half;
		w->reached += half <= 0.0025;
		w->quick += busy_us(launches_of(n->runs[i]), c->d->c) <= 1000000;
		return;
	}
}

bool audit_width(struct audit *a, struct str rest, double *value)
{
	struct str device, family, what;
	const struct data *d = a->data;
	struct widths w = {ARENA_ARRAY(&a->records.scratch, double, d->nnumbers + 1), 0, 0, 0};
	if (!str_cut(rest, ' ', &device, &rest) || !str_cut(rest, ' ', &family, &what))
		return false;
	for (size_t i = 0; i < d->nnumbers; i++) {
		const char *of = d->numbers[i].in[0]->c->family;
		bool all = str_is(family, "*") && !data_is_apart(of);
		if (str_is(device, d->numbers[i].device) && (all || str_is(family, of)))
			add_width(a, &d->numbers[i], &w);
	}
	if (!w.n)
		return false;
	if (median_or_p90(w.half, w.n, what, value))
		return true;
	if (str_is(what, "reached"))
		*value = percent(w.reached, w.n);
	else if (str_is(what, "quick"))
		*value = percent(w.quick, w.n);
	else
		return false;
	return true;
}
