#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/stats.h"
#include "lib/units.h"

static void near(double got, double want, double rel)
{
	if (!(fabs(got - want) <= rel * fabs(want)))
		fail_msg("got %.17g, expected %.17g", got, want);
}

static void medians_and_quantiles(void **state)
{
	(void)state;
	double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2}, one[] = {7};
	near(stats_median(odd, 3), 2, 0);
	near(stats_median(even, 4), 2.5, 0);
	near(stats_median(one, 1), 7, 0);
	near(stats_quantile_sorted(even, 4, 0.5), 2.5, 0);
	near(stats_quantile_sorted(even, 4, 1), 4, 0);
	near(stats_quantile_sorted(even, 4, 0.25), 1.75, 1e-15);
}

static void t_quantiles_match_the_tables(void **state)
{
	(void)state;
	near(stats_t975(1), 12.7062, 1e-5);
	near(stats_t975(9), 2.2622, 1e-4);
	near(stats_t975(40), 2.0211, 1e-4);
	near(stats_t975(120), 1.9799, 1e-4);
	near(stats_t975(100000), 1.95999, 1e-4);
}

static void halfwidth_is_at_least_half_a_tick(void **state)
{
	(void)state;
	double same[30];
	for (int i = 0; i < 30; i++)
		same[i] = 100;
	near(stats_median_halfwidth(same, 30, 32), 0.16, 1e-12);
	double ramp[100];
	for (int i = 0; i < 100; i++)
		ramp[i] = 1000 + i;
	/* ranks 40 and 60 of 0..99, median 1049.5 */
	near(stats_median_halfwidth(ramp, 100, 0), 10 / 1049.5, 1e-12);
}

static struct stats_summary on_one_node(const double *m, size_t n)
{
	static const size_t node[16];
	assert_true(n <= ARRAY_LEN(node));
	return stats_over_nodes(m, node, n);
}

static void intervals_of_known_launches(void **state)
{
	(void)state;
	double m[] = {1, M_E};
	struct stats_summary s = on_one_node(m, 2);
	near(s.typical, exp(0.5), 1e-12);
	near(log(s.hi / s.typical), 12.7062 * sqrt(0.5) / sqrt(2), 1e-9);
	near(s.typical / s.lo, s.hi / s.typical, 1e-9);
	double one[] = {5};
	s = on_one_node(one, 1);
	near(s.lo, 5, 1e-15);
	assert_true(isinf(stats_halfwidth(&s)));
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

static void intervals_cover_as_promised(void **state)
{
	(void)state;
	enum { REPEATS = 4000, LAUNCHES = 10 };
	uint64_t x = 42;
	int covered = 0, paired = 0;
	for (int r = 0; r < REPEATS; r++) {
		double a[LAUNCHES], b[LAUNCHES];
		for (int l = 0; l < LAUNCHES; l++) {
			double common = 0.05 * normal(&x);
			a[l] = exp(common + 0.003 * normal(&x));
			b[l] = exp(common + 0.003 * normal(&x));
		}
		struct stats_summary s = on_one_node(a, LAUNCHES);
		covered += s.lo <= 1 && 1 <= s.hi;
		s = stats_paired_ratio(a, b, LAUNCHES);
		paired += s.lo <= 1 && 1 <= s.hi;
		assert_true(stats_halfwidth(&s) < 0.02); /* what launches share cancels */
	}
	near(covered / (double)REPEATS, 0.95, 0.015);
	near(paired / (double)REPEATS, 0.95, 0.015);
}

/* At least five of ten planned launches are published: the effect on intervals (docs/rules.md). */
static void a_run_that_was_cut_short(void **state)
{
	(void)state;
	enum { REPEATS = 20000, PLANNED = 10, FEWEST = 5 };
	uint64_t x = 43;
	int limit = 0, liked = 0;
	for (int r = 0; r < REPEATS; r++) {
		double m[PLANNED];
		size_t n = FEWEST;
		for (int l = 0; l < PLANNED; l++)
			m[l] = exp(0.01 * normal(&x));
		/* by a limit that knows nothing of the results */
		struct stats_summary s =
		        on_one_node(m, FEWEST + (size_t)r % (PLANNED - FEWEST + 1));
		limit += s.lo <= 1 && 1 <= s.hi;
		/* by somebody who waits for a time that is surely below the truth */
		do
			s = on_one_node(m, n);
		while (s.hi >= 1 && n++ < PLANNED);
		liked += s.lo <= 1 && 1 <= s.hi;
	}
	near(limit / (double)REPEATS, 0.95, 0.007);
	near(liked / (double)REPEATS, 0.913, 0.01);
}

static void formatted(double v, double hw, const char *si, const char *number, const char *unit)
{
	struct unit_text t;
	unit_format(v, hw, si, &t);
	assert_string_equal(t.number, number);
	assert_string_equal(t.unit, unit);
}

/* Node numbers have no meaning: a part of the launches lacks those of some nodes. */
static void nodes_by_any_numbers(void **state)
{
	(void)state;
	const double m[] = {1.0, 1.1, 2.0, 2.1}, other[] = {1, 1, 1, 1};
	const size_t node[] = {0, 0, 1, 1}, left_out[] = {3, 3, 90, 90};
	struct stats_summary a = stats_over_nodes(m, node, 4);
	struct stats_summary b = stats_over_nodes(m, left_out, 4);
	struct stats_summary c = stats_paired_over_nodes(m, other, left_out, 4);
	near(b.lo, a.lo, 0);
	near(b.hi, a.hi, 0);
	near(c.lo, a.lo, 0);
	assert_true(a.lo < on_one_node(m, 4).lo); /* two units, not four */
}

/* A stranger's file may have very many launches of one case, each on a node of its own. */
static void many_nodes_cost_what_they_are(void **state)
{
	(void)state;
	enum { MANY = 200000 };
	double *m = calloc(MANY, sizeof *m);
	size_t *node = calloc(MANY, sizeof *node);
	assert_true(m && node);
	for (size_t i = 0; i < MANY; i++)
		m[i] = 1, node[i] = i;
	clock_t began = clock();
	near(stats_over_nodes(m, node, MANY).typical, 1, 0);
	assert_true(clock() - began < 2 * CLOCKS_PER_SEC);
	free(m);
	free(node);
}

static void numbers_show_what_the_interval_supports(void **state)
{
	(void)state;
	formatted(4.3134e12, 0.004e12, "B/s", "4.313", "TB/s");
	formatted(4.3134e12, 0.2e12, "B/s", "4.31", "TB/s");
	formatted(4.3134e12, 1, "B/s", "4.313", "TB/s");
	formatted(250.123e-6, 0.3e-6, "s", "250.1", "µs");
	formatted(999.96e-6, 0.01e-6, "s", "1.0000", "ms");
	formatted(999.96e-6, 1e-6, "s", "1.000", "ms");
	formatted(0.1234, 0, "s", "123", "ms");
	formatted(2.5, 0.01, "s", "2.50", "s");
	formatted(1.5e15, 0, "FLOP/s", "1.50", "PFLOP/s");
	formatted(89.44, 0.2, "%", "89.4", "%");
	formatted(1234.5, 0, "FLOP/B", "1234", "FLOP/B");
	formatted(0, 0, "s", "0", "s");
}

static void sizes_as_engineers_say_them(void **state)
{
	(void)state;
	char s[32];
	int64_t v;
	unit_size(268435456, s);
	assert_string_equal(s, "2^28");
	unit_size(16384, s);
	assert_string_equal(s, "16384");
	unit_size(28672, s);
	assert_string_equal(s, "28672");
	assert_true(unit_parse_size(STR("2^28"), &v) && v == 268435456);
	assert_true(unit_parse_size(STR("64Ki"), &v) && v == 65536);
	assert_true(unit_parse_size(STR("3M"), &v) && v == 3000000);
	assert_true(unit_parse_size(STR("77"), &v) && v == 77);
	assert_false(unit_parse_size(STR("2^99"), &v) || unit_parse_size(STR("x"), &v));
	assert_false(unit_parse_size(STR("9223372036854775807Ki"), &v));
}

static void counts_have_their_thousands_apart(void **state)
{
	static const char *const c[][2] = {{"7", "7"},
	                                   {"9999", "9999"},
	                                   {"16384", "16\u202f384"},
	                                   {"118185", "118\u202f185"},
	                                   {"30008505", "30\u202f008\u202f505"},
	                                   {"2.3 million", "2.3 million"},
	                                   {"", ""}};
	struct sb text = {0};
	(void)state;
	for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
		sb_clear(&text);
		unit_count(str_of(c[i][0]), &text);
		assert_true(str_is(sb_view(&text), c[i][1]));
	}
	sb_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(medians_and_quantiles),
	        cmocka_unit_test(t_quantiles_match_the_tables),
	        cmocka_unit_test(halfwidth_is_at_least_half_a_tick),
	        cmocka_unit_test(intervals_of_known_launches),
	        cmocka_unit_test(intervals_cover_as_promised),
	        cmocka_unit_test(a_run_that_was_cut_short),
	        cmocka_unit_test(nodes_by_any_numbers),
	        cmocka_unit_test(many_nodes_cost_what_they_are),
	        cmocka_unit_test(counts_have_their_thousands_apart),
	        cmocka_unit_test(numbers_show_what_the_interval_supports),
	        cmocka_unit_test(sizes_as_engineers_say_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
