/* Derives values over cards again. */
#include "site-gen/audit/number.h"

#include <math.h>
#include <string.h>

/* The one card of a case; NULL if its launches ran on several nodes, or no card is named. */
static const char *card_of(const struct audit_case *c)
{
	for (size_t i = 1; i < c->time.launches; i++)
		if (c->node[i] != c->node[i - 1])
			return NULL;
	return c->run->run.head.gpu.uuid;
}

static bool equal(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

static bool equal_build(const struct run_build *a, const struct run_build *b)
{
	return equal(a->code_sha256, b->code_sha256) &&
	       record_choice_same(&a->choice, &b->choice) &&
	       (equal(a->library, b->library) || (!a->library && !b->library));
}

static bool is_new(const struct audit_cards *cards, const char *card)
{
	for (size_t i = 0; i < cards->n; i++)
		if (equal(card_of(cards->of[i]), card))
			return false;
	return true;
}

struct audit_cards audit_cards_of(struct audit_records *r, const struct audit_case *from)
{
	const struct data_number *n = data_number_at(r->data, str_of(from->d->url));
	struct audit_cards cards = {0};
	bool reached = false;
	cards.of = ARENA_ARRAY(&r->scratch, const struct audit_case *, n->nruns + 1);
	for (size_t i = 0; i < n->nruns; i++) {
		const struct audit_case *c = audit_case_of(r, n->runs[i], n->in[i]);
		reached = reached || c == from;
		if (!reached || !c->has || n->in[i]->why[DATA_WITHDRAWN])
			continue;
		const char *card = card_of(c);
		if (card && equal_build(&from->d->c->build, &c->d->c->build) &&
		    is_new(&cards, card))
			cards.of[cards.n++] = c;
	}
	return cards;
}

/* The largest counter step among the processes of all cards, relative to their readings. */
static double step_of(const struct audit_records *r, const struct audit_cards *cards, enum metric m)
{
	double step = 0;
	for (size_t i = 0; i < cards->n && metric_is_read(m) && !r->stepless; i++)
		for (size_t k = 0; k < cards->of[i]->time.launches; k++)
			step = fmax(step, metric_step(m, &cards->of[i]->reading[k]));
	return step;
}

/*
 * The value of each card; NULL, and the reason, if there are too few. The arrays live as long as
 * the page.
 */
static double *card_values(struct audit_records *r, const struct audit_cards *cards, enum metric m,
                           struct err *e)
{
	double *v = ARENA_ARRAY(&r->scratch, double, cards->n + 1);
	if (cards->n < 3 || m == METRIC_INTENSITY) {
		err_set(e, "is a value over cards, and the records have %zu of at least 3",
		        cards->n);
		return NULL;
	}
	for (size_t i = 0; i < cards->n; i++) {
		struct audit_number one;
		if (!audit_number_metric(r, cards->of[i], m, &one) || !(one.value > 0)) {
			err_set(e, "is over cards, and run %s has no such number",
			        cards->of[i]->run->run.head.id);
			return NULL;
		}
		v[i] = one.value;
	}
	return v;
}

/* The case with the worst state; a card's newest run is not superseded by another card's. */
static const struct data_case *worst_of(const struct audit_cards *cards)
{
	const struct data_case *worst = cards->of[0]->d;
	for (size_t i = 1; i < cards->n; i++) {
		const struct data_case *d = cards->of[i]->d;
		if (d->state >= DATA_UNSTEADY && d->state > worst->state)
			worst = d;
	}
	return worst;
}

static void set(struct audit_number *n, const struct stats_summary *s, double step)
{
	n->value = s->typical;
	n->lo = fmin(s->lo, s->typical / exp(step));
	n->hi = fmax(s->hi, s->typical * exp(step));
}

bool audit_number_over_cards(struct audit_records *r, struct audit_number *n, struct err *e)
{
	struct audit_cards cards = audit_cards_of(r, n->of);
	const double *v = card_values(r, &cards, n->metric, e);
	size_t *card = ARENA_ARRAY(&r->scratch, size_t, cards.n + 1);
	if (!v)
		return false;
	for (size_t i = 0; i < cards.n; i++)
		card[i] = i;
	struct stats_summary s = stats_over_nodes(v, card, cards.n);
	set(n, &s, step_of(r, &cards, n->metric));
	n->between = s.between_sd;
	n->at_speed[0] = n->at_speed[1] = 0;
	n->cards = cards;
	n->worst = worst_of(&cards);
	return true;
}

/* --- two devices --------------------------------------------------------------------------- */

/* The metric in each process. NULL: a process has none. */
static double *process_values(struct audit_records *r, const struct audit_case *c, enum metric m)
{
	double *v = ARENA_ARRAY(&r->scratch, double, c->time.launches + 1), lo, hi;
	for (size_t i = 0; i < c->time.launches; i++) {
		double t = c->medians[i];
		struct stats_summary s = {.typical = t, .lo = t, .hi = t};
		if (metric_is_read(m) ? !metric_of_launch(m, c->d->c, &c->reading[i], t, &v[i])
		                      : !metric_of(m, c->d->c, &s, &v[i], &lo, &hi))
			return NULL;
	}
	return v;
}

static bool on_several_nodes(const struct audit_case *c)
{
	for (size_t i = 1; i < c->time.launches; i++)
		if (c->node[i] != c->node[i - 1])
			return true;
	return false;
}

/* Welch over processes; where it cannot be, the half-widths of the logarithms add in quadrature. */
static bool over_processes(struct audit_records *r, const struct audit_case *b,
                           struct audit_number *n)
{
	const struct audit_case *a = n->of;
	const double *x = process_values(r, a, n->metric), *y = process_values(r, b, n->metric);
	struct audit_cards one = {&a, 1}, other = {&b, 1};
	double step = hypot(step_of(r, &one, n->metric), step_of(r, &other, n->metric));
	struct audit_number v;
	struct stats_summary s;
	if (!x || !y || !audit_number_metric(r, b, n->metric, &v))
		return false;
	if (a->time.launches > 1 && b->time.launches > 1 && !on_several_nodes(a) &&
	    !on_several_nodes(b)) {
		s = stats_unpaired_ratio(x, a->time.launches, y, b->time.launches);
	} else {
		double half = hypot(log(n->hi / n->lo) / 2, log(v.hi / v.lo) / 2);
		s.typical = n->value / v.value;
		s.lo = s.typical / exp(half);
		s.hi = s.typical * exp(half);
	}
	set(n, &s, step);
	n->worst = b->d->state > a->d->state ? b->d : a->d;
	return true;
}

bool audit_number_apart(struct audit_records *r, const struct audit_case *b, struct audit_number *n,
                        struct err *e)
{
	n->over = b;
	if (!n->cards.n)
		return over_processes(r, b, n) ||
		       err_set(e, "is a ratio of two devices, and one has no such number");
	n->over_cards = audit_cards_of(r, b);
	const double *x = card_values(r, &n->cards, n->metric, e);
	const double *y = x ? card_values(r, &n->over_cards, n->metric, e) : NULL;
	if (!y)
		return false;
	struct stats_summary s = stats_unpaired_ratio(x, n->cards.n, y, n->over_cards.n);
	set(n, &s, hypot(step_of(r, &n->cards, n->metric), step_of(r, &n->over_cards, n->metric)));
	const struct data_case *wa = worst_of(&n->cards), *wb = worst_of(&n->over_cards);
	n->worst = wb->state > wa->state ? wb : wa;
	n->between = 0;
	return true;
}

bool audit_number_lacks_cards(struct audit_records *r, const struct audit_number *n)
{
	struct err none = ERR_NONE;
	if (n->cards.n || !n->over || n->metric == METRIC_INTENSITY || n->of->d->newer ||
	    n->over->d->newer ||
	    strcmp(n->over->run->run.head.device, n->of->run->run.head.device) == 0)
		return false;
	struct audit_cards a = audit_cards_of(r, n->of), b = audit_cards_of(r, n->over);
	return card_values(r, &a, n->metric, &none) && card_values(r, &b, n->metric, &none);
}

bool audit_cards_are(const struct audit_cards *cards, struct str ids)
{
	struct str id;
	bool more = ids.n > 0;
	size_t n = 0;
	for (; more; n++) {
		more = str_cut(ids, ' ', &id, &ids);
		if (n >= cards->n || !str_is(id, cards->of[n]->run->run.head.id))
			return false;
	}
	return n == cards->n;
}

bool audit_number_counts_cards(const struct audit_number *n, struct str said)
{
	for (size_t i = 0; i < said.n; i++) {
		size_t count = 0, from = i;
		for (; i < said.n && said.p[i] >= '0' && said.p[i] <= '9'; i++)
			count = 10 * count + (size_t)(said.p[i] - '0');
		if (i > from && count != n->cards.n && count != n->over_cards.n)
			return false;
	}
	return true;
}
