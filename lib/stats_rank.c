/*
 * lib/stats_rank.c - tests on ranks, and corrections for many tests.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/stats.h"

/* Two-sided p of a standard normal value. */
static double normal_p(double z)
{
	return erfc(fabs(z) / sqrt(2));
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Sum over the groups of t equal values in sorted x of f(t). */
static double over_ties(const double *x, size_t n, double (*f)(double))
{
	double sum = 0;
	for (size_t i = 0, j; i < n; i = j) {
		for (j = i + 1; j < n && x[j] == x[i];)
			j++;
		sum += f((double)(j - i));
	}
	return sum;
}

static double tie_pairs(double t)
{
	return t * (t - 1) / 2;
}

static double tie_variance(double t)
{
	return t * (t - 1) * (2 * t + 5);
}

static double tie_cubes(double t)
{
	return t * t * t - t;
}

static double *copy(const double *x, size_t n, size_t room)
{
	double *out = malloc((room ? room : 1) * sizeof *out);
	if (!out)
		arena_die("out of memory");
	if (n)
		memcpy(out, x, n * sizeof *out);
	return out;
}

struct stats_trend stats_trend(const double *y, size_t n)
{
	struct stats_trend t = {0, 1};
	double *sorted = copy(y, n, n), m = (double)n, s = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			s += (y[j] > y[i]) - (y[j] < y[i]);
	qsort(sorted, n, sizeof *sorted, ascending);
	double all = tie_pairs(m), tied = over_ties(sorted, n, tie_pairs);
	double variance = (tie_variance(m) - over_ties(sorted, n, tie_variance)) / 18;
	free(sorted);
	if (n < 3 || variance <= 0)
		return t;
	t.tau = s / sqrt(all * (all - tied));
	double z = (fabs(s) - 1) / sqrt(variance); /* continuity */
	t.p = z > 0 ? normal_p(z) : 1;
	return t;
}

bool stats_drifts(const double *y, size_t n)
{
	return stats_trend(y, n).p < 0.001;
}

/* A value with the sample it came from. */
struct ranked {
	double value;
	bool first;
};

static int by_value(const void *a, const void *b)
{
	return ascending(&((const struct ranked *)a)->value, &((const struct ranked *)b)->value);
}

/* Sum of the ranks (from 1, mean rank of ties) of the first sample; sorts r. */
static double rank_sum(struct ranked *r, size_t n)
{
	double sum = 0;
	qsort(r, n, sizeof *r, by_value);
	for (size_t i = 0, j; i < n; i = j) {
		size_t ours = 0;
		for (j = i; j < n && r[j].value == r[i].value; j++)
			ours += r[j].first;
		sum += (double)ours * ((double)(i + 1) + (double)j) / 2;
	}
	return sum;
}

double stats_mann_whitney(const double *a, size_t na, const double *b, size_t nb, double *u)
{
	assert(na > 0 && nb > 0);
	size_t n = na + nb;
	struct ranked *r = calloc(n, sizeof *r);
	if (!r)
		arena_die("out of memory");
	double *all = copy(a, na, n), x = (double)na, y = (double)nb, m = (double)n;
	memcpy(all + na, b, nb * sizeof *all);
	for (size_t i = 0; i < n; i++)
		r[i] = (struct ranked){all[i], i < na};
	double mine = rank_sum(r, n) - x * (x + 1) / 2;
	qsort(all, n, sizeof *all, ascending);
	double ties = over_ties(all, n, tie_cubes);
	free(all);
	free(r);
	if (u)
		*u = mine;
	double variance = x * y / 12 * (m + 1 - ties / (m * (m - 1)));
	double off = fabs(mine - x * y / 2) - 0.5; /* continuity */
	return variance > 0 && off > 0 ? normal_p(off / sqrt(variance)) : 1;
}

size_t stats_discoveries(const double *p, size_t n, double q, bool *found)
{
	double *sorted = copy(p, n, n), limit = -1;
	size_t count = 0;
	qsort(sorted, n, sizeof *sorted, ascending);
	for (size_t k = n; k > 0 && limit < 0; k--)
		if (sorted[k - 1] <= q * (double)k / (double)n)
			limit = sorted[k - 1];
	for (size_t i = 0; i < n; i++)
		count += found[i] = p[i] <= limit;
	free(sorted);
	return count;
}
