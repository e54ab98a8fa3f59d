/* When a launch has enough samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runner/stop.h"
#include "tests/unit/faulty.h"

enum { LONG_MS = 20 };

static void looks_are_spaced(void **state)
{
	(void)state;
	static const size_t want[] = {30, 46, 70, 106, 160, 241, 362, 544, 817, 1000, 1000};
	size_t n = 0;
	for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
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
	assert_null(reason(29, 0, LONG_MS));
	assert_string_equal(reason(30, 0, LONG_MS), "halfwidth");
	assert_null(reason(31, 0, LONG_MS)); /* not a look */
	assert_string_equal(reason(46, 9000, LONG_MS), "halfwidth");
	assert_null(reason(46, 20000, LONG_MS));
}

static void the_window_must_be_long_enough_to_see_clocks(void **state)
{
	(void)state;
	assert_null(reason(30, 0, settings_default.window_ms - 1));
}

static void limits_stop_too(void **state)
{
	(void)state;
	assert_string_equal(reason(1000, 100000, LONG_MS), "samples");
	assert_string_equal(reason(25, 100000, settings_default.cap_ms), "cap");
	assert_null(reason(10, 100000, settings_default.cap_ms));
	assert_string_equal(reason(3, 100000, 8 * settings_default.cap_ms), "cap");
	assert_null(reason(2, 100000, 8 * settings_default.cap_ms));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(looks_are_spaced),
	        cmocka_unit_test(narrow_samples_stop_at_the_first_look),
	        cmocka_unit_test(the_window_must_be_long_enough_to_see_clocks),
	        cmocka_unit_test(limits_stop_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
