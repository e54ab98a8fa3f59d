/* Tests predictions against the runs, in the order of the history, and decides their verdicts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "site-gen/numbers/prediction.h"
#include "site-gen/records/query_inner.h"

struct tester {
	const struct data *d;
	struct expand_ctx ctx; /* for the default device */
	struct prediction *p;
	size_t cap;                   /* of p->tests */
	enum prediction_order *order; /* of each run; PREDICTION_ORDERS: not asked yet */
};

/* --- measured numbers ------------------------------------------------------- */

static bool ratio(struct tester *t, const struct pick *pick, enum metric m, struct number *out)
{
	struct query q = t->p->over;
	struct pick other;
	struct number a, b;
	if (!query_beside(&t->ctx, &q, pick, &other, NULL) || !number_of(pick, m, &a) ||
	    !number_of(&other, m, &b) || !number_comparable(pick, &other))
		return false;
	*out = number_ratio(t->ctx.data, pick, &other, m, t->ctx.arena);
	return true;
}

static bool measured(struct tester *t, const struct pick *pick, struct number *out)
{
	const struct prediction *p = t->p;
	enum metric m = p->metric == METRIC_COUNT ? metric_headline(pick->d->c) : p->metric;
	if (p->kind == NUMBER_RATIO)
		return ratio(t, pick, m, out);
	if (!number_of(pick, m, out))
		return false;
	if (p->kind == NUMBER_SHARE_SPEC)
		*out = number_percent(out, p->peak);
	return true;
}

/* --- comparison with the prediction ----------------------------------------- */

static enum prediction_verdict against(const struct prediction *p, const struct number *n)
{
	if (n->lo >= p->low && n->hi <= p->high)
		return PREDICTION_HELD;
	if (n->hi < p->low || n->lo > p->high)
		return PREDICTION_MISSED;
	return PREDICTION_UNDECIDED;
}

static double error_of(const struct prediction *p, const struct number *n)
{
	double bound = n->value < p->low ? p->low : n->value > p->high ? p->high : n->value;
	return strcmp(p->si, "%") == 0 ? n->value - bound : 100 * (n->value - bound) / fabs(bound);
}

static enum prediction_verdict limiter_against(const struct prediction *p,
                                               const struct limiter_finding *f)
{
	if (f->limiter == LIMITER_NONE)
		return f->open ? PREDICTION_UNDECIDED : PREDICTION_UNTESTED;
	return f->limiter == p->limiter ? PREDICTION_HELD : PREDICTION_MISSED;
}

static enum prediction_verdict both(enum prediction_verdict a, enum prediction_verdict b)
{
	if (a == PREDICTION_MISSED || b == PREDICTION_MISSED)
		return PREDICTION_MISSED;
	if (a == PREDICTION_UNDECIDED || b == PREDICTION_UNDECIDED)
		return PREDICTION_UNDECIDED;
	return a == PREDICTION_UNTESTED ? b : a;
}

/*
 * Why a ratio has no other side. A prediction that names too little of it waits for a case that
 * may never come: it takes the rest from its own case, and a parameter can follow from others.
 */
static const char *why_no_ratio(const struct prediction *p, const struct data_run *r)
{
	bool there = false;
	for (size_t i = 0; i < r->run.ncases && !there; i++)
		there = !r->cases[i].why_none && query_matches(&p->over, r->cases[i].c);
	return there ? "the other side of the ratio takes the parameters that it does not name "
	               "from this case, and no case of that run has all of them: as it is "
	               "written, the prediction may never be tested"
	             : "the other side of the ratio has no number in that run";
}

/* Judges one test. An unknown limiter prevents a verdict only if no interval was predicted. */
static void judge(struct tester *t, struct prediction_test *k)
{
	const struct prediction *p = t->p;
	k->interval = k->limiter = PREDICTION_UNTESTED;
	if (p->has_interval) {
		k->has_number = measured(t, &k->pick, &k->n);
		if (!k->has_number)
			k->why = p->kind == NUMBER_RATIO ? why_no_ratio(p, k->pick.run)
			                                 : "its cost model counts no such metric";
		else
			k->interval = against(p, &k->n);
		k->error = k->has_number ? error_of(p, &k->n) : 0;
	}
	if (p->limiter != LIMITER_NONE) {
		k->found = limiter_of(t->d, &k->pick);
		k->limiter = limiter_against(p, &k->found);
		if (k->limiter == PREDICTION_UNTESTED && !p->has_interval)
			k->why = k->found.why_none;
	}
	k->verdict = both(k->interval, k->limiter);
}

/* --- order ------------------------------------------------------------------- */

static enum prediction_order order_of(const struct tester *t, const struct data_run *r)
{
	struct git *g = t->d->git;
	const char *commit = r->run.head.commit;
	struct err ignored = ERR_NONE;
	bool known;
	if (!g || !commit || !git_is_ancestor(g, commit, &known, &ignored))
		return PREDICTION_AFTER;
	const char *blob = git_blob_at(g, commit, t->p->path, t->ctx.arena);
	if (!blob)
		return PREDICTION_AFTER;
	return strcmp(blob, t->p->blob) == 0 ? PREDICTION_BEFORE : PREDICTION_OTHER;
}

/* Why nobody publishes a number that was measured, and so seen. NULL: it counts or never was. */
static const char *only_seen(const struct data_run *r, const struct data_case *k)
{
	if (k->why[DATA_WITHDRAWN])
		return "its author took it back";
	return k->measured ? r->why_none : NULL;
}

/*
 * Adds a measured case, unless nobody has seen a number of it. When another harness measured is its
 * author's word, so nothing shows that a prediction came first.
 */
static void add_test(struct tester *t, const struct data_run *r, const struct data_case *c)
{
	const char *seen = only_seen(r, c);
	enum prediction_order *order = &t->order[r - t->d->runs];
	if (!query_matches(&t->p->query, c->c) || (c->why_none && !seen) || c->c->foreign)
		return;
	if (*order == PREDICTION_ORDERS)
		*order = order_of(t, r);
	t->p->tests =
	        arena_grow(t->ctx.arena, t->p->tests, t->p->ntests, &t->cap, sizeof *t->p->tests);
	struct prediction_test *k = &t->p->tests[t->p->ntests++];
	*k = (struct prediction_test){.pick = {r, c}, .order = *order, .why = seen};
	if (seen && seen == r->why_none)
		k->none = r->none;
	k->only_seen = seen;
	k->found.why_none = seen;
	if (!seen)
		judge(t, k);
}

static int by_case_and_time(const void *pa, const void *pb)
{
	const struct prediction_test *a = pa, *b = pb;
	int c = strcmp(a->pick.d->c->id, b->pick.d->c->id);
	return c ? c : strcmp(a->pick.run->run.head.id, b->pick.run->run.head.id);
}

/* A case has one name in all its runs, so whole numbers are left out at once. */
static void test_number(struct tester *t, const struct data_number *n)
{
	if (!query_names_match(&t->p->query, n->in[0]->c) ||
	    !query_in_scope(&t->ctx, &t->p->query, NULL, n->runs[0]))
		return;
	for (size_t k = 0; k < n->nruns; k++)
		add_test(t, n->runs[k], n->in[k]);
}

static void find_tests(struct tester *t)
{
	const struct data *d = t->d;
	t->order = ARENA_ARRAY(t->ctx.arena, enum prediction_order, d->nruns + 1);
	for (size_t i = 0; i < d->nruns; i++)
		t->order[i] = PREDICTION_ORDERS;
	for (size_t i = 0; i < d->nnumber_spans; i++) {
		const struct data_span *s = &d->number_spans[i];
		if (!query_family_matches(&t->p->query, s->family))
			continue;
		for (size_t k = s->from; k < s->to; k++)
			test_number(t, &d->numbers[k]);
	}
	if (t->p->ntests > 0)
		qsort(t->p->tests, t->p->ntests, sizeof *t->p->tests, by_case_and_time);
}

/* Is commit `a` an ancestor of commit `b`, or the same commit? */
static bool is_before(const struct tester *t, const char *a, const char *b)
{
	struct err ignored = ERR_NONE;
	bool known;
	return a && b && t->d->git && git_is_before(t->d->git, a, b, &known, &ignored);
}

/*
 * Was the result of `a` known before `b` was measured, or published before b's? Ancestry decides:
 * a's record is in the history of the commit that b measured, or b's record was added after a's.
 */
static bool came_before(const struct tester *t, const struct data_run *a, const struct data_run *b)
{
	if (!a->recorded || is_before(t, a->recorded, b->run.head.commit))
		return a->recorded;
	return !b->recorded ||
	       (strcmp(a->recorded, b->recorded) != 0 && is_before(t, a->recorded, b->recorded));
}

/* Orders two tests that history does not: the worse for the prediction first, else the older. */
static bool goes_first(const struct prediction_test *a, const struct prediction_test *b)
{
	const struct data_run *x = a->pick.run, *y = b->pick.run;
	bool together = x->recorded == y->recorded ||
	                (x->recorded && y->recorded && strcmp(x->recorded, y->recorded) == 0);
	if ((a->order != PREDICTION_BEFORE) != (b->order != PREDICTION_BEFORE))
		return a->order != PREDICTION_BEFORE;
	if (!together && a->verdict != b->verdict)
		return a->verdict == PREDICTION_MISSED;
	return strcmp(x->run.head.id, y->run.head.id) < 0;
}

/*
 * Runs that measured the same commit and were recorded by the same commit stand alike in the
 * history. There are few such moments, and asking git about each pair of runs takes long.
 */
struct moments {
	const struct data_run **of; /* one run of each */
	size_t *left;               /* of each, the tests that are not in order yet */
	bool *before;               /* [a × n + b]: did a come before b? */
	size_t n;
	size_t *at; /* the moment of each test */
};

static bool alike(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static size_t moment_of(struct moments *m, const struct data_run *r)
{
	size_t i = 0;
	while (i < m->n && !(alike(m->of[i]->recorded, r->recorded) &&
	                     alike(m->of[i]->run.head.commit, r->run.head.commit)))
		i++;
	if (i == m->n)
		m->of[m->n++] = r;
	return i;
}

static struct moments moments_of(const struct tester *t, size_t from, size_t n)
{
	struct arena *a = t->ctx.arena;
	struct moments m = {.of = ARENA_ARRAY(a, const struct data_run *, n),
	                    .left = ARENA_ARRAY(a, size_t, n),
	                    .at = ARENA_ARRAY(a, size_t, n)};
	for (size_t i = 0; i < n; i++)
		m.left[m.at[i] = moment_of(&m, t->p->tests[from + i].pick.run)]++;
	m.before = ARENA_ARRAY(a, bool, m.n *m.n);
	for (size_t i = 0; i < m.n * m.n; i++)
		m.before[i] = came_before(t, m.of[i / m.n], m.of[i % m.n]);
	return m;
}

/* Came none of the remaining tests before this one? */
static bool is_free(const struct moments *m, size_t test)
{
	size_t own = m->at[test];
	for (size_t i = 0; i < m->n; i++)
		if (m->before[i * m->n + own] && m->left[i] > (i == own))
			return false;
	return true;
}

/* The next of the tests k[from, n) of one case. */
static size_t next_test(const struct prediction_test *k, const struct moments *m, size_t from,
                        size_t n)
{
	size_t best = n;
	for (size_t i = from; i < n; i++)
		if (is_free(m, i) && (best == n || goes_first(&k[i], &k[best])))
			best = i;
	return best < n ? best : from; /* from: two records claim to precede each other */
}

/* Sorts n tests by history, because a run's start time comes from a clock that anybody can set. */
static void put_in_order(struct tester *t, size_t first, size_t n)
{
	struct prediction_test *k = &t->p->tests[first];
	if (n < 2)
		return;
	struct moments m = moments_of(t, first, n);
	for (size_t from = 0; from + 1 < n; from++) {
		size_t i = next_test(k, &m, from, n), at = m.at[i];
		struct prediction_test next = k[i];
		memmove(&k[from + 1], &k[from], (i - from) * sizeof next);
		memmove(&m.at[from + 1], &m.at[from], (i - from) * sizeof at);
		k[from] = next;
		m.at[from] = at;
		m.left[at]--;
	}
}

/* --- the verdict ------------------------------------------------------------- */

/* The verdict of the tests [from, to) of one case; returns the deciding test, or NULL. */
static struct prediction_test *of_case(struct prediction *p, size_t from, size_t to,
                                       enum prediction_verdict *out)
{
	struct prediction_test *last = NULL;
	for (size_t i = from; i < to; i++) {
		struct prediction_test *k = &p->tests[i];
		if (k->why && !k->only_seen)
			continue;
		if (!last && k->order != PREDICTION_BEFORE) {
			*out = k->order == PREDICTION_OTHER ? PREDICTION_AMENDED
			                                    : PREDICTION_NOT_FORETOLD;
			return k;
		}
		if (k->order != PREDICTION_BEFORE || k->only_seen)
			continue;
		last = k;
		if (k->verdict != PREDICTION_UNDECIDED)
			break;
	}
	*out = last ? last->verdict : PREDICTION_UNTESTED;
	return last;
}

/* Severity of a verdict; the worst case counts. */
static int weight(enum prediction_verdict v)
{
	static const int weights[PREDICTION_VERDICTS] = {
	        [PREDICTION_NOT_FORETOLD] = 5, [PREDICTION_AMENDED] = 4, [PREDICTION_MISSED] = 3,
	        [PREDICTION_UNDECIDED] = 2,    [PREDICTION_HELD] = 1,    [PREDICTION_UNTESTED] = 0};
	return weights[v];
}

/*
 * Does `k` replace the present main test of the prediction? A worse verdict does. Of equal ones
 * the earliest run counts, because later runs may add cases that nobody had in mind. Within one
 * run, the case furthest from its bound counts.
 */
static bool stands_for(const struct prediction *p, const struct prediction_test *k,
                       enum prediction_verdict v)
{
	if (!p->main || weight(v) != weight(p->verdict))
		return !p->main || weight(v) > weight(p->verdict);
	int order = strcmp(k->pick.run->run.head.id, p->main->pick.run->run.head.id);
	return order < 0 || (order == 0 && fabs(k->error) > fabs(p->main->error));
}

static void say_why(struct prediction *p, struct arena *a)
{
	const char *run = p->main ? p->main->pick.run->run.head.id : "";
	bool late = p->verdict == PREDICTION_NOT_FORETOLD;
	if (late || p->verdict == PREDICTION_AMENDED) {
		p->none = (struct reason){.word = late ? "prediction_seen_before"
		                                       : "prediction_since_amended",
		                          .with = {run}};
		p->why = reason_text(NULL, &p->none, a);
	} else if (p->verdict == PREDICTION_UNDECIDED)
		p->why = p->main->limiter == PREDICTION_UNDECIDED
		                 ? p->main->found.why_none
		                 : "a bound of the prediction lies within the measured interval";
	else if (p->verdict == PREDICTION_UNTESTED && p->ntests == 0)
		p->why = "no run has measured such a case";
	else if (p->verdict == PREDICTION_UNTESTED) {
		p->why = p->tests[0].why;
		p->none = p->tests[0].none;
	}
}

void prediction_decide(const struct data *d, struct arena *a, struct prediction *p)
{
	struct tester t = {
	        .d = d, .ctx = {.data = d, .device = d->default_device, .arena = a}, .p = p};
	p->verdict = PREDICTION_UNTESTED;
	find_tests(&t);
	for (size_t from = 0, to; from < p->ntests; from = to) {
		const char *id = p->tests[from].pick.d->c->id;
		for (to = from; to < p->ntests && strcmp(p->tests[to].pick.d->c->id, id) == 0; to++)
			;
		put_in_order(&t, from, to - from);
		enum prediction_verdict v;
		struct prediction_test *k = of_case(p, from, to, &v);
		if (!k)
			continue;
		k->decides = true;
		if (stands_for(p, k, v)) {
			p->main = k;
			p->verdict = v;
		}
	}
	say_why(p, a);
}
