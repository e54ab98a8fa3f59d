#include "lib/record.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const struct run_case *record_case(const struct run *r, const char *id)
{
	for (size_t i = 0; i < r->ncases; i++)
		if (strcmp(r->cases[i].id, id) == 0)
			return &r->cases[i];
	return NULL;
}

const struct run_pair *record_param(const struct run_case *c, const char *name)
{
	for (size_t i = 0; i < c->nparams; i++)
		if (strcmp(c->param[i].name, name) == 0)
			return &c->param[i];
	return NULL;
}

const char *record_case_id(const struct run_case *c, struct arena *a)
{
	struct sb id = {0};
	sb_printf(&id, "%s/%s:", c->family, c->variant);
	for (size_t i = 0; i < c->nparams; i++) {
		const struct run_pair *p = &c->param[i];
		if (p->word)
			sb_printf(&id, "%s=%s,", p->name, p->word);
		else
			sb_printf(&id, "%s=%lld,", p->name, (long long)p->num);
	}
	sb_printf(&id, "dtype=%s,cache=%s", c->dtype, c->cache);
	const char *out = arena_strndup(a, id.p, id.n);
	sb_free(&id);
	return out;
}

bool record_launch_ok(const struct run_launch *l)
{
	return strcmp(l->status, "ok") == 0 && l->before.passed && l->after.passed &&
	       l->nsamples > 0;
}

/* Samples of one launch in seconds per call. */
static double *per_call(const struct run_launch *l)
{
	double *x = malloc(l->nsamples * sizeof *x);
	if (!x)
		abort();
	for (size_t i = 0; i < l->nsamples; i++)
		x[i] = (double)l->sample_ns[i] * 1e-9 / (double)l->batch;
	return x;
}

double record_launch_median(const struct run_launch *l)
{
	assert(record_launch_ok(l));
	double *x = per_call(l);
	double m = stats_median(x, l->nsamples);
	free(x);
	return m;
}

/* The ok launches of a case in launch order, and how many samples they have. */
static size_t ok_launches(const struct run *r, const struct run_case *c,
                          const struct run_launch **out, size_t *samples)
{
	size_t n = 0;
	*samples = 0;
	for (size_t i = 0; i < r->nlaunches; i++) {
		const struct run_launch *l = &r->launches[i];
		if (l->of != c || !record_launch_ok(l))
			continue;
		if (out)
			out[n] = l;
		n++;
		*samples += l->nsamples;
	}
	return n;
}

static double cv_of(const double *x, size_t n)
{
	double mean = 0, ss = 0;
	for (size_t i = 0; i < n; i++)
		mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		ss += (x[i] - mean) * (x[i] - mean);
	return n < 2 ? 0 : __builtin_sqrt(ss / (double)(n - 1)) / mean;
}

bool record_summary(const struct run *r, const struct run_case *c, struct arena *a,
                    struct stats_summary *out, double **medians)
{
	size_t total, at = 0, n = ok_launches(r, c, NULL, &total);
	if (n == 0)
		return false;
	const struct run_launch **ok = ARENA_ARRAY(a, const struct run_launch *, n);
	double *m = ARENA_ARRAY(a, double, n), *cv = ARENA_ARRAY(a, double, n);
	double *all = ARENA_ARRAY(a, double, total);
	ok_launches(r, c, ok, &total);
	for (size_t i = 0; i < n; i++) {
		double *x = per_call(ok[i]);
		memcpy(all + at, x, ok[i]->nsamples * sizeof *x);
		at += ok[i]->nsamples;
		cv[i] = cv_of(x, ok[i]->nsamples);
		m[i] = stats_median(x, ok[i]->nsamples);
		free(x);
	}
	*out = stats_over_launches(m, n);
	stats_median(all, total); /* sorts */
	out->samples = total;
	out->min = all[0];
	out->p5 = stats_quantile_sorted(all, total, 0.05);
	out->p95 = stats_quantile_sorted(all, total, 0.95);
	out->within_cv = stats_median(cv, n);
	if (medians)
		*medians = m;
	return true;
}
