#include "runner/check.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/rng.h"

enum {
	BLOCK = 64,           /* outputs looked at together */
	UNIT_TERMS = 1 << 20, /* work of one piece given to a thread */
	MAX_THREADS = 256,
};

/* --- which outputs --- */

static size_t output_count(const struct expected *x)
{
	struct kernel_buffer b[KERNEL_MAX_BUFFERS];
	size_t n = x->family->buffers(x->kcase, b);
	for (size_t i = 0; i < n; i++)
		if (b[i].access == KERNEL_OUT)
			return b[i].count;
	return 0;
}

static int size_order(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	return (x > y) - (x < y);
}

/* The first block, the last, and blocks at random places; sorted, distinct. */
static void sample_blocks(struct expected *x, size_t count, size_t want, uint64_t seed)
{
	size_t n = 0;
	for (size_t k = 0; n < want; k++) {
		size_t start = k == 0   ? 0
		               : k == 1 ? count - BLOCK
		                        : rng_below(&seed, count - BLOCK + 1);
		for (size_t i = 0; i < BLOCK && n < want; i++)
			x->idx[n++] = start + i;
	}
	qsort(x->idx, n, sizeof *x->idx, size_order);
	x->n = 0;
	for (size_t i = 0; i < n; i++)
		if (i == 0 || x->idx[i] != x->idx[i - 1])
			x->idx[x->n++] = x->idx[i];
}

static void choose_outputs(struct expected *x, size_t max_terms, uint64_t seed, struct arena *a)
{
	size_t count = output_count(x), terms = x->family->terms(x->kcase);
	size_t want = max_terms / (terms ? terms : 1);
	want = want < 1 ? 1 : want > CHECK_MAX_OUTPUTS ? CHECK_MAX_OUTPUTS : want;
	want = want < count ? want : count;
	x->idx = ARENA_ARRAY(a, size_t, want);
	if (want < count && want >= BLOCK) {
		sample_blocks(x, count, want, seed);
		return;
	}
	/* All of them; or, where few can be afforded, spread over the output. */
	for (x->n = 0; x->n < want; x->n++)
		x->idx[x->n] =
		        want == count ? x->n : (x->n * (count - 1)) / (want > 1 ? want - 1 : 1);
}

/* --- the reference, in parallel --- */

struct unit {
	struct expected *x;
	int seed;
	size_t from, to;
	size_t cost;
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

static void *work(void *arg)
{
	struct units *u = arg;
	for (size_t i; (i = atomic_fetch_add(&u->next, 1)) < u->n;) {
		struct unit *w = &u->unit[i];
		struct expected *x = w->x;
		x->family->expect(x->kcase, x->seed[w->seed], x->idx + w->from, w->to - w->from,
		                  x->value[w->seed] + w->from, x->magnitude[w->seed] + w->from);
	}
	return NULL;
}

static void run_units(struct units *u, int threads)
{
	pthread_t id[MAX_THREADS];
	int started = 0;
	qsort(u->unit, u->n, sizeof *u->unit, unit_order); /* longest first */
	while (started < threads - 1 && started < MAX_THREADS)
		if (pthread_create(&id[started], NULL, work, u) != 0)
			break;
		else
			started++;
	work(u);
	while (started > 0)
		pthread_join(id[--started], NULL);
}

/* Cuts one expectation into units; with unit == NULL only counts them. */
static size_t cut(struct expected *x, struct unit *unit)
{
	size_t terms = x->family->terms(x->kcase), step = UNIT_TERMS / (terms ? terms : 1);
	size_t n = 0;
	step = step < 1 ? 1 : step;
	for (int s = 0; s < x->nseeds; s++)
		for (size_t from = 0; from < x->n; from += step, n++) {
			size_t to = from + step < x->n ? from + step : x->n;
			if (unit)
				unit[n] = (struct unit){x, s, from, to, (to - from) * terms};
		}
	return n;
}

static enum input_kind kind_of(int s, enum input_kind timed)
{
	return s == EXPECTED_NAN ? INPUT_NAN : s == EXPECTED_INF ? INPUT_INF : timed;
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
		choose_outputs(x, max_terms, rng_derive(p->set.seed, 5, (uint64_t)launch), a);
		x->nseeds = max_terms == CHECK_TERMS_CHECK ? EXPECTED_SEEDS : EXPECTED_TIMED;
		for (int s = 0; s < x->nseeds; s++) {
			x->seed[s] = input_seed(kind_of(s, p->set.input),
			                        plan_input_seed(p->set.seed, launch, (size_t)s));
			x->value[s] = ARENA_ARRAY(a, double, x->n);
			x->magnitude[s] = ARENA_ARRAY(a, double, x->n);
		}
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

/* --- the comparison --- */

/* The error of one output over its magnitude; not finite: there is no such number. */
static double relative_error(double got, double value, double magnitude)
{
	if (isnan(value))
		return isnan(got) ? 0 : NAN;
	if (isinf(value))
		return got == value ? 0 : NAN;
	double diff = fabs(got - value);
	return diff == 0 ? 0 : diff / magnitude;
}

double check_error(const float *got, const double *value, const double *magnitude, size_t n,
                   size_t *where)
{
	double worst = 0;
	*where = 0;
	for (size_t i = 0; i < n; i++) {
		double err = relative_error((double)got[i], value[i], magnitude[i]);
		if (!isfinite(err)) {
			*where = i;
			return -1;
		}
		if (err > worst) {
			worst = err;
			*where = i;
		}
	}
	return worst;
}

/* One unit in the last place of the type at v; below the normal numbers, theirs. */
static double ulp_at(double v, enum kernel_dtype t)
{
	enum { BITS_F32 = 23, BITS_BF16 = 7, LEAST = -126 };
	int e = v == 0 ? LEAST : ilogb(v);
	return ldexp(1, (e < LEAST ? LEAST : e) - (t == KERNEL_BF16 ? BITS_BF16 : BITS_F32));
}

/* The k-th smallest, from 0 (Hoare, CACM 4(7), 1961, algorithm 65); reorders v. */
static double kth(double *v, size_t n, size_t k)
{
	size_t lo = 0, hi = n - 1;
	while (lo < hi) {
		double pivot = v[lo + (hi - lo) / 2];
		size_t i = lo, j = hi;
		for (;;) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i >= j)
				break;
			double t = v[i];
			v[i++] = v[j];
			v[j--] = t;
		}
		if (k <= j)
			hi = j;
		else
			lo = j + 1;
	}
	return v[k];
}

void check_measures(const float *got, const double *value, size_t n, enum kernel_dtype t,
                    struct arena *a, struct run_check *out)
{
	double *ulps = ARENA_ARRAY(a, double, n), diffs = 0, values = 0;
	size_t m = 0;
	out->norm = out->ulp = -1;
	for (size_t i = 0; i < n; i++) {
		double diff = fabs((double)got[i] - value[i]);
		if (!isfinite(value[i]))
			continue;
		if (!isfinite(diff))
			return;
		diffs += diff * diff;
		values += value[i] * value[i];
		ulps[m++] = diff == 0 ? 0 : diff / ulp_at(value[i], t);
	}
	if (m == 0)
		return;
	out->norm = diffs == 0 ? 0 : values > 0 ? sqrt(diffs / values) : -1;
	out->ulp = diffs == 0 ? 0 : kth(ulps, m, (m - 1) * 99 / 100);
}

static void explain(struct verdict *v, const struct expected *x, int seed, size_t at, float got,
                    double tolerance)
{
	if (v->unwritten)
		snprintf(v->why, sizeof v->why,
		         "%zu output elements never written, or made from what lies outside the "
		         "inputs",
		         v->unwritten);
	else if (v->disturbed)
		snprintf(v->why, sizeof v->why, "%zu bytes written outside the buffers",
		         v->disturbed);
	else if (v->changed)
		snprintf(v->why, sizeof v->why, "%zu input elements changed", v->changed);
	else if (v->check.error < 0)
		snprintf(v->why, sizeof v->why, "output %zu is %g, expected %g", x->idx[at],
		         (double)got, x->value[seed][at]);
	else
		snprintf(v->why, sizeof v->why,
		         "error %.3g > tolerance %.3g: output %zu is %.9g, expected %.9g",
		         v->check.error, tolerance, x->idx[at], (double)got, x->value[seed][at]);
}

int check_output(struct job *j, size_t set, int seed, const struct expected *x, struct arena *a,
                 struct verdict *out)
{
	const struct kernel_buffer *b = &j->buf[j->out];
	const struct backend *be = j->d->backend;
	const void *p = j->ptr[set][j->out];
	float *got = ARENA_ARRAY(a, float, x->n);
	const char *why;
	double tolerance = x->family->tolerance(x->kcase, &why);
	size_t at;

	*out = (struct verdict){0};
	int rc = be->finish(j->d);
	if (!rc)
		rc = be->gather(j->d, p, b->dtype, x->idx, x->n, got);
	if (!rc)
		rc = be->unwritten(j->d, p, b->dtype, b->count, &out->unwritten);
	if (!rc)
		rc = be->disturbed(j->d, j->guard, j->nguard, &out->disturbed);
	if (!rc)
		rc = job_changed(j, set, x->seed[seed], &out->changed);
	if (rc)
		return rc;
	out->check.error = check_error(got, x->value[seed], x->magnitude[seed], x->n, &at);
	out->check.looked_at = (int64_t)x->n;
	out->check.passed = out->check.error >= 0 && out->check.error <= tolerance &&
	                    !out->unwritten && !out->disturbed && !out->changed;
	check_measures(got, x->value[seed], x->n, b->dtype, a, &out->check);
	if (!out->check.passed)
		explain(out, x, seed, at, got[at], tolerance);
	return 0;
}

/* The larger; not known if either is not. */
static void join_measure(double *into, double other)
{
	*into = *into < 0 || other < 0 ? -1 : fmax(*into, other);
}

void verdict_join(struct verdict *into, const struct verdict *other)
{
	bool worse = other->check.error < 0 ||
	             (into->check.error >= 0 && other->check.error > into->check.error);
	if (worse)
		into->check.error = other->check.error;
	join_measure(&into->check.norm, other->check.norm);
	join_measure(&into->check.ulp, other->check.ulp);
	into->check.looked_at += other->check.looked_at;
	if (into->check.passed && !other->check.passed)
		memcpy(into->why, other->why, sizeof into->why);
	into->check.passed = into->check.passed && other->check.passed;
}
