#include "site-gen/numbers/trust.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/ways.h"
#include "site-gen/numbers/counters.h"
#include "site-gen/records/launches.h"

const struct data_run *trust_selftest(const struct data *d, const char *device)
{
	const struct data_run *any = NULL;
	for (size_t i = 0; i < d->nruns; i++) {
		const struct data_run *r = &d->runs[i];
		if (r->why_none || !selftest_is(&r->run))
			continue;
		if (strcmp(r->run.head.device, device) == 0)
			return r;
		any = any ? any : r;
	}
	return any;
}

/* --- null controls -------------------------------------------------------------------- */

static size_t nulls_of(const struct data_run *r, struct arena *a, struct trust_null *out)
{
	const struct run *run = r->run.nnulls ? launches_of(r) : &r->run;
	size_t n = 0;
	for (size_t i = 0; i < run->nnulls; i++) {
		const struct run_case *null = &run->nulls[i], *of = record_null_of(run, null);
		double *x, *y;
		size_t pairs = of ? record_pairs(run, null, of, a, &x, &y) : 0;
		if (pairs >= 2)
			out[n++] = (struct trust_null){
			        r, null, of, stats_compare(x, y, pairs, stats_band(NULL, 0)).ratio};
	}
	return n;
}

size_t trust_nulls(const struct data *d, const char *device, size_t runs, struct arena *a,
                   struct trust_null **out)
{
	size_t most = 0, n = 0;
	for (size_t i = 0; i < d->nruns; i++)
		most += d->runs[i].run.nnulls;
	*out = ARENA_ARRAY(a, struct trust_null, most + 1);
	for (size_t i = 0; i < d->nruns && runs > 0; i++) {
		const struct data_run *r = &d->runs[i];
		if (r->why_none || strcmp(r->run.head.device, device) != 0 || selftest_is(&r->run))
			continue;
		size_t more = nulls_of(r, a, *out + n);
		n += more;
		runs -= more > 0;
	}
	return n;
}

/* --- from run to run ------------------------------------------------------------------- */

struct change {
	const char *family;
	double moved, within;
	bool outside;
};

static bool same_code(const struct run_case *a, const struct run_case *b)
{
	const struct counters k = {.of = a};
	return counters_same_code(&k, b);
}

/* The changes of a case between consecutive runs that measured the same code. */
static size_t changes_of(const struct data_number *n, struct change *out)
{
	size_t count = 0;
	for (size_t i = 0; i + 1 < n->nruns; i++) {
		const struct data_case *now = n->in[i], *then = n->in[i + 1];
		if (!data_case_offered(now) || !data_case_offered(then) || now->time.launches < 2 ||
		    then->time.launches < 2 || !same_code(now->c, then->c))
			continue;
		struct stats_comparison c =
		        stats_compare_unpaired(now->medians, now->time.launches, then->medians,
		                               then->time.launches, stats_band(NULL, 0));
		out[count++] = (struct change){.family = now->c->family,
		                               .moved = fabs(log(c.ratio.typical)),
		                               .within = stats_halfwidth(&now->time),
		                               .outside = c.ratio.lo > 1 || c.ratio.hi < 1};
	}
	return count;
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static struct trust_spread spread_of(const struct change *c, size_t n, const char *family,
                                     struct arena *a)
{
	struct trust_spread s = {.family = family};
	double *moved = ARENA_ARRAY(a, double, n + 1), *within = ARENA_ARRAY(a, double, n + 1);
	for (size_t i = 0; i < n; i++) {
		if (family && strcmp(c[i].family, family) != 0)
			continue;
		moved[s.cases] = c[i].moved;
		within[s.cases++] = c[i].within;
		s.outside += c[i].outside;
	}
	if (!s.cases)
		return s;
	qsort(moved, s.cases, sizeof *moved, by_value);
	s.median = stats_median(moved, s.cases);
	s.p90 = moved[(s.cases - 1) * 9 / 10];
	s.within = stats_median(within, s.cases);
	return s;
}

size_t trust_spreads(const struct data *d, const char *device, struct arena *a,
                     struct trust_spread **out)
{
	const struct data_families *f = &d->families;
	size_t most = 0, n = 0, count = 0;
	for (size_t i = 0; i < d->nnumbers; i++)
		most += d->numbers[i].nruns;
	struct change *c = ARENA_ARRAY(a, struct change, most + 1);
	for (size_t i = 0; i < d->nnumbers; i++)
		if (strcmp(d->numbers[i].device, device) == 0 &&
		    !data_is_apart(d->numbers[i].in[0]->c->family))
			n += changes_of(&d->numbers[i], c + n);
	*out = ARENA_ARRAY(a, struct trust_spread, f->n + 1);
	for (size_t i = 0; n > 0 && i <= f->n; i++) {
		struct trust_spread s = spread_of(c, n, i ? f->all[i - 1].id : NULL, a);
		if (s.cases)
			(*out)[count++] = s;
	}
	return count;
}

/* --- from card to card ------------------------------------------------------------------ */

struct between {
	const char *family, *run;
	double sd;
	size_t pairs, alarms, different;
};

/* Compares the runs of each two cards by their processes. */
static void compare_cards(const struct data_number *n, struct between *b)
{
	for (size_t i = 0; i < n->ncards; i++)
		for (size_t k = i + 1; k < n->ncards; k++) {
			const struct data_case *x = number_card(n, i).d, *y = number_card(n, k).d;
			if (x->time.launches < 2 || y->time.launches < 2)
				continue;
			struct stats_comparison c =
			        stats_compare_unpaired(x->medians, x->time.launches, y->medians,
			                               y->time.launches, stats_band(NULL, 0));
			b->pairs++;
			b->alarms += c.ratio.lo > 1 || c.ratio.hi < 1;
			b->different += c.verdict == STATS_FASTER || c.verdict == STATS_SLOWER;
		}
}

static struct between between_of(const struct data_number *n, struct arena *a)
{
	double *t = ARENA_ARRAY(a, double, n->ncards);
	size_t *card = ARENA_ARRAY(a, size_t, n->ncards);
	for (size_t i = 0; i < n->ncards; i++) {
		t[i] = number_card(n, i).d->time.typical;
		card[i] = i;
	}
	struct between b = {.family = n->in[n->newest]->c->family,
	                    .run = n->runs[n->newest]->run.head.id,
	                    .sd = stats_over_nodes(t, card, n->ncards).between_sd};
	compare_cards(n, &b);
	return b;
}

static struct trust_cards cards_over(const struct between *b, size_t n, const char *family,
                                     struct arena *a)
{
	struct trust_cards t = {.family = family};
	double *sd = ARENA_ARRAY(a, double, n + 1);
	for (size_t i = 0; i < n; i++) {
		if (family && strcmp(b[i].family, family) != 0)
			continue;
		sd[t.cases++] = b[i].sd;
		t.pairs += b[i].pairs;
		t.alarms += b[i].alarms;
		t.different += b[i].different;
		if (!t.run || strcmp(b[i].run, t.run) > 0)
			t.run = b[i].run;
	}
	if (!t.cases)
		return t;
	t.median = stats_median(sd, t.cases); /* sorts `sd` */
	t.p90 = sd[(t.cases - 1) * 9 / 10];
	return t;
}

size_t trust_cards(const struct data *d, const char *device, struct arena *a,
                   struct trust_cards **out)
{
	const struct data_families *f = &d->families;
	size_t n = 0, count = 0;
	struct between *b = ARENA_ARRAY(a, struct between, d->nnumbers + 1);
	for (size_t i = 0; i < d->nnumbers; i++)
		if (strcmp(d->numbers[i].device, device) == 0 && d->numbers[i].ncards > 1 &&
		    !data_is_apart(d->numbers[i].in[0]->c->family))
			b[n++] = between_of(&d->numbers[i], a);
	*out = ARENA_ARRAY(a, struct trust_cards, f->n + 1);
	for (size_t i = 0; n > 0 && i <= f->n; i++) {
		struct trust_cards t = cards_over(b, n, i ? f->all[i - 1].id : NULL, a);
		if (t.cases)
			(*out)[count++] = t;
	}
	return count;
}

/* --- how well cases are known ----------------------------------------------------------- */

/*
 * The goal: the relative half-width of an interval, and the seconds of the device, warm-up and
 * samples of all processes, that it may take.
 */
static const double good_halfwidth = 0.0025, good_seconds = 1;

struct width {
	const char *family, *run;
	double half, seconds;
};

/* The width of a case's newest number. False: the case is not one of those (trust.h). */
static bool width_of(const struct data_number *n, struct width *out)
{
	size_t i = 0;
	while (i < n->nruns && !data_case_offered(n->in[i]))
		i++;
	if (i == n->nruns)
		return false;
	const struct data_case *k = n->in[i];
	if (ways_other_time(k->c) || k->time.launches < 2 || k->time.typical > 1e-3)
		return false;
	*out = (struct width){k->c->family, n->runs[i]->run.head.id, stats_halfwidth(&k->time),
	                      k->busy_s};
	return true;
}

static struct trust_width width_over(const struct width *w, size_t n, const char *family,
                                     struct arena *a)
{
	struct trust_width t = {.family = family};
	double *half = ARENA_ARRAY(a, double, n + 1);
	for (size_t i = 0; i < n; i++) {
		if (family && strcmp(w[i].family, family) != 0)
			continue;
		half[t.cases++] = w[i].half;
		t.reached += w[i].half <= good_halfwidth;
		t.quick += w[i].seconds <= good_seconds;
		if (!t.run || strcmp(w[i].run, t.run) > 0)
			t.run = w[i].run;
	}
	if (!t.cases)
		return t;
	t.median = stats_median(half, t.cases); /* sorts `half` */
	t.p90 = half[(t.cases - 1) * 9 / 10];
	return t;
}

size_t trust_widths(const struct data *d, const char *device, struct arena *a,
                    struct trust_width **out)
{
	const struct data_families *f = &d->families;
	size_t n = 0, count = 0;
	struct width *w = ARENA_ARRAY(a, struct width, d->nnumbers + 1);
	for (size_t i = 0; i < d->nnumbers; i++)
		n += strcmp(d->numbers[i].device, device) == 0 &&
		     !data_is_apart(d->numbers[i].in[0]->c->family) &&
		     width_of(&d->numbers[i], &w[n]);
	*out = ARENA_ARRAY(a, struct trust_width, f->n + 1);
	for (size_t i = 0; n > 0 && i <= f->n; i++) {
		struct trust_width t = width_over(w, n, i ? f->all[i - 1].id : NULL, a);
		if (t.cases)
			(*out)[count++] = t;
	}
	return count;
}
