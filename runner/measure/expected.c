#include "runner/measure/expected.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "runner/base/rng.h"
#include "runner/machine/pretend.h"

enum {
	BLOCK = 64,           /* neighbouring outputs that are checked together */
	UNIT_TERMS = 1 << 20, /* terms in one unit of work for a thread */
	MAX_THREADS = 256,
};

/* --- choice of outputs --- */

static int size_order(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	return (x > y) - (x < y);
}

/* Appends n sorted indices without duplicates. */
static void append_distinct(struct expected *x, size_t *idx, size_t n)
{
	qsort(idx, n, sizeof *idx, size_order);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || idx[i] != idx[i - 1])
			x->idx[x->n++] = idx[i];
}

/* Chooses from outputs from..from + count - 1 the first block, the last, and random blocks. */
static void sample_blocks(struct expected *x, size_t from, size_t count, size_t want,
                          uint64_t *seed, struct arena *a)
{
	size_t *idx = ARENA_ARRAY(a, size_t, want), n = 0;
	for (size_t k = 0; n < want; k++) {
		size_t start = k == 0   ? 0
		               : k == 1 ? count - BLOCK
		                        : rng_below(seed, count - BLOCK + 1);
		for (size_t i = 0; i < BLOCK && n < want; i++)
			idx[n++] = from + start + i;
	}
	append_distinct(x, idx, n);
}

/* Chooses `want` outputs of one buffer, whose first output has the number `from`. */
static void choose_of(struct expected *x, size_t from, size_t count, size_t want, uint64_t *seed,
                      struct arena *a)
{
	want = want < count ? want : count;
	if (want < count && want >= BLOCK) {
		sample_blocks(x, from, count, want, seed, a);
		return;
	}
	/* all outputs; or, if only few can be afforded, evenly spread ones */
	for (size_t i = 0; i < want; i++)
		x->idx[x->n++] =
		        from + (want == count ? i : i * (count - 1) / (want > 1 ? want - 1 : 1));
}

static bool is_output(const struct kernel_buffer *b, int gpu)
{
	return b->access == KERNEL_OUT && kernel_has(b, gpu);
}

/* Chooses equally many outputs from every output buffer, as far as it has them. */
static void choose_outputs(struct expected *x, size_t max_terms, uint64_t seed, struct arena *a)
{
	struct kernel_buffer b[KERNEL_MAX_BUFFERS];
	size_t nbuf = x->family->buffers(x->kcase, b), outputs = 0, from = 0;
	size_t terms = x->family->terms(x->kcase), want = max_terms / (terms ? terms : 1);
	const int gpus = kernel_gpus(x->kcase);
	for (size_t i = 0; i < nbuf * (size_t)gpus; i++)
		outputs += is_output(&b[i % nbuf], (int)(i / nbuf));
	want = want > CHECK_MAX_OUTPUTS ? CHECK_MAX_OUTPUTS : want;
	want = want < outputs ? 1 : want / outputs;
	x->idx = ARENA_ARRAY(a, size_t, want * outputs);
	for (size_t i = 0; i < nbuf * (size_t)gpus; i++) /* GPU by GPU */
		if (is_output(&b[i % nbuf], (int)(i / nbuf))) {
			choose_of(x, from, b[i % nbuf].count, want, &seed, a);
			from += b[i % nbuf].count;
		}
}

/* --- the reference, in parallel --- */

struct unit {
	struct expected *x;
	int seed;
	size_t from, to;
	size_t cost; /* approximate upper bound; the most expensive unit starts first */
};

struct units {
	struct unit *unit;
	size_t n;
	atomic_size_t next;
};

static int unit_order(const void *a, const void *b)
{
	size_t x = ((const struct unit *)a)->cost, y = ((const struct unit *)b)->cost;
	return (x < y) - (x > y);
}

static void real(struct expected *x, const struct unit *w)
{
	x->family->expect(x->kcase, x->seed[w->seed], x->idx + w->from, w->to - w->from,
	                  x->value[w->seed] + w->from, x->magnitude[w->seed] + w->from);
}

static void pretend(struct expected *x, const struct unit *w)
{
	pretend_expect(x->family, x->kcase, x->seed[w->seed], x->idx + w->from, w->to - w->from,
	               x->value[w->seed] + w->from, x->magnitude[w->seed] + w->from);
}

static void *work(void *arg)
{
	struct units *u = arg;
	for (size_t i; (i = atomic_fetch_add(&u->next, 1)) < u->n;) {
		struct unit *w = &u->unit[i];
		struct expected *x = w->x;
		(x->pretended ? pretend : real)(x, w);
	}
	return NULL;
}

static void run_units(struct units *u, int threads)
{
	pthread_t id[MAX_THREADS];
	int started = 0;
	qsort(u->unit, u->n, sizeof *u->unit, unit_order); /* most expensive first */
	while (started < threads - 1 && started < MAX_THREADS)
		if (pthread_create(&id[started], NULL, work, u) != 0)
			break;
		else
			started++;
	work(u);
	while (started > 0)
		pthread_join(id[--started], NULL);
}

/* Number of elements in all inputs, all of which a reference may have to read. */
static size_t input_elements(const struct expected *x)
{
	struct kernel_buffer b[KERNEL_MAX_BUFFERS];
	size_t nbuf = x->family->buffers(x->kcase, b), n = 0;
	for (size_t i = 0; i < nbuf; i++)
		n += b[i].access == KERNEL_IN ? b[i].count : 0;
	return n;
}

/* Cuts one expectation into units; with unit == NULL only counts them. */
static size_t cut(struct expected *x, struct unit *unit)
{
	size_t terms = x->family->terms(x->kcase), step = UNIT_TERMS / (terms ? terms : 1);
	size_t n = 0, most = input_elements(x);
	step = step < 1 ? 1 : step;
	for (int s = 0; s < x->nseeds; s++)
		for (size_t from = 0; from < x->n; from += step, n++) {
			size_t to = from + step < x->n ? from + step : x->n;
			if (unit)
				unit[n] = (struct unit){x, s, from, to, (to - from) * terms + most};
		}
	return n;
}

static enum input_kind kind_of(int s, enum input_kind timed)
{
	return s == EXPECTED_NAN ? INPUT_NAN : s == EXPECTED_INF ? INPUT_INF : timed;
}

/* Whether NaN and infinities are left out. */
static bool finite_only(const struct expected *x)
{
	const struct kernel_family *f = x->family;

	return f->finite_only && (!f->finite_cases || f->finite_cases(x->kcase));
}

struct expected *expected_make(const struct plan *p, int64_t launch, size_t max_terms, int threads,
                               struct arena *a)
{
	struct expected *all = ARENA_ARRAY(a, struct expected, p->ncases);
	struct units u = {0};
	for (size_t i = 0; i < p->n; i++) {
		struct expected *x = &all[p->item[i].expected];
		if (x->family || p->item[i].unavailable)
			continue;
		x->family = p->item[i].family;
		x->kcase = p->item[i].kcase;
		x->pretended = p->facts.pretended;
		choose_outputs(x, x->pretended ? PRETEND_TERMS : max_terms,
		               rng_derive(p->set.seed, 5, (uint64_t)launch), a);
		bool odd = max_terms == CHECK_TERMS_CHECK && p->set.check_calls >= CHECK_CALLS;
		x->nseeds = odd && !finite_only(x) ? EXPECTED_SEEDS : EXPECTED_TIMED;
		for (int s = 0; s < x->nseeds; s++) {
			x->seed[s] = input_seed(kind_of(s, p->item[i].way.input),
			                        plan_input_seed(p->set.seed, launch, (size_t)s));
			x->value[s] = ARENA_ARRAY(a, double, x->n);
			x->magnitude[s] = ARENA_ARRAY(a, double, x->n);
		}
		x->exact = exact_of(x->family, x->kcase, &x->product);
		x->seed[EXPECTED_GRID] =
		        input_seed(INPUT_GRID, plan_input_seed(p->set.seed, launch, 0));
		u.n += cut(x, NULL);
	}
	u.unit = ARENA_ARRAY(a, struct unit, u.n);
	size_t n = 0;
	for (size_t i = 0; i < p->ncases; i++)
		if (all[i].family)
			n += cut(&all[i], u.unit + n);
	run_units(&u, threads);
	return all;
}
