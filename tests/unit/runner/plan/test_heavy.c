/* Which cases are heavy, and the batches of their bursts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "lib/array.h"
#include "runner/plan/heavy.h"
#include "runner/plan/method.h"

static struct kernel_model cost;

static void model(const struct kernel_case *c, struct kernel_model *m)
{
	(void)c;
	*m = cost;
}

static const struct kernel_family family = {.id = "product", .model = model};
static const struct kernel_case square;
static const struct kernel_variant cuda = {.where = KERNEL_CUDA}, cpu = {.where = KERNEL_CPU};
/* 132 SMs of 4096 bf16 operations a clock at 1.98 GHz: 1071 TFLOP/s */
static const struct facts gpu = {.capability = "9.0", .sms = 132, .sm_clock_max_mhz = 1980};

static struct item item_of(const char *unit, double tera, int64_t call_ns)
{
	cost = (struct kernel_model){.flop = (int64_t)(tera * 1e3 * (double)call_ns), .unit = unit};
	return (struct item){
	        .family = &family, .variant = &cuda, .kcase = &square, .call_ns = call_ns};
}

static bool is_heavy(const char *unit, double tera, int64_t call_ns)
{
	struct item it = item_of(unit, tera, call_ns);
	return heavy_is(&gpu, &it);
}

static void heavy_is_long_and_on_tensor_cores(void **state)
{
	(void)state;
	assert_true(is_heavy("bf16", 700, 1500000));
	assert_true(is_heavy("bf16", 700, HEAVY_CALL_NS));
	assert_false(is_heavy("bf16", 700, HEAVY_CALL_NS - 1));
	assert_false(is_heavy("fp32", 50, 1500000));
	assert_false(is_heavy(NULL, 700, 1500000));
	static const char *const units[] = {"tf32", "fp16", "fp8", "int8"};
	for (size_t i = 0; i < ARRAY_LEN(units); i++)
		assert_true(is_heavy(units[i], 600, 1500000));
	struct item it = item_of("bf16", 700, 1500000);
	it.variant = &cpu;
	assert_false(heavy_is(&gpu, &it));
}

/* A matrix times one vector has the unit, too, but waits for memory. */
static void heavy_keeps_the_unit_busy(void **state)
{
	(void)state;
	assert_false(is_heavy("bf16", 4, 240000));
	assert_false(is_heavy("bf16", 267, 240000));
	assert_true(is_heavy("bf16", 268, 240000));
	assert_false(is_heavy("fp8", 500, 240000)); /* its roof is twice as high */
	const struct facts unknown = {.capability = "8.9", .sms = 84, .sm_clock_max_mhz = 2520};
	struct item it = item_of("bf16", 4, 240000);
	assert_true(heavy_is(&unknown, &it));
}

static void long_calls_have_no_burst(void **state)
{
	(void)state;
	struct arena a = {0};
	struct item it = item_of("bf16", 700, HEAVY_BURST_NS);
	it.heavy = true;
	assert_true(heavy_bursts(&it));
	assert_null(heavy_refuses(&it, &a));
	it.call_ns = 10200000;
	assert_non_null(strstr(heavy_refuses(&it, &a), "10.2 ms, too long for a burst"));
	it.heavy = false; /* a slow one that draws little */
	assert_null(heavy_refuses(&it, &a));
	it.heavy = true;
	it.way.load = WAY_SUSTAINED;
	assert_false(heavy_bursts(&it));
	assert_null(heavy_refuses(&it, &a));
	it.way = (struct way){.host = true};
	assert_null(heavy_refuses(&it, &a));
	arena_free(&a);
}

/* Warm-up and twelve samples fit for every call that can have them at all. */
static void a_batch_fits_into_the_budget(void **state)
{
	(void)state;
	const int64_t budget = settings_default.burst_ms * 1000000;
	for (int64_t call = HEAVY_CALL_NS; call <= 1562500; call += 1250) {
		int64_t batch = heavy_batch(call), n = settings_default.min_samples;
		int64_t warm = (HEAVY_WARM_UP_CALLS + batch - 1) / batch * batch;
		if ((warm + n * batch) * call > budget)
			fail_msg("%lld ns: a batch of %lld is too long", (long long)call,
			         (long long)batch);
	}
	assert_int_equal(heavy_batch(100000), 10);
	assert_int_equal(heavy_batch(500000), 2);
	assert_int_equal(heavy_batch(900000), 1); /* two would take 1.8 ms, and twelve 25.2 */
	assert_int_equal(heavy_batch(2000000), 1);
	struct item it = item_of("bf16", 700, 900000);
	it.heavy = true;
	method_choose_timer(&it, KERNEL_CUDA);
	assert_int_equal(it.timer, TIMER_EVENTS);
	assert_int_equal(it.batch, 1);
	it.way.load = WAY_SUSTAINED;
	method_choose_timer(&it, KERNEL_CUDA);
	assert_int_equal(it.batch, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(heavy_is_long_and_on_tensor_cores),
	        cmocka_unit_test(heavy_keeps_the_unit_busy),
	        cmocka_unit_test(long_calls_have_no_burst),
	        cmocka_unit_test(a_batch_fits_into_the_budget),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
