/* Values, ratios and shares: the arithmetic of published numbers. */
#include "site-gen/numbers/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/record_foreign.h"

/* --- values --- */

/*
 * One value for each process of d: the time of a call, or the reading of the GPU's
 * counter. NULL if a process did not read it. The caller frees the array.
 */
static double *launch_values(const struct data_case *d, enum metric m)
{
	size_t n = d->time.launches;
	double *v = calloc(n + 1, sizeof *v);
	if (!v)
		abort();
	bool all = true;
	for (size_t i = 0; i < n; i++) {
		v[i] = d->medians[i];
		if (metric_is_read(m))
			all = all &&
			      metric_of_launch(m, d->c, &d->reading[i], d->medians[i], &v[i]);
	}
	if (all && n > 0)
		return v;
	free(v);
	return NULL;
}

/* The largest resolution step of the processes' counters, relative to their readings. */
static double step_of(const struct data_case *d, enum metric m)
{
	double most = 0;
	for (size_t i = 0; metric_is_read(m) && i < d->time.launches; i++)
		most = fmax(most, metric_step(m, &d->reading[i]));
	return most;
}

/* Widens the interval to the counter's step: no reading is better known. */
static void widen(struct stats_summary *s, double step)
{
	s->lo = fmin(s->lo, s->typical * exp(-step));
	s->hi = fmax(s->hi, s->typical * exp(step));
}

/* Summarizes the time, or the counter readings, over the processes. False: not read. */
static bool summary_of(const struct data_case *d, enum metric m, struct stats_summary *out)
{
	*out = d->time;
	if (!metric_is_read(m))
		return true;
	double *v = launch_values(d, m);
	if (v)
		*out = stats_over_nodes(v, d->node, d->time.launches);
	if (v)
		widen(out, step_of(d, m));
	free(v);
	return v;
}

/* Fills in the metric's values at the case's two speeds, if it has two. */
static bool find_speeds(const struct data_case *d, enum metric m, struct number *out)
{
	double mode[2], lo, hi;
	size_t n = d->time.launches, fast = stats_two_modes(d->medians, n, mode);
	for (int i = 0; fast && m != METRIC_INTENSITY && i < 2; i++) {
		struct stats_summary t = {.typical = mode[i], .lo = mode[i], .hi = mode[i]};
		out->at_speed[i] = i ? n - fast : fast;
		metric_of(m, d->c, &t, &out->speed[i], &lo, &hi);
	}
	return true;
}

bool number_of(const struct pick *p, enum metric m, struct number *out)
{
	struct stats_summary s;
	*out = (struct number){
	        .si = metric_info(m)->si, .kind = NUMBER_VALUE, .metric = m, .pick = *p};
	if (p->d->why_none || !summary_of(p->d, m, &s))
		return false;
	if (!metric_is_read(m))
		return metric_of(m, p->d->c, &s, &out->value, &out->lo, &out->hi) &&
		       find_speeds(p->d, m, out);
	out->value = s.typical;
	out->lo = s.lo;
	out->hi = s.hi;
	return true;
}

/* --- over cards --- */

struct pick number_card(const struct data_number *n, size_t i)
{
	return (struct pick){n->runs[n->card[i]], n->in[n->card[i]]};
}

/* The newest run; or, of all cards, the one with the worst state that matters here. */
static struct pick worst_card(const struct data_number *n)
{
	struct pick worst = number_card(n, 0);
	for (size_t i = 1; i < n->ncards; i++) {
		/* an older run of another card is no superseded one */
		struct pick p = number_card(n, i);
		if (p.d->state > DATA_SUPERSEDED && p.d->state > worst.d->state)
			worst = p;
	}
	return worst;
}

/* The number of each card; returns false if one has none. *step: the largest counter step. */
static bool card_values(const struct data_number *n, enum metric m, double *v, double *step)
{
	*step = 0;
	for (size_t i = 0; i < n->ncards; i++) {
		struct pick p = number_card(n, i);
		struct number one;
		if (!number_of(&p, m, &one) || !(one.value > 0))
			return false;
		v[i] = one.value;
		*step = fmax(*step, step_of(p.d, m));
	}
	return true;
}

bool number_over_cards(const struct data_number *n, enum metric m, struct number *out)
{
	double *v = calloc(n->ncards + 1, sizeof *v), step = 0;
	size_t *node = calloc(n->ncards + 1, sizeof *node);
	if (!v || !node)
		abort();
	bool ok = n->ncards >= DATA_CARDS_LEAST && m != METRIC_INTENSITY &&
	          card_values(n, m, v, &step);
	for (size_t i = 0; i < n->ncards; i++)
		node[i] = i;
	if (ok) {
		struct stats_summary s = stats_over_nodes(v, node, n->ncards);
		widen(&s, step);
		*out = (struct number){.value = s.typical,
		                       .lo = s.lo,
		                       .hi = s.hi,
		                       .si = metric_info(m)->si,
		                       .kind = NUMBER_VALUE,
		                       .metric = m,
		                       .pick = number_card(n, 0),
		                       .worst = worst_card(n),
		                       .cards = n,
		                       .between = s.between_sd};
	}
	free(node);
	free(v);
	return ok;
}

/* "GPU-14a9cb09-…, GPU-…": the cards of a number */
static void put_cards(const struct data_number *n, struct sb *to)
{
	for (size_t i = 0; i < n->ncards; i++)
		sb_printf(to, "%s%s", i ? ", " : "", number_card(n, i).run->run.head.gpu.uuid);
	if (n->ncards == 0)
		sb_cstr(to, "none that the record names");
}

bool number_want_over_cards(const struct data *d, const struct pick *p, enum metric m,
                            struct loc at, struct number *out, struct err *e)
{
	const struct data_number *n = data_number_at(d, str_of(p->d->url));
	struct sb cards = {0};
	if (number_over_cards(n, m, out))
		return true;
	if (n->ncards >= DATA_CARDS_LEAST)
		return err_at(
		        e, at, "%s has no %s over cards: %s", p->d->c->id, metric_info(m)->name,
		        m == METRIC_INTENSITY ? "the cost model gives it, and no card changes it"
		                              : "not every card has it");
	put_cards(n, &cards);
	err_at(e, at,
	       "%s was measured with the same machine code on %zu of the %d cards that a value "
	       "over cards needs (%s): measure it on another card, or leave out over=cards",
	       p->d->c->id, n->ncards, DATA_CARDS_LEAST, cards.p);
	sb_free(&cards);
	return false;
}

bool number_check_cards(const struct placeholder *p, struct err *e)
{
	struct str over = placeholder_key(p, "over"), run = placeholder_key(p, "run");
	if (over.p && !str_is(over, "cards"))
		return err_at(e, placeholder_loc(p, over), "over=" STR_FMT ", expected cards",
		              STR_ARG(over));
	if (over.p && run.p)
		return err_at(e, placeholder_loc(p, run),
		              "over=cards takes the newest run of each card, so run= has no place "
		              "here");
	return true;
}

/* --- ratios and shares --- */

/* Pairs the values of a and b from processes with the same number; returns the number of pairs. */
static size_t pair_launches(const struct data_case *a, const struct data_case *b, enum metric m,
                            double *x, double *y, size_t *node)
{
	double *va = launch_values(a, m), *vb = launch_values(b, m);
	size_t n = 0;
	for (size_t i = 0; va && vb && i < a->time.launches; i++)
		for (size_t k = 0; k < b->time.launches; k++)
			if (a->launch[i] == b->launch[k]) {
				x[n] = va[i];
				node[n] = a->node[i];
				y[n++] = vb[k];
				break;
			}
	free(va);
	free(vb);
	return n;
}

/* The factor for the ratio of times: the ratio of the work for rates, else 1. */
static double work_ratio(const struct run_case *a, const struct run_case *b, enum metric m)
{
	if (m == METRIC_BANDWIDTH)
		return ((double)a->model.bytes_read + (double)a->model.bytes_written) /
		       ((double)b->model.bytes_read + (double)b->model.bytes_written);
	if (m == METRIC_THROUGHPUT || m == METRIC_RATE)
		return (double)a->model.flop / (double)b->model.flop;
	if (m == METRIC_LATENCY)
		return (double)b->model.flop / (double)a->model.flop;
	return 1;
}

/* Ratio over independent runs: the half-widths of the logarithms add in quadrature. */
static struct stats_summary unpaired(const struct stats_summary *a, const struct stats_summary *b)
{
	struct stats_summary s = {.launches = a->launches};
	double ha = log(a->hi / a->lo) / 2, hb = log(b->hi / b->lo) / 2;
	double h = sqrt(ha * ha + hb * hb);
	s.typical = a->typical / b->typical;
	s.lo = s.typical * exp(-h);
	s.hi = s.typical * exp(h);
	return s;
}

/* --- two devices --- */

/* The metric's value in each process. NULL if a process has none. The caller frees the array. */
static double *process_values(const struct data_case *d, enum metric m)
{
	double *v = launch_values(d, m), lo, hi;
	for (size_t i = 0; v && !metric_is_read(m) && i < d->time.launches; i++) {
		struct stats_summary t = {.typical = v[i], .lo = v[i], .hi = v[i]};
		metric_of(m, d->c, &t, &v[i], &lo, &hi);
	}
	return v;
}

static bool on_one_node(const struct data_case *d)
{
	for (size_t i = 1; i < d->time.launches; i++)
		if (d->node[i] != d->node[0])
			return false;
	return true;
}

/* Welch over the processes of two runs. False: one has too few, or ran on several nodes. */
static bool over_processes(const struct pick *a, const struct pick *b, enum metric m,
                           struct stats_summary *s)
{
	size_t na = a->d->time.launches, nb = b->d->time.launches;
	double *x = process_values(a->d, m), *y = process_values(b->d, m);
	bool ok = x && y && na > 1 && nb > 1 && on_one_node(a->d) && on_one_node(b->d);
	if (ok)
		*s = stats_unpaired_ratio(x, na, y, nb);
	free(x);
	free(y);
	return ok;
}

/* Welch over the cards of two numbers, each pick the newest of its own. False: too few cards. */
static bool over_both_cards(const struct data_number *a, const struct data_number *b, enum metric m,
                            struct stats_summary *s)
{
	double *x = calloc(a->ncards + 1, sizeof *x), *y = calloc(b->ncards + 1, sizeof *y);
	double step_a, step_b;
	if (!x || !y)
		abort();
	bool ok = a->ncards >= DATA_CARDS_LEAST && b->ncards >= DATA_CARDS_LEAST &&
	          card_values(a, m, x, &step_a) && card_values(b, m, y, &step_b);
	if (ok) {
		*s = stats_unpaired_ratio(x, a->ncards, y, b->ncards);
		widen(s, hypot(step_a, step_b));
	}
	free(x);
	free(y);
	return ok;
}

static bool is_newest(const struct data_number *n, const struct pick *p)
{
	return n->newest < n->nruns && n->in[n->newest] == p->d;
}

/* Fills in the ratio of cases of two devices, which no process shares. */
static void compare_devices(const struct data *d, struct number *n)
{
	const struct pick *a = &n->pick, *b = &n->over;
	const struct data_number *na = data_number_at(d, str_of(a->d->url));
	const struct data_number *nb = data_number_at(d, str_of(b->d->url));
	struct number va, vb;
	struct stats_summary s;
	if (is_newest(na, a) && is_newest(nb, b) && over_both_cards(na, nb, n->metric, &s)) {
		struct pick wa = worst_card(na), wb = worst_card(nb);
		n->worst = wb.d->state > wa.d->state ? wb : wa;
		n->cards = na;
		n->over_cards = nb;
	} else {
		if (!over_processes(a, b, n->metric, &s) && number_of(a, n->metric, &va) &&
		    number_of(b, n->metric, &vb))
			s = unpaired(&(struct stats_summary){.typical = va.value,
			                                     .lo = va.lo,
			                                     .hi = va.hi},
			             &(struct stats_summary){
			                     .typical = vb.value, .lo = vb.lo, .hi = vb.hi});
		widen(&s, hypot(step_of(a->d, n->metric), step_of(b->d, n->metric)));
	}
	n->value = s.typical;
	n->lo = s.lo;
	n->hi = s.hi;
}

bool number_of_two_devices(const struct number *n)
{
	return n->over.run &&
	       strcmp(n->pick.run->run.head.device, n->over.run->run.head.device) != 0;
}

bool number_comparable(const struct pick *a, const struct pick *b)
{
	return a->run == b->run || (!a->d->c->foreign && !b->d->c->foreign);
}

bool number_want_comparable(const struct pick *a, const struct pick *b, struct loc at,
                            struct err *e)
{
	const struct pick *f = a->d->c->foreign ? a : b, *other = f == a ? b : a;
	return number_comparable(a, b) ||
	       rule_err(e, RULE_NATIVE, at,
	                "%s was measured with %s and %s with %s: a ratio of them would say more of "
	                "the harnesses than of the code. Show both numbers, or measure both in one "
	                "run",
	                f->d->c->id, f->run->run.head.foreign->harness, other->d->c->id,
	                other->d->c->foreign ? other->run->run.head.foreign->harness
	                                     : "the runner");
}

struct number number_ratio(const struct data *d, const struct pick *a, const struct pick *b,
                           enum metric m, struct arena *arena)
{
	struct number n = {.si = "×", .kind = NUMBER_RATIO, .metric = m, .pick = *a, .over = *b};
	struct number na, nb;
	n.worst = b->d->state > a->d->state ? *b : *a;
	if (m == METRIC_INTENSITY && number_of(a, m, &na) && number_of(b, m, &nb)) {
		/* from the cost models alone, so without an interval */
		n.value = n.lo = n.hi = na.value / nb.value;
		return n;
	}
	if (number_of_two_devices(&n)) {
		compare_devices(d, &n);
		return n;
	}
	/* rates: time of b over time of a; times and counter readings: a over b */
	bool rate = metric_info(m)->higher_is_better && !metric_is_read(m);
	const struct pick *top = rate ? b : a, *bottom = rate ? a : b;
	double *x = ARENA_ARRAY(arena, double, top->d->time.launches + 1);
	double *y = ARENA_ARRAY(arena, double, top->d->time.launches + 1);
	size_t *node = ARENA_ARRAY(arena, size_t, top->d->time.launches + 1);
	size_t pairs = a->run == b->run ? pair_launches(top->d, bottom->d, m, x, y, node) : 0;
	struct stats_summary st, sb;
	summary_of(top->d, m, &st);
	summary_of(bottom->d, m, &sb);
	struct stats_summary s =
	        pairs >= 2 ? stats_paired_over_nodes(x, y, node, pairs) : unpaired(&st, &sb);
	widen(&s, hypot(step_of(a->d, m), step_of(b->d, m)));
	double w = work_ratio(a->d->c, b->d->c, m);
	n.value = w * s.typical;
	n.lo = w * s.lo;
	n.hi = w * s.hi;
	return n;
}

static struct number times_hundred(struct number n, double peak, enum number_kind kind)
{
	n.value *= 100 / peak;
	n.lo *= 100 / peak;
	n.hi *= 100 / peak;
	n.speed[0] *= 100 / peak;
	n.speed[1] *= 100 / peak;
	n.si = "%";
	n.kind = kind;
	return n;
}

struct number number_percent(const struct number *a, const struct data_spec *peak)
{
	struct number n = times_hundred(*a, peak->value, NUMBER_SHARE_SPEC);
	n.peak = peak;
	return n;
}

struct number number_share(const struct data *d, const struct pick *a, const struct pick *roof,
                           enum metric m, struct arena *arena)
{
	return times_hundred(number_ratio(d, a, roof, m, arena), 1, NUMBER_SHARE_MEASURED);
}
