#include "lib/stats.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void sort(double *x, size_t n)
{
	qsort(x, n, sizeof *x, ascending);
}

double stats_median(double *x, size_t n)
{
	assert(n > 0);
	sort(x, n);
	return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

double stats_quantile_sorted(const double *x, size_t n, double q)
{
	assert(n > 0 && q >= 0 && q <= 1);
	double at = q * (double)(n - 1);
	size_t i = (size_t)at;
	if (i + 1 >= n)
		return x[n - 1];
	return x[i] + (at - (double)i) * (x[i + 1] - x[i]);
}

double stats_median_halfwidth(double *x, size_t n, double tick)
{
	double median = stats_median(x, n);
	double half = (double)n / 2, spread = 0.98 * sqrt((double)n);
	double lo = floor(half - spread), hi = ceil(half + spread);
	size_t a = lo > 0 ? (size_t)lo : 0;
	size_t b = hi < (double)(n - 1) ? (size_t)hi : n - 1;
	return fmax((x[b] - x[a]) / 2, tick / 2) / median;
}

/* Student's t, two-sided 95 %: tables of the NIST/SEMATECH e-Handbook, section 1.3.6.7.2. */
static const double t975[] = {
        12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
        2.2010,  2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860,
        2.0796,  2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
};

double stats_t975(size_t df)
{
	enum { TABLE = sizeof t975 / sizeof t975[0] };
	assert(df > 0);
	if (df <= TABLE)
		return t975[df - 1];
	/* Cornish-Fisher expansion around the normal quantile, Abramowitz & Stegun 26.7.5 */
	double z = 1.959963984540054, v = (double)df;
	double z3 = z * z * z, z5 = z3 * z * z;
	return z + (z3 + z) / (4 * v) + (5 * z5 + 16 * z3 + 3 * z) / (96 * v * v);
}

/* exp of mean and t-interval of y[0..n). */
static struct stats_summary from_logs(const double *y, size_t n)
{
	struct stats_summary s = {.launches = n};
	double mean = 0, ss = 0;
	for (size_t i = 0; i < n; i++)
		mean += y[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		ss += (y[i] - mean) * (y[i] - mean);
	s.typical = exp(mean);
	s.lo = s.hi = s.typical;
	if (n < 2)
		return s;
	s.between_sd = sqrt(ss / (double)(n - 1));
	double half = stats_t975(n - 1) * s.between_sd / sqrt((double)n);
	s.lo = exp(mean - half);
	s.hi = exp(mean + half);
	return s;
}

static double *logs(const double *a, const double *b, size_t n)
{
	double *y = malloc(n * sizeof *y);
	if (!y)
		abort();
	for (size_t i = 0; i < n; i++) {
		assert(a[i] > 0 && (!b || b[i] > 0));
		y[i] = b ? log(a[i] / b[i]) : log(a[i]);
	}
	return y;
}

struct stats_summary stats_over_launches(const double *m, size_t n)
{
	assert(n > 0);
	double *y = logs(m, NULL, n);
	struct stats_summary s = from_logs(y, n);
	free(y);
	return s;
}

struct stats_summary stats_paired_ratio(const double *a, const double *b, size_t n)
{
	assert(n > 1);
	double *y = logs(a, b, n);
	struct stats_summary s = from_logs(y, n);
	free(y);
	return s;
}

double stats_halfwidth(const struct stats_summary *s)
{
	return s->launches < 2 ? INFINITY : (s->hi - s->lo) / 2 / s->typical;
}
