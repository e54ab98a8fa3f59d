/* A program whose kernels are delayed at random may check them, and measures nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "runner/base/stamp.h"
#include "runner/plan/plan.h"
#include "tests/unit/help/faulty.h"

const struct stamp stamp = {.flags_c = "-O3 -DPTX_JITTER -I.", .flags_cuda = "-O3"};

static const struct facts machine = {.usable = true, .slug = "test", .free_bytes = 1 << 30};

static bool plans(enum plan_use use, struct err *e)
{
	static const struct kernel_family *const f[] = {&faulty_family};
	struct arena a = {0};
	struct plan p;
	*e = ERR_NONE;
	bool ok = plan_make_of(f, 1, KERNEL_CPU, use, &machine, NULL, 0, &a, &p, e);
	arena_free(&a);
	return ok;
}

static void it_checks_and_measures_nothing(void **state)
{
	(void)state;
	struct err e;
	assert_true(stamp_jitters());
	assert_true(plans(PLAN_CHECK, &e));
	assert_true(plans(PLAN_SMALL, &e));
	assert_false(plans(PLAN_MEASURE, &e));
	assert_non_null(strstr(e.text, "made with JITTER=1"));
	assert_false(plans(PLAN_CALL, &e));
	assert_non_null(strstr(e.text, "it can check, not measure"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(it_checks_and_measures_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
