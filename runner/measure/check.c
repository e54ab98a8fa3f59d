#include "runner/measure/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/rng.h"

enum { ALIKE_LOOKS = 64 }; /* outputs that tell whether a reference expects the same of all GPUs */

/* The error of one output over its magnitude; not finite if check_error() must fail. */
static double relative_error(double got, double value, double magnitude)
{
	if (isnan(value))
		return isnan(got) ? 0 : NAN;
	if (isinf(value))
		return got == value ? 0 : NAN;
	double diff = fabs(got - value);
	return diff == 0 ? 0 : diff / magnitude;
}

double check_error(const double *got, const double *value, const double *magnitude, size_t n,
                   size_t *where)
{
	double worst = 0;
	*where = 0;
	for (size_t i = 0; i < n; i++) {
		double err = relative_error(got[i], value[i], magnitude[i]);
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

/*
 * 1 / ulp, where ulp is the unit in the last place of the type at v; for v below the
 * type's normal numbers, that of the smallest one. It is a power of two, built from
 * exponent bits, because this runs for every output of every check.
 */
static double ulps_in_one(double v, enum kernel_dtype t)
{
	static const struct {
		int bits, least; /* bits of the mantissa; exponent of the smallest normal number */
	} types[KERNEL_DTYPE_COUNT] = {
	        [KERNEL_F32] = {23, -126},
	        [KERNEL_BF16] = {7, -126},
	        [KERNEL_E4M3] = {3, -6},
	};
	enum { BIAS = 1023, MANTISSA = 52 }; /* IEEE 754 binary64 */
	uint64_t u;
	double one;
	if (!types[t].bits)
		return 1; /* integers */
	memcpy(&u, &v, sizeof u);
	int e = (int)(u >> MANTISSA & 0x7ff) - BIAS;
	e = e < types[t].least ? types[t].least : e;
	u = (uint64_t)(BIAS + types[t].bits - e) << MANTISSA;
	memcpy(&one, &u, sizeof one);
	return one;
}

/* The k-th smallest value, k from 0 (Hoare, CACM 4(7), 1961, algorithm 65); reorders v. */
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

void check_measures(const double *got, const double *value, const enum kernel_dtype *t, size_t n,
                    struct arena *a, struct run_check *out)
{
	double *ulps = ARENA_ARRAY(a, double, n), diffs = 0, values = 0;
	size_t m = 0;
	out->norm = out->ulp = -1;
	for (size_t i = 0; i < n; i++) {
		double diff = fabs(got[i] - value[i]);
		if (!isfinite(value[i]))
			continue;
		if (!isfinite(diff))
			return;
		diffs += diff * diff;
		values += value[i] * value[i];
		ulps[m++] = diff * ulps_in_one(value[i], t[i]);
	}
	if (m == 0)
		return;
	out->norm = diffs == 0 ? 0 : values > 0 ? sqrt(diffs / values) : -1;
	out->ulp = diffs == 0 ? 0 : kth(ulps, m, (m - 1) * 99 / 100);
}

/* The outputs that are checked, and the type of each. */
struct outputs {
	double *got;
	enum kernel_dtype *type;
};

/* An output buffer on its GPU, and the number of its first element among all outputs. */
struct place {
	int gpu;
	size_t b, next; /* next: where to look for the following one */
	size_t from, end;
};

/* The next output: the buffers of GPU 0 in their order, then those of GPU 1. */
static bool next_output(const struct job *j, struct place *p)
{
	for (; p->next < j->nbuf * (size_t)j->gpus; p->next++) {
		p->gpu = (int)(p->next / j->nbuf);
		p->b = p->next % j->nbuf;
		if (j->buf[p->b].access != KERNEL_OUT || !kernel_has(&j->buf[p->b], p->gpu))
			continue;
		p->from = p->end;
		p->end += j->buf[p->b].count;
		p->next++;
		return true;
	}
	return false;
}

/* Counts the elements of the outputs that were never written. */
static int count_unwritten(struct job *j, size_t set, size_t *unwritten)
{
	int rc = 0;
	struct place p = {0};
	while (!rc && next_output(j, &p)) {
		size_t missing = 0;
		rc = j->d->backend->unwritten(j->d, job_buffer(j, set, p.gpu, p.b), &j->buf[p.b],
		                              &missing);
		*unwritten += missing;
	}
	return rc;
}

int check_digest(struct job *j, size_t set, uint64_t *digest)
{
	int rc = job_collect(j, set);
	struct place p = {0};
	*digest = 0;
	while (!rc && next_output(j, &p)) {
		uint64_t one = 0;
		rc = j->d->backend->digest(j->d, job_buffer(j, set, p.gpu, p.b), &j->buf[p.b],
		                           &one);
		*digest = rng_derive(*digest, one, p.from);
	}
	return rc;
}

/* Reads the checked outputs, buffer by buffer. */
static int read_outputs(struct job *j, size_t set, const struct expected *x, struct arena *a,
                        struct outputs *o)
{
	const struct backend *be = j->d->backend;
	size_t *idx = ARENA_ARRAY(a, size_t, x->n), k = 0;
	struct place p = {0};
	int rc = 0;
	o->got = ARENA_ARRAY(a, double, x->n);
	o->type = ARENA_ARRAY(a, enum kernel_dtype, x->n);
	while (!rc && next_output(j, &p)) {
		const struct kernel_buffer *buf = &j->buf[p.b];
		size_t n = 0;
		for (; k + n < x->n && x->idx[k + n] < p.end; n++) {
			idx[n] = x->idx[k + n] - p.from;
			o->type[k + n] = buf->dtype;
		}
		rc = be->gather(j->d, job_buffer(j, set, p.gpu, p.b), buf->dtype, idx, n,
		                o->got + k);
		k += n;
	}
	return rc;
}

/*
 * Names an output element: "output 17", "scales[17]" if there are several outputs, "GPU 1: sum[17]"
 * if there are several GPUs.
 */
static void name_output(const struct job *j, size_t index, char *out, size_t size)
{
	struct place p = {0};
	size_t outputs = 0;
	while (next_output(j, &p))
		outputs++;
	snprintf(out, size, "output %zu", index);
	p = (struct place){0};
	while ((outputs > 1 || j->gpus > 1) && next_output(j, &p)) {
		if (index < p.from || index >= p.end)
			continue;
		snprintf(out, size, "%s[%zu]", j->buf[p.b].name, index - p.from);
		if (j->gpus > 1)
			snprintf(out, size, "GPU %d: %s[%zu]", p.gpu, j->buf[p.b].name,
			         index - p.from);
	}
}

/* Explains a fault that needs no expectation to see; false if there is none. */
static bool explain_bytes(struct verdict *v)
{
	if (v->unwritten)
		snprintf(v->why, sizeof v->why,
		         "%zu output elements never written, or made from what lies outside the "
		         "inputs",
		         v->unwritten);
	else if (v->disturbed)
		snprintf(v->why, sizeof v->why, "%zu bytes written outside the buffers",
		         v->disturbed);
	return v->unwritten || v->disturbed;
}

static void explain(struct verdict *v, const struct job *j, const struct expected *x, int seed,
                    size_t at, double got, double tolerance)
{
	char where[64];
	if (explain_bytes(v))
		return;
	name_output(j, x->idx[at], where, sizeof where);
	if (v->changed)
		snprintf(v->why, sizeof v->why, "%zu input elements changed", v->changed);
	else if (v->check.error < 0)
		snprintf(v->why, sizeof v->why, "%s is %.9g, expected %.9g", where, got,
		         x->value[seed][at]);
	else
		snprintf(v->why, sizeof v->why,
		         "error %.3g > tolerance %.3g: %s is %.9g, expected %.9g", v->check.error,
		         tolerance, where, got, x->value[seed][at]);
}

/* --- GPUs that must agree --- */

/* The value of the reference for `n` outputs of a GPU, spread over all that it has. */
static void expect_of(const struct expected *x, int seed, size_t each, int gpu, size_t n,
                      double *value)
{
	size_t idx[ALIKE_LOOKS];
	double magnitude[ALIKE_LOOKS];
	for (size_t i = 0; i < n; i++)
		idx[i] = (size_t)gpu * each + i * each / n;
	x->family->expect(x->kcase, x->seed[seed], idx, n, value, magnitude);
}

/*
 * True if all GPUs have all outputs, and the reference expects the same of each. Only finite values
 * tell: where NaN enters every sum, shares that have nothing in common look alike.
 */
static bool expects_alike(const struct job *j, const struct expected *x, int seed)
{
	double first[ALIKE_LOOKS], other[ALIKE_LOOKS];
	size_t each = 0, finite = 0;
	for (size_t b = 0; b < j->nbuf; b++) {
		if (j->buf[b].absent)
			return false;
		each += j->buf[b].access == KERNEL_OUT ? j->buf[b].count : 0;
	}
	size_t n = each < ALIKE_LOOKS ? each : ALIKE_LOOKS;
	expect_of(x, seed, each, 0, n, first);
	for (int g = 1; g < j->gpus; g++) {
		expect_of(x, seed, each, g, n, other);
		for (size_t i = 0; i < n; i++) {
			if (first[i] != other[i] && !(isnan(first[i]) && isnan(other[i])))
				return false;
			finite += isfinite(first[i]) != 0;
		}
	}
	return finite;
}

/* A hash of a GPU's outputs. */
static int digest_of(struct job *j, size_t set, int gpu, uint64_t *digest)
{
	int rc = 0;
	*digest = 0;
	for (size_t b = 0; b < j->nbuf && !rc; b++) {
		uint64_t one = 0;
		if (j->buf[b].access != KERNEL_OUT)
			continue;
		rc = j->d->backend->digest(j->d, job_buffer(j, set, gpu, b), &j->buf[b], &one);
		*digest = rng_derive(*digest, one, b);
	}
	return rc;
}

/*
 * GPUs that meet and should have the same results must have the same bits: what each goes on with
 * would drift apart otherwise.
 */
static int check_alike(struct job *j, size_t set, int seed, const struct expected *x,
                       struct verdict *v)
{
	uint64_t first = 0, other = 0;
	bool meet = j->gpus > 1 && (j->it->kcase->use & KERNEL_MEETS);
	if (!v->check.passed || !meet || !expects_alike(j, x, seed))
		return 0;
	int rc = digest_of(j, set, 0, &first);
	for (int g = 1; g < j->gpus && !rc && v->check.passed; g++) {
		rc = digest_of(j, set, g, &other);
		v->check.passed = other == first;
		if (!v->check.passed)
			snprintf(v->why, sizeof v->why, "GPU %d has other bits than GPU 0", g);
	}
	return rc;
}

int check_output(struct job *j, size_t set, int seed, const struct expected *x, struct arena *a,
                 struct verdict *out)
{
	const struct backend *be = j->d->backend;
	struct outputs o;
	const char *why;
	double tolerance = x->family->tolerance(x->kcase, &why);
	size_t at;

	*out = (struct verdict){0};
	int rc = job_collect(j, set);
	if (!rc)
		rc = count_unwritten(j, set, &out->unwritten); /* first, right after the call */
	if (!rc)
		rc = read_outputs(j, set, x, a, &o);
	if (!rc)
		rc = be->finish(j->d);
	if (!rc)
		rc = be->disturbed(j->d, j->guard, j->nguard, &out->disturbed);
	if (!rc)
		rc = job_changed(j, set, x->seed[seed], &out->changed);
	if (rc)
		return rc;
	out->check.error = check_error(o.got, x->value[seed], x->magnitude[seed], x->n, &at);
	out->check.looked_at = (int64_t)x->n;
	out->check.passed = out->check.error >= 0 && out->check.error <= tolerance &&
	                    !out->unwritten && !out->disturbed && !out->changed;
	check_measures(o.got, x->value[seed], o.type, x->n, a, &out->check);
	if (!out->check.passed)
		explain(out, j, x, seed, at, o.got[at], tolerance);
	return check_alike(j, set, seed, x, out);
}

static int explain_exact(struct job *j, size_t set, const struct expected *x,
                         const struct exact_found *found, struct verdict *v)
{
	const struct exact_product *p = &x->product;
	const struct kernel_buffer *b = j->buf;
	const size_t at = (size_t)found->first;
	const unsigned out = p->p.out.buffer;
	double got;
	int rc = j->d->backend->gather(j->d, job_buffer(j, set, 0, out), p->out, &at, 1, &got);
	double value = exact_value(p, b, x->seed[EXPECTED_GRID], at);
	snprintf(v->why, sizeof v->why,
	         "%llu of %lld outputs are not exact: %s[%zu] is %.9g, the sum is %.9g",
	         found->wrong, (long long)v->check.exact, b[out].name, at, got, value);
	return rc;
}

int check_exact(struct job *j, size_t set, const struct expected *x, struct verdict *out)
{
	const struct backend *be = j->d->backend;
	struct exact_found found = {0};
	*out = (struct verdict){.check.exact = (int64_t)exact_outputs(&x->product)};
	int rc = job_collect(j, set);
	if (!rc)
		rc = count_unwritten(j, set, &out->unwritten);
	if (!rc)
		rc = be->product(j->d, &x->product, j->ptr[set * (size_t)j->gpus], &found);
	if (!rc)
		rc = be->finish(j->d);
	if (!rc)
		rc = be->disturbed(j->d, j->guard, j->nguard, &out->disturbed);
	if (!rc)
		rc = job_changed(j, set, x->seed[EXPECTED_GRID], &out->changed);
	out->check.passed = !found.wrong && !out->unwritten && !out->disturbed && !out->changed;
	if (rc || out->check.passed || explain_bytes(out))
		return rc;
	if (found.wrong)
		return explain_exact(j, set, x, &found, out);
	snprintf(out->why, sizeof out->why, "%zu input elements changed", out->changed);
	return 0;
}

/*
 * True if two answers to a mixed input are the same within the tolerance. `magnitude` is the
 * sum of both seeds' magnitudes, which bounds that of the mixed input if magnitudes are sums
 * of |terms|. If they are the size of the answer, the answers themselves give the bound.
 */
static bool same_answer(double got, double other, double magnitude, double tolerance)
{
	static const double MOST = 0x1p-5; /* largest relative difference, whatever the tolerance */
	double slack =
	        2 * tolerance * magnitude + fmin(tolerance, MOST) * (fabs(got) + fabs(other));
	return got == other || (isnan(got) && isnan(other)) || fabs(got - other) <= slack;
}

int check_again(struct job *j, size_t set, int s, int t, const struct expected *x, struct arena *a,
                double **got, struct verdict *out)
{
	struct outputs o;
	const char *why;
	char where[64];
	double tolerance = x->family->tolerance(x->kcase, &why);
	size_t i = 0;
	*out = (struct verdict){.check.passed = true};
	int rc = job_collect(j, set);
	if (!rc)
		rc = read_outputs(j, set, x, a, &o);
	if (!rc)
		rc = j->d->backend->finish(j->d);
	if (rc || !*got) {
		*got = o.got;
		return rc;
	}
	while (i < x->n &&
	       same_answer((*got)[i], o.got[i], x->magnitude[s][i] + x->magnitude[t][i], tolerance))
		i++;
	if (i == x->n)
		return 0;
	out->check.passed = false;
	name_output(j, x->idx[i], where, sizeof where);
	snprintf(out->why, sizeof out->why,
	         "%s is %.9g, and was %.9g for the same input two calls before", where, o.got[i],
	         (*got)[i]);
	return 0;
}

int check_written(struct job *j, size_t set, struct verdict *out)
{
	const struct backend *be = j->d->backend;
	*out = (struct verdict){0};
	int rc = job_collect(j, set);
	if (!rc)
		rc = be->finish(j->d);
	if (!rc)
		rc = count_unwritten(j, set, &out->unwritten);
	if (!rc)
		rc = be->disturbed(j->d, j->guard, j->nguard, &out->disturbed);
	out->check.passed = !out->unwritten && !out->disturbed;
	if (!out->check.passed)
		explain_bytes(out);
	return rc;
}

/* Keeps the larger of two measures; unknown if either is. */
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
	into->check.exact += other->check.exact;
	if (into->check.passed && !other->check.passed)
		memcpy(into->why, other->why, sizeof into->why);
	into->check.passed = into->check.passed && other->check.passed;
}
