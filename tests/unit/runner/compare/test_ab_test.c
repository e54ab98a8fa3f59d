/* B against A: verdicts, alarms, exit status. All values are SYNTHETIC. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runner/base/rng.h"
#include "runner/compare/ab_test.h"

enum { LAUNCHES = 10 };

/* Standard normal, by Box-Muller. */
static double normal(uint64_t *state)
{
	double u = ((double)(rng_next(state) >> 11) + 1) / 9007199254740993.0;
	double v = (double)(rng_next(state) >> 11) / 9007199254740992.0;
	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* Room for the medians of one row. */
struct medians {
	double a[LAUNCHES], b[LAUNCHES];
};

static struct ab_test_row row(struct medians *m, uint64_t *x, double slower, double sd)
{
	for (int i = 0; i < LAUNCHES; i++) {
		m->a[i] = 1e-3 * exp(sd * normal(x));
		m->b[i] = 1e-3 * slower * exp(sd * normal(x));
	}
	return (struct ab_test_row){.a = "a",
	                            .b = "b",
	                            .ma = m->a,
	                            .mb = m->b,
	                            .na = LAUNCHES,
	                            .nb = LAUNCHES,
	                            .paired = true};
}

/* Judges a single row. */
static struct ab_test_row judged(double slower, double sd, int *status)
{
	struct medians m;
	uint64_t x = 3;
	struct ab_test_row r = row(&m, &x, slower, sd);
	struct ab_test v = {.a = "a", .b = "b", .row = &r, .n = 1};
	ab_test_judge(&v, 0);
	*status = ab_test_status(&v);
	return r;
}

static void the_status_is_for_ci(void **state)
{
	(void)state;
	int status;
	struct ab_test_row r = judged(1, 0.001, &status);
	assert_string_equal(ab_test_word(&r), "equivalent");
	assert_int_equal(status, 0);
	r = judged(0.9, 0.001, &status);
	assert_string_equal(ab_test_word(&r), "faster");
	assert_int_equal(status, 0);
	r = judged(1.1, 0.001, &status);
	assert_string_equal(ab_test_word(&r), "slower");
	assert_true(r.alarm);
	assert_int_equal(status, 1);
	r = judged(1, 0.1, &status);
	assert_string_equal(ab_test_word(&r), "undecided");
	assert_true(r.cmp.more > 0);
	assert_int_equal(status, 2);
	struct ab_test none = {0};
	ab_test_judge(&none, 0);
	assert_int_equal(ab_test_status(&none), 2);
}

/* A failed launch prevents success, whatever the other times. */
static void what_is_broken_is_not_decided(void **state)
{
	(void)state;
	for (int same = 0; same < 2; same++) {
		struct medians m[2];
		uint64_t x = 5;
		struct ab_test_row r[2] = {row(&m[0], &x, 1, 0.0001), row(&m[1], &x, 2, 0.0001)};
		struct ab_test v = {.a = "a", .b = "b", .row = r, .n = 1};
		r[0].same_code = same;
		ab_test_judge(&v, 0);
		assert_int_equal(ab_test_status(&v), 0);
		r[0].broken = "B: 1 of 10 launches failed (wrong)";
		ab_test_judge(&v, 0);
		assert_string_equal(ab_test_word(&r[0]), "undecided");
		assert_int_equal(ab_test_status(&v), 2);
		/* nor does it raise an alarm */
		r[1].broken = "B: no such case";
		v.n = 2;
		ab_test_judge(&v, 0);
		assert_false(r[1].alarm);
		assert_int_equal(ab_test_status(&v), 2);
	}
}

/* A noisy machine may not call variants equivalent because its noise hides a difference. */
static void equivalence_within_noise_is_no_success(void **state)
{
	(void)state;
	struct medians m;
	uint64_t x = 6;
	double null[] = {1.08};
	struct ab_test_row r = row(&m, &x, 1.05, 0.001);
	struct ab_test v = {.a = "a", .b = "b", .null_ratio = null, .nnull = 1, .row = &r, .n = 1};
	ab_test_judge(&v, 0);
	assert_string_equal(ab_test_word(&r), "equivalent");
	assert_true(v.wide);
	assert_int_equal(ab_test_status(&v), 2);
	ab_test_judge(&v, 0.08); /* the user may ask for a wide band */
	assert_false(v.wide);
	assert_int_equal(ab_test_status(&v), 0);
	null[0] = 1.005;
	ab_test_judge(&v, 0);
	assert_false(v.wide);
	assert_int_equal(ab_test_status(&v), 1);
}

static void a_band_has_a_least_and_what_is_asked_for_goes_first(void **state)
{
	(void)state;
	struct ab_test v = {.a = "a", .b = "b", .least_band = 0.02};
	ab_test_judge(&v, 0);
	assert_true(v.band == 0.02);
	ab_test_judge(&v, 0.001);
	assert_true(v.band == 0.001);
}

static void equal_code_is_not_tested(void **state)
{
	(void)state;
	struct medians m;
	uint64_t x = 3;
	struct ab_test_row r = row(&m, &x, 1.5, 0.001);
	struct ab_test v = {.row = &r, .n = 1};
	r.same_code = true;
	ab_test_judge(&v, 0);
	assert_string_equal(ab_test_word(&r), "same code");
	assert_false(r.alarm);
	assert_int_equal(ab_test_status(&v), 0);
}

static void the_band_follows_the_null_control(void **state)
{
	(void)state;
	struct medians m;
	uint64_t x = 3;
	double null[] = {1.001, 1.03};
	struct ab_test_row r = row(&m, &x, 1.015, 0.001);
	struct ab_test v = {.null_ratio = null, .nnull = 2, .row = &r, .n = 1};
	ab_test_judge(&v, 0);
	assert_true(fabs(v.band - 0.03) < 1e-12);
	assert_int_equal(r.cmp.verdict, STATS_EQUIVALENT);
	ab_test_judge(&v, 0.005);
	assert_int_equal(r.cmp.verdict, STATS_SLOWER);
}

/* Sixty equal cases: without the correction, three would be called different. */
static void many_cases_give_few_false_alarms(void **state)
{
	(void)state;
	enum { CASES = 60, REPEATS = 400 };
	uint64_t x = 5;
	int alarms = 0, found = 0;
	for (int k = 0; k < REPEATS; k++) {
		struct medians m[CASES];
		struct ab_test_row r[CASES];
		struct ab_test v = {.row = r, .n = CASES};
		for (int i = 0; i < CASES; i++)
			r[i] = row(&m[i], &x, i == 7 ? 1.02 : 1, 0.003);
		ab_test_judge(&v, 0);
		for (int i = 0; i < CASES; i++) {
			alarms += r[i].alarm && i != 7;
			found += r[i].alarm && i == 7;
		}
	}
	assert_true(alarms < REPEATS * 0.08); /* 5 % of the discoveries, one a repeat */
	assert_true(found > REPEATS * 0.99);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_status_is_for_ci),
	        cmocka_unit_test(what_is_broken_is_not_decided),
	        cmocka_unit_test(equivalence_within_noise_is_no_success),
	        cmocka_unit_test(a_band_has_a_least_and_what_is_asked_for_goes_first),
	        cmocka_unit_test(equal_code_is_not_tested),
	        cmocka_unit_test(the_band_follows_the_null_control),
	        cmocka_unit_test(many_cases_give_few_false_alarms),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
