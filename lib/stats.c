#include "lib/stats.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "lib/arena.h"
#include "lib/array.h"

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
	assert(n > 0);
	sort(x, n);
	double half = (double)n / 2, spread = 0.98 * sqrt((double)n);
	double lo = floor(half - spread), hi = ceil(half + spread);
	size_t a = lo > 0 ? (size_t)lo : 0;
	size_t b = hi < (double)(n - 1) ? (size_t)hi : n - 1;
	return fmax((x[b] - x[a]) / 2, tick / 2) / stats_median(x, n);
}

/* Student's t, two-sided 95 %: tables of the NIST/SEMATECH e-Handbook, section 1.3.6.7.2. */
static const double t975[] = {
        12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
        2.2010,  2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860,
        2.0796,  2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
};

double stats_t975(size_t df)
{
	enum { TABLE = ARRAY_LEN(t975) };
	assert(df > 0);
	if (df <= TABLE)
		return t975[df - 1];
	/* Cornish-Fisher expansion around the normal quantile, Abramowitz & Stegun 26.7.5 */
	double z = 1.959963984540054, v = (double)df;
	double z3 = z * z * z, z5 = z3 * z * z;
	return z + (z3 + z) / (4 * v) + (5 * z5 + 16 * z3 + 3 * z) / (96 * v * v);
}

/*
 * Continued fraction of the incomplete beta function, DLMF 8.17.22, by the
 * modified Lentz method; converges fast for x < (a + 1) / (a + b + 2).
 */
static double beta_fraction(double x, double a, double b)
{
	enum { STEPS = 500 };
	const double tiny = 1e-300, enough = 1e-15;
	double c = 1, d = 1 - (a + b) * x / (a + 1);
	d = 1 / (fabs(d) < tiny ? tiny : d);
	double value = d;
	for (int k = 2; k < STEPS; k++) {
		double m = (double)(k / 2);
		double term = k % 2 ? -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
		                    : m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		d = 1 + term * d;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = 1 + term / c;
		c = fabs(c) < tiny ? tiny : c;
		value *= c * d;
		if (fabs(c * d - 1) < enough)
			break;
	}
	return value;
}

/* I(x; a, b), the regularised incomplete beta function. */
static double beta_inc(double x, double a, double b)
{
	int sign;
	if (x <= 0 || x >= 1)
		return x > 0;
	double front = exp(lgamma_r(a + b, &sign) - lgamma_r(a, &sign) - lgamma_r(b, &sign) +
	                   a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(x, a, b) / a;
	return 1 - front * beta_fraction(1 - x, b, a) / b;
}

double stats_t_p(double t, double df)
{
	assert(df > 0);
	return beta_inc(df / (df + t * t), df / 2, 0.5);
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
		arena_die("out of memory");
	for (size_t i = 0; i < n; i++) {
		assert(a[i] > 0 && (!b || b[i] > 0));
		y[i] = b ? log(a[i] / b[i]) : log(a[i]);
	}
	return y;
}

/* The same with nodes as the units of replication, if there are several. */
static struct stats_summary from_logs_of_nodes(const double *y, const size_t *node, size_t n)
{
	struct node {
		double sum, count;
	} * of;
	size_t most = 0, units = 0;
	for (size_t i = 0; i < n; i++)
		most = node[i] > most ? node[i] : most;
	double *mean = calloc(n, sizeof *mean);
	of = calloc(most + 1, sizeof *of);
	if (!of || !mean)
		arena_die("out of memory");
	for (size_t i = 0; i < n; i++) {
		of[node[i]].sum += y[i];
		of[node[i]].count++;
	}
	for (size_t u = 0; u <= most; u++)
		if (of[u].count > 0)
			mean[units++] = of[u].sum / of[u].count;
	struct stats_summary s = units > 1 ? from_logs(mean, units) : from_logs(y, n);
	s.launches = n;
	free(of);
	free(mean);
	return s;
}

struct stats_summary stats_over_nodes(const double *m, const size_t *node, size_t n)
{
	assert(n > 0);
	double *y = logs(m, NULL, n);
	struct stats_summary s = from_logs_of_nodes(y, node, n);
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

struct stats_summary stats_paired_over_nodes(const double *a, const double *b, const size_t *node,
                                             size_t n)
{
	assert(n > 1);
	double *y = logs(a, b, n);
	struct stats_summary s = from_logs_of_nodes(y, node, n);
	free(y);
	return s;
}

/* Mean of log a, and the squared standard error of that mean. */
static double log_mean(const double *a, size_t n, double *error2)
{
	double *y = logs(a, NULL, n), mean = 0, ss = 0;
	for (size_t i = 0; i < n; i++)
		mean += y[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		ss += (y[i] - mean) * (y[i] - mean);
	free(y);
	*error2 = ss / (double)(n - 1) / (double)n;
	return mean;
}

struct stats_summary stats_unpaired_ratio(const double *a, size_t na, const double *b, size_t nb)
{
	assert(na > 1 && nb > 1);
	double ea, eb, mean = log_mean(a, na, &ea);
	mean -= log_mean(b, nb, &eb);
	double e2 = ea + eb;
	double df = e2 > 0 ? e2 * e2 / (ea * ea / (double)(na - 1) + eb * eb / (double)(nb - 1))
	                   : (double)(na + nb - 2);
	struct stats_summary s = {.typical = exp(mean), .launches = (size_t)(df + 1e-9) + 1};
	double half = stats_t975(s.launches - 1) * sqrt(e2);
	s.lo = exp(mean - half);
	s.hi = exp(mean + half);
	s.between_sd = sqrt(e2 * (double)s.launches);
	return s;
}

double stats_halfwidth(const struct stats_summary *s)
{
	return s->launches < 2 ? INFINITY : (s->hi - s->lo) / 2 / s->typical;
}
