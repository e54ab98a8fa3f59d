/*
 * lib/stats.h - every statistic that Ridgepoint uses, as pure functions.
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

/* 97.5 % quantile of Student's t with df ≥ 1 degrees of freedom. */
double stats_t975(size_t df);

/*
 * Probability of |T| ≥ |t| under Student's t with df > 0 degrees of freedom:
 * the incomplete beta function I(df / (df + t²); df/2, 1/2), DLMF 8.17 and
 * Abramowitz & Stegun 26.7.1.
 */
double stats_t_p(double t, double df);

/* A typical value with its 95 % interval over launches. */
struct stats_summary {
	double typical;
	double lo, hi;       /* equal to typical when launches == 1 */
	double min, p5, p95; /* over all samples of all launches */
	double within_cv;    /* median over launches of sd / mean */
	double between_sd;   /* standard deviation of log medians */
	size_t launches, samples;
};

/*
 * From launch medians m[0..n), n ≥ 1, all > 0: typical, lo, hi, between_sd. Launch k
 * ran on node[k], as numbered by record_nodes(); a node may have no launch here. With
 * several nodes the node is the unit of replication: its estimate is the mean of its
 * launches' logs, and the interval is Student's t over these estimates, so it includes
 * the difference between nodes (Hoefler & Belli, SC'15, doi 10.1145/2807591.2807644).
 * With one node the launch is the unit. `launches` is n in both cases.
 */
struct stats_summary stats_over_nodes(const double *m, const size_t *node, size_t n);

/* Ratio a / b from medians paired by launch, n ≥ 2: paired t on log ratios. */
struct stats_summary stats_paired_ratio(const double *a, const double *b, size_t n);

/* The same for pairs on several nodes; see stats_over_nodes(). */
struct stats_summary stats_paired_over_nodes(const double *a, const double *b, const size_t *node,
                                             size_t n);

/*
 * Ratio a / b of unpaired launch medians (of two runs, or two machines),
 * na, nb ≥ 2: Welch's t on the logs with Satterthwaite's degrees of freedom
 * (Welch 1947, doi 10.1093/biomet/34.1-2.28), rounded down. `launches` is those
 * degrees of freedom plus one, and `between_sd` is the standard error times the
 * square root of `launches`, so stats_launches_needed() works for both kinds.
 */
struct stats_summary stats_unpaired_ratio(const double *a, size_t na, const double *b, size_t nb);

/* (hi - lo) / 2 / typical; infinite with fewer than two launches. */
double stats_halfwidth(const struct stats_summary *s);

/* --- comparing A with B: lib/stats_compare.c --- */

/* What a ratio of times a / b says about a. */
enum stats_verdict {
	STATS_UNDECIDED,
	STATS_FASTER, /* a takes less time than b */
	STATS_SLOWER,
	STATS_EQUIVALENT,
};

/* "undecided", "faster", "slower", "equivalent" */
const char *stats_verdict_name(enum stats_verdict v);

/*
 * The verdict of a ratio's 95 % interval with an equivalence band ±`band`
 * (0.005: half a percent; the band is [1 / (1 + band), 1 + band], so that
 * swapping a and b swaps the verdict):
 *   inside the band              equivalent
 *   excludes 1, not inside       faster or slower
 *   else, or one launch only     undecided
 * Equivalence needs an interval inside the band; a difference that was merely not
 * found is not enough (Schuirmann 1987, doi 10.1007/BF01068419; here at 2.5 % a side).
 */
enum stats_verdict stats_verdict(const struct stats_summary *ratio, double band);

/*
 * The number of further launches that would decide an undecided ratio if its mean
 * and spread did not change; 0 if it is decided. Declared for tests.
 */
size_t stats_launches_needed(const struct stats_summary *ratio, double band);

/* A comparison with everything that follows from it. */
struct stats_comparison {
	struct stats_summary ratio; /* of times, a / b */
	double band, p; /* p under the hypothesis "ratio = 1", for stats_discoveries() */
	enum stats_verdict verdict;
	size_t more; /* further launches needed on each side, if undecided */
};

/*
 * Compares launch medians a[i] and b[i] that were taken next to each other,
 * n ≥ 2: paired t on log ratios. With the order A B, B A, A B, … (ABBA) a
 * drift that is linear in time drops out of the mean and widens the interval.
 */
struct stats_comparison stats_compare(const double *a, const double *b, size_t n, double band);

/* The same for unpaired medians. */
struct stats_comparison stats_compare_unpaired(const double *a, size_t na, const double *b,
                                               size_t nb, double band);

#define STATS_BAND_PERCENT 0.5 /* smaller differences are none, whatever null controls say */

/*
 * The equivalence band of a comparison: half a percent, or the run's noise if that
 * is larger. The noise is the largest |log| of its n null ratios, each of which
 * compares a case with a copy of itself.
 */
double stats_band(const double *null_ratio, size_t n);

/* --- tests on ranks and many tests: lib/stats_rank.c --- */

/* The trend of a sequence. */
struct stats_trend {
	double tau; /* Kendall's tau-b, -1 … 1 */
	double p;   /* two-sided */
};

/*
 * Kendall's tau of y against its order, by the normal approximation with the
 * variance corrected for ties (Kendall 1975, Rank Correlation Methods; as the
 * Mann-Kendall test). n < 3 or all equal: tau 0, p 1.
 */
struct stats_trend stats_trend(const double *y, size_t n);

/* Flag `drift` of a launch's samples: stats_trend() with p < 0.001. */
bool stats_drifts(const double *y, size_t n);

/*
 * Two-sided p of the Mann-Whitney U test of a against b, na, nb ≥ 1: normal
 * approximation, corrected for ties and continuity (Mann & Whitney 1947, doi
 * 10.1214/aoms/1177730491). *u, if not NULL, gets U of a.
 */
double stats_mann_whitney(const double *a, size_t na, const double *b, size_t nb, double *u);

/*
 * Sets found[i] for each of the n tests with p-value p[i] that is significant at
 * false-discovery rate q (Benjamini & Hochberg 1995, doi
 * 10.1111/j.2517-6161.1995.tb02031.x). Returns the number of such tests.
 */
size_t stats_discoveries(const double *p, size_t n, double q, bool *found);

/* --- two speeds: lib/stats_modes.c --- */

/*
 * Do the values m[0..n), all > 0, have two modes, so that their mean is near none of them? Their
 * sorted logs are split at the widest gap that leaves two or more on each side. They have two
 * modes if this gap is more than 2 %, and more than twice the range of either side. Returns the
 * number of values in the lower mode, and the geometric means of both in `mode`; 0: there is one.
 * Fewer than ten values have one.
 *
 * Without the 2 %, simulated noise of one mode passes for two in 0.1 % (normal), 0.4 % (Student's
 * t with 3 degrees of freedom) or 0.7 % (uniform) of samples of ten; with twelve values in a third
 * of that.
 */
size_t stats_two_modes(const double *m, size_t n, double mode[2]);

/* --- a value over time: lib/stats_history.c --- */

/*
 * Splits y[0..n), values > 0 in time order, into stretches of one level each.
 * first[] (room for n) gets the index at which each stretch begins, with first[0]
 * = 0; returns the number of stretches. The split minimises the squared error of
 * log y around the levels plus a penalty for each stretch (optimal partitioning:
 * Jackson et al. 2005, doi 10.1109/LSP.2001.838216). The noise is estimated from
 * the median of successive differences, so steps do not count as noise. A stretch
 * has at least two values, so a single outlier is not a step; fewer than 8 values
 * always form one stretch.
 *
 * Simulated with independent normal noise of at least 0.05 %:
 *   false steps in noise alone (8 to 100 values)    at most 3 % of histories
 *   a step of 6 standard deviations in the middle   found in 80 % (8 values), 95 % (10)
 *   a step of 4 standard deviations in the middle   found in 80 % (12 values), 99 % (20)
 * A random walk, or noise with many outliers, shows false steps more often.
 */
size_t stats_steps(const double *y, size_t n, size_t *first);

#endif
