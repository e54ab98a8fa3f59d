#include "lib/arena.h"
#include "site-gen/base/moment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void is(const char *written, const char *utc, const char *stamp)
{
	struct arena a = {0};
	assert_null(moment_check(written));
	assert_string_equal(moment_utc(written, &a), utc);
	assert_string_equal(moment_stamp(moment_utc(written, &a), &a), stamp);
	assert_null(moment_check(utc)); /* its own form is right, too */
	assert_string_equal(moment_utc(utc, &a), utc);
	arena_free(&a);
}

static void test_forms(void **state)
{
	(void)state;
	is("2026-11-21", "2026-11-21", "2026-11-21T00:00:00Z");
	is("2026-11-21T14:05Z", "2026-11-21T14:05:00Z", "2026-11-21T14:05:00Z");
	is("2026-11-21T14:05:09Z", "2026-11-21T14:05:09Z", "2026-11-21T14:05:09Z");
	is("2026-11-21T00:05+08:00", "2026-11-20T16:05:00Z", "2026-11-20T16:05:00Z");
	is("2026-12-31T23:30-05:30", "2027-01-01T05:00:00Z", "2027-01-01T05:00:00Z");
	is("2024-02-29T23:59+00:00", "2024-02-29T23:59:00Z", "2024-02-29T23:59:00Z");
}

static void test_order(void **state)
{
	(void)state;
	struct arena a = {0};
	const char *early = moment_utc("2026-11-21T01:00+02:00", &a);
	const char *late = moment_utc("2026-11-21T00:30Z", &a);
	assert_true(strcmp(early, "2026-11-21") < 0); /* it is the day before in UTC */
	assert_true(strcmp("2026-11-21", late) < 0);
	assert_true(strcmp(late, "2026-11-22") < 0);
	arena_free(&a);
}

static void test_wrong(void **state)
{
	(void)state;
	static const char date[] = "a date like 2026-11-21 or 2026-11-21T14:05Z",
	                  time[] = "a time like 2026-11-21T14:05Z or 2026-11-21T22:05+08:00",
	                  zone[] = "a zone behind the time: Z for UTC, or one like +08:00",
	                  day[] = "a day that the calendar has, from 1970 on",
	                  clock[] = "a time from 00:00 to 23:59:59";
	static const char *const wrong[][2] = {
	        {"", date},
	        {"21.11.2026", date},
	        {"2026-11-21 14:05Z", date},
	        {"2026-11-21t14:05Z", date},
	        {"2026-02-29", day},
	        {"2026-02-29T14:05Z", day},
	        {"2026-11-21T", time},
	        {"2026-11-21T1405Z", time},
	        {"2026-11-21T4:05Z", time},
	        {"2026-11-21T14:05", zone},
	        {"2026-11-21T14:05:09", zone},
	        {"2026-11-21T14:05:9Z", time},
	        {"2026-11-21T14:05z", time},
	        {"2026-11-21T14:05Z ", time},
	        {"2026-11-21T14:05+0800", time},
	        {"2026-11-21T14:05+15:00", time},
	        {"2026-11-21T14:05+08:60", time},
	        {"2026-11-21T24:00Z", clock},
	        {"2026-11-21T14:60Z", clock},
	        {"2026-11-21T14:05:60Z", clock},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		const char *want = moment_check(wrong[i][0]);
		if (!want)
			fail_msg("accepted: %s", wrong[i][0]);
		assert_string_equal(want, wrong[i][1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_forms),
	        cmocka_unit_test(test_order),
	        cmocka_unit_test(test_wrong),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
