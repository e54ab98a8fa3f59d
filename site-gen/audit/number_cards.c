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
	       (equal(a->library, b->library) || (!a->library && !b->library));
}

static bool is_new(const struct audit_cards *cards, const char *card)
{
	for (size_t i = 0; i < cards->n; i++)
		if (equal(card_of(cards->of[i]), card))
			return false;
	return true;
}

/* The cards of the case's number, from its run backwards in time. */
static struct audit_cards cards_of(struct audit_records *r, const struct audit_case *from)
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
			step = fmax(step, metric_step(m, cards->of[i]->used[k]));
	return step;
}

bool audit_number_over_cards(struct audit_records *r, struct audit_number *n, struct err *e)
{
	struct audit_cards cards = cards_of(r, n->of);
	double *v = ARENA_ARRAY(&r->scratch, double, cards.n + 1);
	size_t *card = ARENA_ARRAY(&r->scratch, size_t, cards.n + 1);
	if (cards.n < 3 || n->metric == METRIC_INTENSITY)
		return err_set(e, "is a value over cards, and the records have %zu of at least 3",
		               cards.n);
	const struct data_case *worst = n->of->d;
	for (size_t i = 0; i < cards.n; i++) {
		struct audit_number one;
		const struct data_case *d = cards.of[i]->d;
		if (!audit_number_metric(r, cards.of[i], n->metric, &one) || !(one.value > 0))
			return err_set(e, "is over cards, and run %s has no such number",
			               cards.of[i]->run->run.head.id);
		v[i] = one.value;
		card[i] = i;
		/* a card's newest run is not superseded by another card's */
		if (i > 0 && d->state >= DATA_UNSTEADY && d->state > worst->state)
			worst = d;
	}
	struct stats_summary s = stats_over_nodes(v, card, cards.n);
	double step = exp(step_of(r, &cards, n->metric));
	n->value = s.typical;
	n->lo = fmin(s.lo, s.typical / step);
	n->hi = fmax(s.hi, s.typical * step);
	n->between = s.between_sd;
	n->cards = cards;
	n->worst = worst;
	return true;
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
