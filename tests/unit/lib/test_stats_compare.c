#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/stats.h"

static void near(double got, double want, double rel)
{
	if (!(fabs(got - want) <= rel * fabs(want)))
		fail_msg("got %.17g, expected %.17g", got, want);
}

static void share(int count, int of, double lo, double hi)
{
	double s = count / (double)of;
	if (!(s >= lo && s <= hi))
		fail_msg("%d of %d is %.4f, expected %.4f to %.4f", count, of, s, lo, hi);
}

/* Standard normal by Box-Muller over a fixed linear congruential sequence. */
static double normal(uint64_t *x)
{
	double u[2];
	for (int i = 0; i < 2; i++) {
		*x = *x * 6364136223846793005u + 1442695040888963407u;
		u[i] = ((double)(*x >> 11) + 1) / 9007199254740993.0;
	}
	return sqrt(-2 * log(u[0])) * cos(2 * M_PI * u[1]);
}

static void fill(uint64_t *x, double *out, size_t n, double mean, double sd)
{
	for (size_t i = 0; i < n; i++)
		out[i] = exp(mean + sd * normal(x));
}

/* --- verdicts --- */

static enum stats_verdict verdict(double lo, double hi)
{
	struct stats_summary s = {.typical = sqrt(lo * hi), .lo = lo, .hi = hi, .launches = 10};
	return stats_verdict(&s, 0.005);
}

static void four_verdicts(void **state)
{
	(void)state;
	assert_int_equal(verdict(0.996, 1.004), STATS_EQUIVALENT);
	assert_int_equal(verdict(1.001, 1.004), STATS_EQUIVALENT); /* differs, but by too little */
	assert_int_equal(verdict(0.980, 0.990), STATS_FASTER);
	assert_int_equal(verdict(0.990, 0.999), STATS_FASTER);
	assert_int_equal(verdict(1.010, 1.020), STATS_SLOWER);
	assert_int_equal(verdict(1.001, 1.020), STATS_SLOWER);
	assert_int_equal(verdict(0.990, 1.010), STATS_UNDECIDED);
	assert_int_equal(verdict(0.999, 1.010), STATS_UNDECIDED);
	struct stats_summary one = {.typical = 1, .lo = 1, .hi = 1, .launches = 1};
	assert_int_equal(stats_verdict(&one, 0.005), STATS_UNDECIDED);
}

static void swapping_the_sides_swaps_the_verdict(void **state)
{
	(void)state;
	uint64_t x = 7;
	for (int r = 0; r < 2000; r++) {
		double a[10], b[10];
		fill(&x, a, 10, 0, 0.004);
		fill(&x, b, 10, 0.004, 0.004);
		enum stats_verdict ab = stats_compare(a, b, 10, 0.005).verdict;
		enum stats_verdict ba = stats_compare(b, a, 10, 0.005).verdict;
		if (ab == STATS_FASTER || ab == STATS_SLOWER)
			assert_int_equal(ab + ba, STATS_FASTER + STATS_SLOWER);
		else
			assert_int_equal(ab, ba);
	}
}

static void names_of_verdicts(void **state)
{
	(void)state;
	assert_string_equal(stats_verdict_name(STATS_UNDECIDED), "undecided");
	assert_string_equal(stats_verdict_name(STATS_FASTER), "faster");
	assert_string_equal(stats_verdict_name(STATS_SLOWER), "slower");
	assert_string_equal(stats_verdict_name(STATS_EQUIVALENT), "equivalent");
}

/* The computed number of launches is enough to decide, and one fewer is not. */
static void further_launches_are_just_enough(void **state)
{
	(void)state;
	for (int k = -12; k <= 12; k++) {
		struct stats_summary s = {
		        .typical = exp(k * 0.001), .between_sd = 0.03, .launches = 10};
		double mean = log(s.typical), half = stats_t975(9) * 0.03 / sqrt(10);
		s.lo = exp(mean - half);
		s.hi = exp(mean + half);
		assert_int_equal(stats_verdict(&s, 0.005), STATS_UNDECIDED);
		size_t more = stats_launches_needed(&s, 0.005);
		assert_true(more > 0);
		for (size_t n = 9 + more; n <= 10 + more; n++) {
			half = stats_t975(n - 1) * 0.03 / sqrt((double)n);
			struct stats_summary t = {.typical = s.typical,
			                          .lo = exp(mean - half),
			                          .hi = exp(mean + half),
			                          .launches = n};
			bool decided = stats_verdict(&t, 0.005) != STATS_UNDECIDED;
			assert_int_equal(decided, n == 10 + more);
		}
	}
	struct stats_summary sure = {.typical = 2, .lo = 1.9, .hi = 2.1, .launches = 10};
	assert_int_equal(stats_launches_needed(&sure, 0.005), 0);
}

static void the_band_is_the_noise_of_the_null(void **state)
{
	(void)state;
	double calm[] = {1.001, 0.999}, wild[] = {1.002, 1 / 1.02, 0.999};
	near(stats_band(calm, 2), 0.005, 0);
	near(stats_band(wild, 3), 0.02, 1e-12);
	near(stats_band(NULL, 0), 0.005, 0);
}

/* --- promises, by simulation --- */

enum { REPEATS = 8000, LAUNCHES = 10 };

/* A against A: with 0.3 % noise between launches, at most 5 % are called faster or slower. */
static void equal_code_is_seldom_called_different(void **state)
{
	(void)state;
	uint64_t x = 11;
	int alarms = 0, covered = 0, rejected = 0;
	for (int r = 0; r < REPEATS; r++) {
		double a[LAUNCHES], b[LAUNCHES];
		fill(&x, a, LAUNCHES, 0, 0.003);
		fill(&x, b, LAUNCHES, 0, 0.003);
		struct stats_comparison c = stats_compare(a, b, LAUNCHES, 0.005);
		alarms += c.verdict == STATS_FASTER || c.verdict == STATS_SLOWER;
		covered += c.ratio.lo <= 1 && c.ratio.hi >= 1;
		rejected += c.p < 0.05;
		assert_int_equal(c.p<0.05, c.ratio.lo> 1 || c.ratio.hi < 1);
	}
	share(alarms, REPEATS, 0, 0.05);
	share(covered, REPEATS, 0.93, 0.97);
	share(rejected, REPEATS, 0.03, 0.07);
}

/* With 0.3 % noise between launches, a difference of 0.5 % is found in nine of ten, 1 % always. */
static void small_differences_are_found(void **state)
{
	(void)state;
	uint64_t x = 12;
	int half = 0, one = 0, blind = 0;
	for (int r = 0; r < REPEATS; r++) {
		double a[LAUNCHES], b[LAUNCHES];
		fill(&x, a, LAUNCHES, 0, 0.003);
		fill(&x, b, LAUNCHES, 0.005, 0.003);
		half += stats_compare(a, b, LAUNCHES, 0.005).verdict == STATS_FASTER;
		fill(&x, b, LAUNCHES, 0.01, 0.003);
		one += stats_compare(a, b, LAUNCHES, 0.005).verdict == STATS_FASTER;
		fill(&x, b, LAUNCHES, 0.02, 0.003);
		blind += stats_compare(a, b, LAUNCHES, 0.005).verdict == STATS_EQUIVALENT;
	}
	share(half, REPEATS, 0.885, 0.915); /* noncentral t, 9 degrees, 3.73: 0.899 */
	share(one, REPEATS, 0.999, 1);
	assert_int_equal(blind, 0);
}

/* A clock that slows down steadily makes no difference, because the order alternates. */
static void linear_drift_cancels(void **state)
{
	(void)state;
	uint64_t x = 13;
	int alarms = 0;
	for (int r = 0; r < REPEATS; r++) {
		double a[LAUNCHES], b[LAUNCHES];
		for (int i = 0; i < LAUNCHES; i++) {
			int first = 2 * i, second = 2 * i + 1;
			a[i] = exp(0.002 * (i % 2 ? second : first) + 0.003 * normal(&x));
			b[i] = exp(0.002 * (i % 2 ? first : second) + 0.003 * normal(&x));
		}
		enum stats_verdict v = stats_compare(a, b, LAUNCHES, 0.005).verdict;
		alarms += v == STATS_FASTER || v == STATS_SLOWER;
	}
	share(alarms, REPEATS, 0, 0.05);
}

static void unpaired_intervals_cover(void **state)
{
	(void)state;
	uint64_t x = 14;
	int covered = 0, alarms = 0;
	for (int r = 0; r < REPEATS; r++) {
		double a[10], b[7];
		fill(&x, a, 10, 0.1, 0.01);
		fill(&x, b, 7, 0, 0.003);
		struct stats_comparison c = stats_compare_unpaired(a, 10, b, 7, 0.005);
		covered += c.ratio.lo <= exp(0.1) && exp(0.1) <= c.ratio.hi;
		fill(&x, a, 10, 0, 0.01);
		c = stats_compare_unpaired(a, 10, b, 7, 0.005);
		alarms += c.verdict == STATS_FASTER || c.verdict == STATS_SLOWER;
	}
	share(covered, REPEATS, 0.93, 0.97);
	share(alarms, REPEATS, 0, 0.06);
}

/* Equal spreads and sizes: Welch's test is Student's with na + nb - 2. */
static void unpaired_in_closed_form(void **state)
{
	(void)state;
	double a[] = {exp(1), exp(3)}, b[] = {exp(4), exp(6)};
	struct stats_summary s = stats_unpaired_ratio(a, 2, b, 2);
	near(s.typical, exp(-3), 1e-12);
	near(log(s.hi / s.typical), 4.3027 * sqrt(2), 1e-9);
	assert_int_equal(s.launches, 3);
}

static void p_values_of_t(void **state)
{
	(void)state;
	/* one degree of freedom is Cauchy: p = 1 - 2 atan(t) / pi */
	for (double t = 0.1; t < 50; t *= 1.7)
		near(stats_t_p(t, 1), 1 - 2 * atan(t) / M_PI, 1e-11);
	/* two: p = 1 - t / sqrt(2 + t²) */
	for (double t = 0.1; t < 50; t *= 1.7)
		near(stats_t_p(-t, 2), 1 - t / sqrt(2 + t * t), 1e-10);
	for (size_t df = 1; df < 200; df++)
		near(stats_t_p(stats_t975(df), (double)df), 0.05, 1e-3);
	near(stats_t_p(0, 5), 1, 1e-12);
	near(stats_t_p(1.5, 1e7), erfc(1.5 / sqrt(2)), 1e-5);
}

/* --- medians, ranks --- */

static void intervals_of_the_median(void **state)
{
	(void)state;
	double ramp[100];
	for (int i = 0; i < 100; i++)
		ramp[i] = 100 - i;
	near(stats_median_halfwidth(ramp, 100, 0), 10 / 50.5, 1e-12); /* from 41 to 61 */
	double one[] = {3};
	near(stats_median_halfwidth(one, 1, 0), 0, 0);
	uint64_t x = 15;
	int covered = 0;
	for (int r = 0; r < REPEATS; r++) {
		double s[46];
		fill(&x, s, 46, 0, 1);
		double half = stats_median_halfwidth(s, 46, 0), m = stats_median(s, 46);
		covered += fabs(m - 1) <= half * m;
	}
	share(covered, REPEATS, 0.93, 0.98);
}

static void kendall_by_hand(void **state)
{
	(void)state;
	/* 12 35 41 2 4: of 10 pairs 4 rise and 6 fall; variance 5·4·15/18 */
	double y[] = {12, 35, 41, 2, 4};
	struct stats_trend t = stats_trend(y, 5);
	near(t.tau, -0.2, 1e-12);
	near(t.p, erfc(1 / sqrt(50.0 / 3) / sqrt(2)), 1e-12);
	double up[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
	near(stats_trend(up, 10).tau, 1, 1e-12);
	assert_true(stats_drifts(up, 10));
	double flat[] = {5, 5, 5, 5};
	near(stats_trend(flat, 4).p, 1, 0);
	/* ties: 5 pairs rise, 1 tied: tau-b = 5 / sqrt(6 · 5) */
	double tied[] = {1, 1, 2, 3};
	near(stats_trend(tied, 4).tau, 5 / sqrt(30), 1e-12);
}

static void drift_flags_keep_their_rate(void **state)
{
	(void)state;
	uint64_t x = 16;
	int flagged = 0, five = 0, found = 0;
	for (int r = 0; r < REPEATS; r++) {
		double s[46];
		fill(&x, s, 46, 0, 0.01);
		flagged += stats_drifts(s, 46);
		five += stats_trend(s, 46).p < 0.05;
		for (int i = 0; i < 46; i++)
			s[i] *= exp(0.001 * i);
		found += stats_drifts(s, 46);
	}
	share(flagged, REPEATS, 0, 0.003);
	share(five, REPEATS, 0.035, 0.065);
	share(found, REPEATS, 0.95, 1);
}

static void mann_whitney_by_hand(void **state)
{
	(void)state;
	/* ranks of a: 1 2 4, sum 7, U = 1; variance 3·3·7/12, |1 - 4.5| - 0.5 = 3 */
	double a[] = {1, 2, 4}, b[] = {3, 5, 6}, u;
	near(stats_mann_whitney(a, 3, b, 3, &u), erfc(3 / sqrt(5.25) / sqrt(2)), 1e-12);
	near(u, 1, 0);
	/* ties: ranks 1.5 1.5 3.5 | 3.5 5; U of a = 6.5 - 6 = 0.5 */
	double c[] = {1, 1, 2}, d[] = {2, 3};
	double variance = 3 * 2 / 12.0 * (6 - (6 + 6) / 20.0);
	near(stats_mann_whitney(c, 3, d, 2, &u), erfc(2 / sqrt(variance) / sqrt(2)), 1e-12);
	near(u, 0.5, 1e-12);
	double same[] = {4, 4};
	near(stats_mann_whitney(same, 2, same, 2, NULL), 1, 0);
	uint64_t x = 17;
	int rejected = 0;
	for (int r = 0; r < REPEATS; r++) {
		double p[30], q[40];
		fill(&x, p, 30, 0, 1);
		fill(&x, q, 40, 0, 1);
		rejected += stats_mann_whitney(p, 30, q, 40, NULL) < 0.05;
	}
	share(rejected, REPEATS, 0.035, 0.065);
}

/* The example of section 3 of the paper: 15 p-values, 4 discoveries at 5 %. */
static void discoveries_of_benjamini_and_hochberg(void **state)
{
	(void)state;
	double p[] = {0.0344, 0.0001, 0.0095, 0.0004, 0.0019, 0.0201, 0.0278, 0.0298,
	              0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0};
	bool found[15];
	assert_int_equal(stats_discoveries(p, 15, 0.05, found), 4);
	for (int i = 0; i < 15; i++)
		assert_int_equal(found[i], p[i] <= 0.0095);
	double none[] = {0.5, 0.9};
	assert_int_equal(stats_discoveries(none, 2, 0.05, found), 0);
	assert_false(found[0] || found[1]);
	assert_int_equal(stats_discoveries(none, 0, 0.05, found), 0);
}

/* --- histories --- */

static void steps_are_found_where_they_are(void **state)
{
	(void)state;
	double y[] = {1, 1.001, 0.999, 1, 1.002, 0.998, 1.1, 1.101, 1.099, 1.1, 1.102, 1.098};
	size_t first[12];
	assert_int_equal(stats_steps(y, 12, first), 2);
	assert_int_equal(first[0], 0);
	assert_int_equal(first[1], 6);
	y[3] = 1.5; /* one outlier is no step */
	assert_int_equal(stats_steps(y, 12, first), 2);
	assert_int_equal(first[1], 6);
	for (size_t at = 0; at < 12; at++) { /* wherever it is, the newest included */
		double level[12];
		for (size_t i = 0; i < 12; i++)
			level[i] = i == at ? 1.2 : 1 + 1e-4 * (double)(i * 5 % 7);
		assert_int_equal(stats_steps(level, 12, first), 1);
	}
	double flat[] = {3, 3, 3, 3, 3, 3, 3, 3, 3};
	assert_int_equal(stats_steps(flat, 9, first), 1);
	assert_int_equal(stats_steps(y, 7, first), 1);
	assert_int_equal(stats_steps(y, 0, first), 0);
}

/* Noise alone: a step in at most 5 % of histories, whatever their length. */
static void noise_is_seldom_called_a_step(void **state)
{
	(void)state;
	static const size_t lengths[] = {8, 10, 12, 16, 24, 48, 100};
	uint64_t x = 18;
	for (size_t k = 0; k < ARRAY_LEN(lengths); k++) {
		size_t n = lengths[k], first[100];
		int alarms = 0, found = 0;
		double y[100];
		for (int r = 0; r < 2000; r++) {
			fill(&x, y, n, 0, 0.003);
			alarms += stats_steps(y, n, first) > 1;
			for (size_t i = n / 2; i < n; i++)
				y[i] *= 1.05;
			found += stats_steps(y, n, first) == 2 && first[1] == n / 2;
		}
		share(alarms, 2000, 0, 0.035);
		share(found, 2000, 0.9, 1);
	}
}

/* n values with 0.3 % noise: a step of `sd` standard deviations is found in a share of lo to 1. */
static void power_of_steps(uint64_t *x, size_t n, double sd, double lo)
{
	int found = 0;
	for (int r = 0; r < 2000; r++) {
		double y[100];
		size_t first[100];
		fill(x, y, n, 0, 0.003);
		for (size_t i = n / 2; i < n; i++)
			y[i] *= exp(0.003 * sd);
		found += stats_steps(y, n, first) > 1;
	}
	share(found, 2000, lo, 1);
}

static void steps_are_found_as_often_as_promised(void **state)
{
	(void)state;
	uint64_t x = 19;
	power_of_steps(&x, 8, 6, 0.78);
	power_of_steps(&x, 10, 6, 0.93);
	power_of_steps(&x, 12, 4, 0.78);
	power_of_steps(&x, 20, 4, 0.975);
}

/* Values that are equal, but for one of five that is a tick of 0.1 % more. */
static void rounding_to_ticks_makes_no_step(void **state)
{
	(void)state;
	uint64_t x = 20;
	for (size_t n = 8; n <= 100; n += 23) {
		int alarms = 0;
		for (int r = 0; r < 2000; r++) {
			double y[100];
			size_t first[100];
			for (size_t i = 0; i < n; i++)
				y[i] = normal(&x) > 0.84 ? 1.001 : 1;
			alarms += stats_steps(y, n, first) > 1;
		}
		share(alarms, 2000, 0, 0.05);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(four_verdicts),
	        cmocka_unit_test(swapping_the_sides_swaps_the_verdict),
	        cmocka_unit_test(names_of_verdicts),
	        cmocka_unit_test(further_launches_are_just_enough),
	        cmocka_unit_test(the_band_is_the_noise_of_the_null),
	        cmocka_unit_test(equal_code_is_seldom_called_different),
	        cmocka_unit_test(small_differences_are_found),
	        cmocka_unit_test(linear_drift_cancels),
	        cmocka_unit_test(unpaired_intervals_cover),
	        cmocka_unit_test(unpaired_in_closed_form),
	        cmocka_unit_test(p_values_of_t),
	        cmocka_unit_test(intervals_of_the_median),
	        cmocka_unit_test(kendall_by_hand),
	        cmocka_unit_test(drift_flags_keep_their_rate),
	        cmocka_unit_test(mann_whitney_by_hand),
	        cmocka_unit_test(discoveries_of_benjamini_and_hochberg),
	        cmocka_unit_test(steps_are_found_where_they_are),
	        cmocka_unit_test(noise_is_seldom_called_a_step),
	        cmocka_unit_test(steps_are_found_as_often_as_promised),
	        cmocka_unit_test(rounding_to_ticks_makes_no_step),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
