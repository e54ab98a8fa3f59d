#include "site-gen/audit/derived.h"

#include <math.h>
#include <string.h>

#include "lib/array.h"

enum { MOST_NUMBERS = 64, DEEPEST = 16, DIMENSIONS = 4, LITERAL_UNITS = 3 };

/* A value in base units, with the exponents of FLOP, byte, second and joule. */
struct amount {
	double value;
	int of[DIMENSIONS];
};

/* `scale` of a unit make one in base units. The first three may follow a literal. */
static const struct unit {
	const char *si;
	int of[DIMENSIONS];
	double scale;
} units[] = {
        {"FLOP", {1, 0, 0, 0}, 1},        {"B", {0, 1, 0, 0}, 1},
        {"s", {0, 0, 1, 0}, 1},           {"J", {0, 0, 0, 1}, 1},
        {"B/s", {0, 1, -1, 0}, 1},        {"FLOP/s", {1, 0, -1, 0}, 1},
        {"W", {0, 0, -1, 1}, 1},          {"Hz", {0, 0, -1, 0}, 1},
        {"tokens/s", {0, 0, -1, 0}, 1},   {"FLOP/B", {1, -1, 0, 0}, 1},
        {"J/FLOP", {-1, 0, 0, 1}, 1},     {"J/B", {0, -1, 0, 1}, 1},
        {"FLOP/clk/SM", {1, 0, 0, 0}, 1}, {"cycles", {0, 0, 0, 0}, 1},
        {"×", {0, 0, 0, 0}, 1},           {"%", {0, 0, 0, 0}, 100},
        {"ppm", {0, 0, 0, 0}, 1e6},
};

/* A measured number of a derivation, at one place of its text. */
struct measured {
	struct str key, run;
	struct audit_number n;
};

struct arithmetic {
	struct audit *a;
	struct str s, device;
	const struct unit *unit; /* of the result */
	size_t i;
	int depth;
	bool bad;
	struct measured *m; /* MOST_NUMBERS */
	size_t n, at;       /* numbers that were found; that were passed */
	size_t moved;       /* this number, wherever it stands, becomes `to`; n: none does */
	double to;
};

static char next(struct arithmetic *p)
{
	while (p->i < p->s.n && p->s.p[p->i] == ' ')
		p->i++;
	return p->i < p->s.n ? p->s.p[p->i] : 0;
}

static struct str take_word(struct arithmetic *p)
{
	size_t from = p->i;
	while (p->i < p->s.n && !memchr(" ()*/+", p->s.p[p->i], 6))
		p->i++;
	return str_sub(p->s, from, p->i);
}

static bool same_number(const struct measured *x, const struct measured *y)
{
	return str_eq(x->key, y->key) && str_eq(x->run, y->run);
}

static const struct unit *unit_of(struct str si, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_is(si, units[i].si))
			return &units[i];
	return NULL;
}

/* A number that was looked up; its unit may be one that derivations do not know. */
static struct amount looked_up(struct arithmetic *p, double v, const char *si)
{
	const struct unit *u = unit_of(str_of(si), ARRAY_LEN(units));
	struct amount x = {0};
	p->bad = p->bad || !u;
	if (!u)
		return x;
	x.value = v / u->scale;
	memcpy(x.of, u->of, sizeof x.of);
	return x;
}

/* The text of `[…]` was found before; its number is the next one. */
static struct amount measured_value(struct arithmetic *p)
{
	size_t end = str_find(p->s, ']', p->i);
	p->bad = p->bad || end >= p->s.n || p->at == p->n;
	if (p->bad)
		return (struct amount){0};
	p->i = end + 1;
	const struct measured *m = &p->m[p->at++];
	bool moved = p->moved < p->n && same_number(m, &p->m[p->moved]);
	return looked_up(p, moved ? p->to : m->n.value, m->n.si);
}

static struct amount sum(struct arithmetic *p);

static struct amount spec_value(struct arithmetic *p, struct str name)
{
	struct str key, device;
	if (!str_cut(name, '@', &key, &device))
		device = p->device;
	const struct data_spec *s = data_spec_find(p->a->data, device, key);
	p->bad = p->bad || !s;
	return s ? looked_up(p, s->value, s->si) : (struct amount){0};
}

static struct amount literal(struct arithmetic *p, struct str word)
{
	struct amount x = {0};
	p->bad = p->bad || !str_f64(word, &x.value);
	next(p);
	size_t before = p->i;
	const struct unit *u = unit_of(take_word(p), LITERAL_UNITS);
	if (u)
		memcpy(x.of, u->of, sizeof x.of);
	else
		p->i = before;
	return x;
}

static struct amount factor(struct arithmetic *p)
{
	char c = next(p);
	if (c == '[')
		return measured_value(p);
	if (c == '(' && p->depth < DEEPEST) {
		p->i++;
		p->depth++;
		struct amount x = sum(p);
		p->depth--;
		p->bad = p->bad || next(p) != ')';
		p->i++;
		return x;
	}
	struct str w = take_word(p);
	return str_starts(w, "spec:") ? spec_value(p, str_sub(w, 5, w.n)) : literal(p, w);
}

static struct amount product(struct arithmetic *p)
{
	struct amount x = factor(p);
	for (char c = next(p); (c == '*' || c == '/') && !p->bad; c = next(p)) {
		p->i++;
		struct amount y = factor(p);
		x.value = c == '*' ? x.value * y.value : x.value / y.value;
		for (int k = 0; k < DIMENSIONS; k++)
			x.of[k] += c == '*' ? y.of[k] : -y.of[k];
	}
	return x;
}

static struct amount sum(struct arithmetic *p)
{
	struct amount x = product(p);
	for (char c = next(p); (c == '+' || c == '-') && !p->bad; c = next(p)) {
		p->i++;
		struct amount y = product(p);
		p->bad = p->bad || memcmp(x.of, y.of, sizeof x.of) != 0;
		x.value = c == '+' ? x.value + y.value : x.value - y.value;
	}
	return x;
}

/* Computes it in base units, with the number `moved` at `to`. */
static double value(struct arithmetic *p, size_t moved, double to)
{
	p->i = p->at = 0;
	p->moved = moved;
	p->to = to;
	struct amount x = sum(p);
	p->bad = p->bad || next(p) || !isfinite(x.value) ||
	         memcmp(x.of, p->unit->of, sizeof x.of) != 0;
	return x.value;
}

/* The word i of a list with single spaces between; n == 0: it has none. */
static struct str word_at(struct str list, size_t i)
{
	struct str word = {0}, rest = list;
	bool more = list.n;
	for (size_t k = 0; k <= i; k++) {
		word = (struct str){0};
		if (more)
			more = str_cut(rest, ' ', &word, &rest);
	}
	return word;
}

/* Did the run measure the case without getting a number of it, by the rules of today? */
static bool is_refused(struct arithmetic *p, const struct measured *m)
{
	const struct data *d = p->a->data;
	struct str device, id, rest;
	str_cut(m->key, ' ', &device, &rest);
	str_cut(rest, ' ', &id, &rest);
	const char *called = str_dup(&p->a->records.scratch, id);
	for (size_t i = 0; i < d->nruns; i++) {
		const struct data_run *r = &d->runs[i];
		const struct run_case *c =
		        str_is(m->run, r->run.head.id) ? data_run_case(r, called) : NULL;
		if (c)
			return !audit_case_of(&p->a->records, r, data_case_of(r, c))->has;
	}
	return false;
}

/* Finds all measured numbers: with one run for all, or one for each. */
static bool find(struct arithmetic *p, struct str runs, struct audit_derived *out, struct err *e)
{
	struct str s = p->s;
	bool each = word_at(runs, 1).n;
	for (size_t i = str_find(s, '[', 0); i < s.n; i = str_find(s, '[', i + 1)) {
		size_t end = str_find(s, ']', i);
		struct str run = word_at(runs, each ? p->n : 0);
		if (end >= s.n || p->n == MOST_NUMBERS || !run.n)
			return err_set(e, "a derivation without the runs of its numbers");
		struct measured *m = &p->m[p->n++];
		*m = (struct measured){.key = str_sub(s, i + 1, end), .run = run};
		if (!audit_number_keyed(&p->a->records, m->key, run, (struct str){0}, &m->n, e)) {
			out->refused = is_refused(p, m);
			return false;
		}
		struct str device, rest;
		str_cut(m->key, ' ', &device, &rest);
		if (m->n.kind != AUDIT_VALUE || m->n.cards.n > 0 ||
		    !str_is(device, m->n.of->run->run.head.device))
			return err_set(e, "'" STR_FMT "' is no value of run " STR_FMT,
			               STR_ARG(m->key), STR_ARG(run));
		if (m->n.at_speed[0]) {
			m->n.lo = fmin(m->n.speed[0], m->n.speed[1]);
			m->n.hi = fmax(m->n.speed[0], m->n.speed[1]);
		}
	}
	return !word_at(runs, each || !p->n ? p->n : 1).n ||
	       err_set(e, "a derivation with more runs than numbers");
}

/* As the generator does: each number at both ends of its interval, the others as they are. */
static double half_of(struct arithmetic *p)
{
	double squares = 0;
	for (size_t i = 0; i < p->n; i++) {
		size_t k = 0;
		while (!same_number(&p->m[k], &p->m[i]))
			k++;
		if (k < i)
			continue;
		double lo = value(p, i, p->m[i].n.lo), hi = value(p, i, p->m[i].n.hi);
		squares += pow((hi - lo) / 2, 2);
	}
	return sqrt(squares);
}

/* A case of two speeds is at either: "(118–128 µs)". */
static void put_measured(const struct audit_number *n, struct sb *to)
{
	if (!n->at_speed[0]) {
		audit_number_text(n, to);
		return;
	}
	sb_char(to, '(');
	audit_number_range(n, to);
	sb_char(to, ')');
}

/* What its link's title must say. */
static void put_said(const struct arithmetic *p, struct audit_derived *d)
{
	const struct audit_number n = {.value = d->value, .lo = d->lo, .hi = d->hi, .si = d->si};
	struct arena *scratch = &p->a->records.scratch;
	struct sb said = {0}, range = {0}, ci = {0};
	size_t from = 0;
	for (size_t i = 0; i < p->n; i++) {
		size_t at = (size_t)(p->m[i].key.p - p->s.p) - 1;
		sb_str(&said, str_sub(p->s, from, at));
		put_measured(&p->m[i].n, &said);
		from = at + p->m[i].key.n + 2;
	}
	sb_str(&said, str_sub(p->s, from, p->s.n - 1)); /* the text ends with a space */
	audit_number_range(&n, &range);
	audit_number_interval(&n, &ci);
	d->said = sb_take(scratch, &said);
	d->ci = sb_take(scratch, &ci);
	d->range = d->hi > d->lo ? sb_take(scratch, &range) : NULL;
	sb_free(&range);
}

/* The number that its link leads to. On its page one of an older run is in the list of runs. */
static void set_first(struct audit *a, const struct audit_number *n, struct audit_derived *d)
{
	d->first = n->of->d;
	d->fragment = d->first->newer || d->first->why[DATA_WITHDRAWN]
	                      ? arena_printf(&a->records.scratch, "run-%s", n->of->run->run.head.id)
	                      : metric_info(n->metric)->name;
}

bool audit_derived(struct audit *a, struct str key, struct str runs, struct sb *to,
                   struct audit_derived *out, struct err *e)
{
	struct arithmetic p = {.a = a};
	struct str all;
	*out = (struct audit_derived){0};
	p.m = ARENA_ARRAY(&a->records.scratch, struct measured, MOST_NUMBERS);
	if (!str_cut(key, ' ', &p.device, &all))
		return err_set(e, "'" STR_FMT "' is no derivation", STR_ARG(key));
	size_t cut = all.n;
	while (cut > 0 && all.p[cut - 1] != ' ')
		cut--;
	p.s = str_sub(all, 0, cut);
	p.unit = unit_of(str_sub(all, cut, all.n), ARRAY_LEN(units));
	if (!p.unit)
		return err_set(e, "'" STR_FMT "' has no unit of a derivation", STR_ARG(all));
	if (!find(&p, runs, out, e))
		return false;
	out->si = p.unit->si;
	out->value = p.unit->scale * value(&p, p.n, 0);
	double half = p.unit->scale * half_of(&p);
	if (p.bad)
		return err_set(e, "'" STR_FMT "' is no derivation", STR_ARG(all));
	if (half > 0 && !(half < fabs(out->value)))
		return err_set(e, "the intervals leave the sign of '" STR_FMT "' open",
		               STR_ARG(all));
	out->lo = out->value - half;
	out->hi = out->value + half;
	for (size_t i = 0; i < p.n; i++) {
		const struct data_case *c = p.m[i].n.worst;
		if (!out->worst || c->state > out->worst->state)
			out->worst = c;
	}
	if (p.n)
		set_first(a, &p.m[0].n, out);
	const struct audit_number shown = {.value = out->value, .si = out->si};
	audit_number_amount(&shown, to);
	if (out->worst)
		put_said(&p, out);
	return true;
}
