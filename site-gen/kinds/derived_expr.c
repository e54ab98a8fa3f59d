/* The expression of a derivation: reading and computing it (derived.h). */
#include "site-gen/kinds/derived.h"

#include <math.h>
#include <string.h>

#include "lib/array.h"

struct parse {
	struct derivation *d;
	const struct derived_change *change;
	size_t i;
	struct err *e;
};

static const struct derived_unit units[] = {
        {"s", 0, 0, 1, 0, 1},     {"B", 0, 1, 0, 0, 1},           {"B/s", 0, 1, -1, 0, 1},
        {"FLOP", 1, 0, 0, 0, 1},  {"FLOP/s", 1, 0, -1, 0, 1},     {"FLOP/B", 1, -1, 0, 0, 1},
        {"%", 0, 0, 0, 0, 100},   {"×", 0, 0, 0, 0, 1},           {"tokens/s", 0, 0, -1, 0, 1},
        {"Hz", 0, 0, -1, 0, 1},   {"cycles", 0, 0, 0, 0, 1},      {"J", 0, 0, 0, 1, 1},
        {"W", 0, 0, -1, 1, 1},    {"J/FLOP", -1, 0, 0, 1, 1},     {"J/B", 0, -1, 0, 1, 1},
        {"ppm", 0, 0, 0, 0, 1e6}, {"FLOP/clk/SM", 1, 0, 0, 0, 1},
};

enum { NUNITS = ARRAY_LEN(units), MAX_DEPTH = 16 };

const struct derived_unit *derived_unit(struct str si)
{
	for (int i = 0; i < NUNITS; i++)
		if (str_is(si, units[i].si))
			return &units[i];
	return NULL;
}

bool derived_is_in(const struct quantity *q, const struct derived_unit *u)
{
	return u->flop == q->flop && u->byte == q->byte && u->second == q->second &&
	       u->joule == q->joule;
}

static struct loc place(const struct parse *p, struct str at)
{
	return placeholder_loc(p->d->k->p, p->d->at.p ? p->d->at : at);
}

static bool fail(struct parse *p, const char *want)
{
	struct str at = str_sub(p->d->s, p->i, p->d->s.n);
	return rule_err(p->e, RULE_TYPED, place(p, at),
	                "'" STR_FMT "' in a derivation, expected %s", STR_ARG(at), want);
}

static char peek(struct parse *p)
{
	while (p->i < p->d->s.n && p->d->s.p[p->i] == ' ')
		p->i++;
	return p->i < p->d->s.n ? p->d->s.p[p->i] : 0;
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-' || c == '.' || c == ':' || c == '@';
}

static struct str word(struct parse *p)
{
	size_t from = p->i;
	while (p->i < p->d->s.n && is_word(p->d->s.p[p->i]))
		p->i++;
	return str_sub(p->d->s, from, p->i);
}

/* Parses the unit of a literal: a base unit, or none. */
static void literal_unit(struct parse *p, struct quantity *q)
{
	peek(p);
	size_t from = p->i;
	struct str w = word(p);
	q->flop = str_is(w, "FLOP");
	q->byte = str_is(w, "B");
	q->second = str_is(w, "s");
	p->d->sizes = p->d->sizes || q->flop || q->byte;
	if (!q->flop && !q->byte && !q->second)
		p->i = from;
}

/* A factor between 1.1 and 1.9 that depends only on the name. */
static double factor_of(const char *name)
{
	unsigned h = 5381;
	for (const char *c = name; *c; c++)
		h = 33 * h + (unsigned char)*c;
	return 1.1 + 0.8 * (h % 9973) / 9973;
}

static bool set_quantity(struct parse *p, double value, const char *si, const char *name,
                         struct str at, struct quantity *q)
{
	const struct derived_unit *u = derived_unit(str_of(si));
	if (!u)
		return err_at(p->e, place(p, at), "'%s' is in %s, which derivations do not know",
		              name, si);
	*q = (struct quantity){value / u->scale, u->flop, u->byte, u->second, u->joule};
	return true;
}

static bool spec_quantity(struct parse *p, struct str name, struct quantity *q)
{
	struct kind_call *k = p->d->k;
	struct str key, device;
	if (!str_cut(str_sub(name, strlen("spec:"), name.n), '@', &key, &device))
		device = placeholder_key(k->p, "device");
	p->d->home = p->d->home || !device.p;
	if (!device.p)
		device = str_of(query_default_device(k->ctx));
	const struct data_spec *s = kind_spec_find(k, device, key, p->e);
	if (!s || !set_quantity(p, s->value, s->si, s->key, name, q))
		return false;
	if (p->change && p->change->all)
		q->value *= factor_of(arena_printf(k->ctx->arena, "%s %s", s->device, s->key));
	return true;
}

/* --- measured numbers --------------------------------------------------------------------- */

static bool metric_of_number(struct parse *p, struct str name, const struct pick *of,
                             enum metric *out)
{
	const struct metric_info *m = metric_find(name);
	if (!name.n)
		return kind_metric(p->d->k, of, out, p->e);
	if (!m)
		return kind_no_metric(p->d->k, name, p->e);
	*out = m->id;
	return true;
}

/* Refuses a key that stands in the brackets and beside the expression: either could be meant. */
static bool is_said_once(struct parse *p, const struct query *in)
{
	const struct {
		const char *name;
		struct str said;
	} key[] = {{"device", in->device},
	           {"run", in->run},
	           {"dtype", in->dtype},
	           {"cache", in->cache},
	           {"role", in->role}};
	for (size_t i = 0; i < ARRAY_LEN(key); i++)
		if (key[i].said.p && placeholder_key(p->d->k->p, key[i].name).p)
			return err_at(p->e, place(p, key[i].said),
			              "'%s' is given twice, in the brackets and beside the "
			              "expression",
			              key[i].name);
	return true;
}

/* Finds the number that is written in brackets. */
static bool find(struct parse *p, struct str written, struct number *n)
{
	struct kind_call *k = p->d->k;
	const char *const *own = k->kind->keys;
	struct str inside = str_trim(str_sub(written, 1, written.n - 1)), selector, name = {0};
	struct query q, alone;
	struct pick of;
	enum metric m;
	if (!str_cut(inside, ' ', &selector, &name))
		selector = inside;
	if (!query_parse(k->p, selector, own, false, &alone, p->e) || !is_said_once(p, &alone) ||
	    !query_parse(k->p, selector, own, true, &q, p->e) ||
	    !query_one(k->ctx, &q, &of, p->e) || !metric_of_number(p, str_trim(name), &of, &m))
		return false;
	if (!number_of(&of, m, n))
		return err_at(p->e, place(p, written), "%s has no %s", of.d->c->id,
		              metric_info(m)->name);
	if (n->at_speed[0]) { /* it may be at either */
		n->lo = fmin(n->speed[0], n->speed[1]);
		n->hi = fmax(n->speed[0], n->speed[1]);
	}
	return p->d->n == 0 ||
	       number_want_comparable(&p->d->number[0].n.pick, &of, place(p, written), p->e);
}

static bool same_number(const struct number *a, const struct number *b)
{
	return a->pick.d == b->pick.d && a->metric == b->metric;
}

/* The number that stands at this place; finds it the first time. */
static struct derived_number *number_at(struct parse *p, struct str written)
{
	struct derivation *d = p->d;
	for (size_t i = 0; i < d->n; i++)
		if (d->number[i].written.p == written.p)
			return &d->number[i];
	if (d->n == DERIVED_NUMBERS) {
		err_at(p->e, place(p, written), "more than %d measured numbers in a derivation",
		       DERIVED_NUMBERS);
		return NULL;
	}
	struct derived_number *own = &d->number[d->n];
	*own = (struct derived_number){.written = written, .first = d->n};
	if (!find(p, written, &own->n))
		return NULL;
	for (size_t i = d->n; i-- > 0;)
		if (same_number(&d->number[i].n, &own->n))
			own->first = i;
	return &d->number[d->n++];
}

static bool number_quantity(struct parse *p, struct quantity *q)
{
	struct str s = p->d->s;
	size_t end = str_find(s, ']', p->i);
	if (end >= s.n)
		return fail(p, "']' after a measured number");
	struct derived_number *n = number_at(p, str_sub(s, p->i, end + 1));
	if (!n)
		return false;
	p->i = end + 1;
	const struct derived_change *c = p->change;
	bool moved = c && c->one && c->which == n->first;
	const char *id = n->n.pick.d->c->id;
	if (!set_quantity(p, moved ? c->to : n->n.value, n->n.si, id, n->written, q))
		return false;
	if (c && c->all)
		q->value *= factor_of(number_key(&n->n, p->d->k->ctx->arena));
	return true;
}

/* --- the grammar -------------------------------------------------------------------------- */

static bool expr(struct parse *p, int depth, struct quantity *q);

static bool factor(struct parse *p, int depth, struct quantity *q)
{
	char c = peek(p);
	size_t from = p->i;
	if (c == '[')
		return number_quantity(p, q);
	if (c == '(') {
		p->i++;
		if (depth == MAX_DEPTH || !expr(p, depth + 1, q))
			return depth == MAX_DEPTH ? fail(p, "fewer nested brackets") : false;
		if (peek(p) != ')')
			return fail(p, "')'");
		p->i++;
		return true;
	}
	struct str w = word(p);
	if (str_starts(w, "spec:"))
		return spec_quantity(p, w, q);
	*q = (struct quantity){0};
	if (str_f64(w, &q->value)) {
		literal_unit(p, q);
		p->d->fraction = p->d->fraction || q->value != floor(q->value);
		return true;
	}
	p->i = from;
	return fail(p, "a number, spec:KEY, [SELECTOR METRIC] or '('");
}

static bool term(struct parse *p, int depth, struct quantity *q)
{
	if (!factor(p, depth, q))
		return false;
	for (char c = peek(p); c == '*' || c == '/'; c = peek(p)) {
		struct quantity r;
		int sign = c == '*' ? 1 : -1;
		p->i++;
		if (!factor(p, depth, &r))
			return false;
		q->value = c == '*' ? q->value * r.value : q->value / r.value;
		q->flop += sign * r.flop;
		q->byte += sign * r.byte;
		q->second += sign * r.second;
		q->joule += sign * r.joule;
	}
	return true;
}

static bool expr(struct parse *p, int depth, struct quantity *q)
{
	if (!term(p, depth, q))
		return false;
	for (char c = peek(p); c == '+' || c == '-'; c = peek(p)) {
		struct quantity r;
		p->i++;
		if (!term(p, depth, &r))
			return false;
		if (r.flop != q->flop || r.byte != q->byte || r.second != q->second ||
		    r.joule != q->joule)
			return fail(p, "both sides of + and - in the same unit");
		q->value += c == '+' ? r.value : -r.value;
	}
	return true;
}

bool derived_compute(struct derivation *d, const struct derived_change *change,
                     struct quantity *out, struct err *e)
{
	struct parse p = {.d = d, .change = change, .e = e};
	if (!expr(&p, 0, out))
		return false;
	return !peek(&p) || fail(&p, "an operator or the end");
}

void derived_each(const struct derivation *d,
                  void (*put)(const struct derived_number *n, struct arena *a, struct sb *to),
                  struct sb *to)
{
	const char *from = d->s.p, *end = d->s.p + d->s.n;
	for (size_t i = 0; i < d->n; i++) {
		const struct str w = d->number[i].written;
		sb_put(to, from, (size_t)(w.p - from));
		put(&d->number[i], d->k->ctx->arena, to);
		from = w.p + w.n;
	}
	sb_put(to, from, (size_t)(end - from));
}
