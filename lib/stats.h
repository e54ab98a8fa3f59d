/*
 * lib/stats.h - every statistic of Ridgepoint, as pure functions.
 *
 * The estimand is the typical time of a fresh process: for launch l take the
 * median m_l of its samples; over L launches
 *     T = exp(mean(log m_l)),  interval: exp(mean ± t(0.975, L-1) s / sqrt(L))
 * with s the standard deviation of log m_l (Kalibera & Jones, ISMM 2013, doi
 * 10.1145/2464157.2464160: the launch is the unit of replication).
 */
#ifndef LIB_STATS_H
#define LIB_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Median of x[0..n), n ≥ 1; sorts x in place. Even n: mean of the middle two. */
double stats_median(double *x, size_t n);

/* Quantile q in [0, 1] of sorted x, linear interpolation (Hyndman & Fan type 7). */
double stats_quantile_sorted(const double *x, size_t n, double q);

/*
 * Relative half-width of the 95 % order-statistic interval of the median of
 * n ≥ 1 samples, at least half a tick (normal approximation of the binomial
 * ranks: a = n/2 - 0.98 sqrt(n), b = n/2 + 0.98 sqrt(n)). Sorts x in place.
 */
double stats_median_halfwidth(double *x, size_t n, double tick);

/* Two-sided 97.5 % point of Student's t with df ≥ 1 degrees of freedom. */
double stats_t975(size_t df);

/* A typical value with its 95 % interval over launches. */
struct stats_summary {
	double typical;
	double lo, hi;       /* equal to typical when launches == 1 */
	double min, p5, p95; /* over all samples of all launches */
	double within_cv;    /* median over launches of sd / mean */
	double between_sd;   /* standard deviation of log medians */
	size_t launches, samples;
};

/* From launch medians m[0..n), n ≥ 1, all > 0: typical, lo, hi, between_sd. */
struct stats_summary stats_over_launches(const double *m, size_t n);

/* Ratio a / b from medians paired by launch, n ≥ 2: paired t on log ratios. */
struct stats_summary stats_paired_ratio(const double *a, const double *b, size_t n);

/* (hi - lo) / 2 / typical; infinite with fewer than two launches. */
double stats_halfwidth(const struct stats_summary *s);

#endif
