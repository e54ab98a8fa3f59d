/* The choice of cases that get a short warm-up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "lib/array.h"
#include "runner/measure/warm.h"
#include "tests/unit/help/faulty.h"

enum { KEPT = 64, WARM = 20, SAMPLES = 12, MS = 1000000 };

static struct settings settings(int64_t short_ms)
{
	struct settings s = settings_default;
	s.warmup_ms = WARM;
	s.short_warmup_ms = short_ms;
	return s;
}

/* A launch whose calls take 1 ms, and `more` ns longer from call `from` on. */
struct call_times {
	int64_t ns[WARM + SAMPLES];
	struct run_launch l;
};

static void launch(struct call_times *t, size_t nwarm, size_t from, int64_t more)
{
	for (size_t i = 0; i < nwarm + SAMPLES; i++)
		t->ns[i] = MS + (i >= from ? more : 0);
	t->l = (struct run_launch){.warmup_ns = t->ns,
	                           .nwarmup = nwarm,
	                           .sample_ns = t->ns + nwarm,
	                           .nsamples = SAMPLES};
}

static double moved(size_t from, int64_t more)
{
	struct settings s = settings(4);
	struct call_times t;
	double work[SAMPLES];
	launch(&t, WARM, from, more);
	return warm_moved(&t.l, true, KEPT, &s, work);
}

static void a_steady_case_is_the_same_after_a_short_warm_up(void **state)
{
	(void)state;
	assert_true(moved(0, 0) == 0);
	assert_true(moved(2, 5000) == 0); /* a ramp that is over */
}

static void a_clock_that_falls_late_is_seen(void **state)
{
	(void)state;
	assert_true(fabs(moved(15, 20000) - 0.02 / 1.02) < 1e-9);
	assert_true(fabs(moved(15, -20000) - 0.02 / 0.98) < 1e-9);
}

static void a_short_launch_compares_its_halves(void **state)
{
	(void)state;
	struct settings s = settings(4);
	struct call_times t;
	double work[SAMPLES];
	launch(&t, 4, 0, 0);
	assert_true(warm_moved(&t.l, false, KEPT, &s, work) == 0);
	launch(&t, 4, 10, 20000);
	assert_true(warm_moved(&t.l, false, KEPT, &s, work) > WARM_STEADY);
}

static void what_is_not_known_is_not_the_same(void **state)
{
	(void)state;
	struct settings s = settings(4);
	struct call_times t;
	double work[SAMPLES];
	launch(&t, WARM, 0, 0);
	assert_true(isinf(warm_moved(&t.l, true, WARM, &s, work))); /* more than is kept, perhaps */
	t.l.nsamples = 0;
	assert_true(isinf(warm_moved(&t.l, true, KEPT, &s, work)));
}

static void two_launches_that_agree_make_it_short(void **state)
{
	(void)state;
	const struct settings s = settings(4);
	struct warm w = {0};
	assert_int_equal(warm_ms(&w, &s), WARM);
	warm_learn(&w, &s, 0.001);
	assert_int_equal(warm_ms(&w, &s), WARM);
	warm_learn(&w, &s, 0.001);
	assert_int_equal(warm_ms(&w, &s), 4);
	warm_learn(&w, &s, 0.0025); /* halves scatter more */
	assert_int_equal(warm_ms(&w, &s), 4);
	warm_learn(&w, &s, 0.004);
	assert_int_equal(warm_ms(&w, &s), WARM);
	warm_learn(&w, &s, 0); /* for good */
	assert_int_equal(warm_ms(&w, &s), WARM);
}

static void one_launch_that_does_not_keeps_it_whole(void **state)
{
	(void)state;
	static const double bad[] = {0.003, INFINITY, NAN};
	const struct settings s = settings(4);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct warm w = {0};
		warm_learn(&w, &s, bad[i]);
		for (int n = 0; n < 5; n++)
			warm_learn(&w, &s, 0);
		assert_int_equal(warm_ms(&w, &s), WARM);
	}
}

static void without_a_short_one_all_are_whole(void **state)
{
	(void)state;
	const struct settings s = settings(0);
	struct warm w = {.agreed = 9};
	assert_int_equal(warm_ms(&w, &s), WARM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_steady_case_is_the_same_after_a_short_warm_up),
	        cmocka_unit_test(a_clock_that_falls_late_is_seen),
	        cmocka_unit_test(a_short_launch_compares_its_halves),
	        cmocka_unit_test(what_is_not_known_is_not_the_same),
	        cmocka_unit_test(two_launches_that_agree_make_it_short),
	        cmocka_unit_test(one_launch_that_does_not_keeps_it_whole),
	        cmocka_unit_test(without_a_short_one_all_are_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
