/* The stop rule: when a launch has enough samples. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/stats.h"
#include "runner/measure/stop.h"
#include "tests/unit/help/faulty.h"

enum { LONG_MS = 30 };

static void looks_are_spaced(void **state)
{
	(void)state;
	static const size_t want[] = {12, 19, 29, 44, 67, 101, 152, 229, 344, 517, 776, 1000, 1000};
	size_t n = 0;
	for (size_t i = 0; i < ARRAY_LEN(want); i++) {
		n = stop_next_look(&settings_default, n);
		assert_int_equal(n, want[i]);
	}
}

/* n samples of 1 ms, every second one `spread` ns longer. */
static const char *reason(size_t n, int64_t spread, int64_t elapsed_ms)
{
	int64_t ns[1000];
	double work[1000];
	for (size_t i = 0; i < n; i++)
		ns[i] = 1000000 + (i % 2 ? spread : 0);
	return stop_reason(&settings_default, ns, n, 32, elapsed_ms, work);
}

static void narrow_samples_stop_at_the_first_look(void **state)
{
	(void)state;
	assert_null(reason(11, 0, LONG_MS));
	assert_string_equal(reason(12, 0, LONG_MS), "halfwidth");
	assert_null(reason(13, 0, LONG_MS)); /* not a look */
	assert_string_equal(reason(29, 9000, LONG_MS), "halfwidth");
	assert_null(reason(29, 20000, LONG_MS));
}

static void the_window_must_be_long_enough_to_see_clocks(void **state)
{
	(void)state;
	assert_null(reason(12, 0, settings_default.window_ms - 1));
}

static void limits_stop_too(void **state)
{
	(void)state;
	assert_string_equal(reason(1000, 100000, LONG_MS), "samples");
	assert_string_equal(reason(10, 100000, settings_default.cap_ms), "cap");
	assert_null(reason(9, 100000, settings_default.cap_ms));
	assert_string_equal(reason(3, 100000, 2 * settings_default.cap_ms), "cap");
	assert_null(reason(2, 100000, 2 * settings_default.cap_ms));
}

static void steady_samples_fill_their_window(void **state)
{
	(void)state;
	const struct settings s = settings_of(&settings_default, &(struct way){.load = WAY_STEADY});
	assert_int_equal(s.warmup_ms, settings_default.settle_ms);
	assert_true(s.short_warmup_ms == 0);
	assert_null(stop_window(&s, 400, 999999999));
	assert_string_equal(stop_window(&s, 400, 1000000000), "window");
	assert_null(stop_window(&s, 2, 1900000000)); /* three give a median */
	assert_string_equal(stop_window(&s, 3, 1900000000), "window");
	assert_string_equal(stop_window(&s, 1000, 400000000), "samples");
}

/* Samples that a heavy burst takes of `each_ns` after `warm_ns` of warm-up, in groups of four. */
static size_t burst_of(int64_t each_ns, int64_t warm_ns, const char **stop)
{
	size_t n = 0, more;
	int64_t load_ns = warm_ns;
	while ((more = stop_burst_next(&settings_default, n, 4, load_ns, each_ns, stop)) > 0) {
		assert_true(more <= 4 && !*stop);
		n += more;
		load_ns += (int64_t)more * each_ns;
	}
	return n;
}

static void a_heavy_burst_stays_within_its_budget(void **state)
{
	(void)state;
	const char *stop;
	assert_int_equal(burst_of(1000000, 4000000, &stop), 12); /* no second look */
	assert_string_equal(stop, "samples");
	assert_int_equal(burst_of(1562500, 6250000, &stop), 12); /* to the nanosecond */
	assert_string_equal(stop, "samples");
	assert_int_equal(burst_of(1562501, 6250000, &stop), 11);
	assert_string_equal(stop, "budget");
	assert_int_equal(burst_of(2000000, 8000000, &stop), 8);
	assert_string_equal(stop, "budget");
	/* however long a call turns out to be, there is a median */
	assert_int_equal(burst_of(9000000, 36000000, &stop), 3);
	assert_string_equal(stop, "budget");
}

static void a_way_has_its_own_settings(void **state)
{
	(void)state;
	const struct settings host = settings_of(&settings_default, &(struct way){.host = true});
	const struct settings load =
	        settings_of(&settings_default, &(struct way){.load = WAY_SUSTAINED});
	const struct settings usual = settings_of(&settings_default, &(struct way){.cold = true});
	assert_true(host.halfwidth > settings_default.halfwidth);
	assert_true(host.short_warmup_ms == 0 && load.short_warmup_ms == 0);
	assert_true(load.window_ms > settings_default.window_ms && load.warmup_ms >= 3000);
	assert_memory_equal(&usual, &settings_default, sizeof usual);
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

/* Median of a simulated launch: samples of about 1 ms until the rule is satisfied. */
static double launch(uint64_t *x, double factor, double within, double between)
{
	const struct settings *s = &settings_default;
	int64_t ns[1000];
	double work[1000], here = 1e6 * factor * exp(between * normal(x));
	size_t n = 0;
	do
		ns[n++] = llround(here * exp(within * normal(x)));
	while (!stop_reason(s, ns, n, 32, (int64_t)n, work));
	for (size_t i = 0; i < n; i++)
		work[i] = (double)ns[i];
	return stats_median(work, n);
}

/* Shares of comparisons of ten launches that find half a percent, and that call equal code
 * different. */
static void find(double within, double between, double *found, double *wrong)
{
	enum { REPEATS = 3000, LAUNCHES = 10 };
	uint64_t x = 21;
	*found = *wrong = 0;
	for (int r = 0; r < REPEATS; r++) {
		double a[LAUNCHES], same[LAUNCHES], slow[LAUNCHES];
		for (int i = 0; i < LAUNCHES; i++) {
			a[i] = launch(&x, 1, within, between);
			same[i] = launch(&x, 1, within, between);
			slow[i] = launch(&x, 1.005, within, between);
		}
		struct stats_summary s = stats_paired_ratio(slow, a, LAUNCHES);
		*found += (s.lo > 1) / (double)REPEATS;
		s = stats_paired_ratio(same, a, LAUNCHES);
		*wrong += (s.lo > 1 || s.hi < 1) / (double)REPEATS;
	}
}

/* The claims of the page "How we measure" for more noise than the selftest's kernel has. */
static void half_a_percent_at_one_percent_of_noise(void **state)
{
	(void)state;
	static const struct {
		double between, least, most;
	} row[] = {{0, 0.98, 1}, {0.002, 0.9, 0.93}, {0.003, 0.74, 0.8}};
	for (size_t i = 0; i < ARRAY_LEN(row); i++) {
		double found, wrong;
		find(0.01, row[i].between, &found, &wrong);
		if (found < row[i].least || found > row[i].most || wrong < 0.03 || wrong > 0.07)
			fail_msg("processes %g apart: found %.3f, wrong %.3f", row[i].between,
			         found, wrong);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(looks_are_spaced),
	        cmocka_unit_test(narrow_samples_stop_at_the_first_look),
	        cmocka_unit_test(the_window_must_be_long_enough_to_see_clocks),
	        cmocka_unit_test(limits_stop_too),
	        cmocka_unit_test(steady_samples_fill_their_window),
	        cmocka_unit_test(a_heavy_burst_stays_within_its_budget),
	        cmocka_unit_test(a_way_has_its_own_settings),
	        cmocka_unit_test(half_a_percent_at_one_percent_of_noise),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
