/* How a heavy case is timed, on a pretended GPU with a power limiter (runner/device/pretended.c).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "runner/measure/measure.h"
#include "runner/plan/heavy.h"
#include "runner/plan/method.h"

/* A process that measures cuBLAS' square product, and what it knows. */
struct process {
	struct arena a;
	struct plan p;
	struct bench b;
};

static struct process *begin_on(const char *device, const char *const *selector, size_t n)
{
	struct process *x = calloc(1, sizeof *x);
	struct selector sel[4];
	struct facts f;
	struct err e = ERR_NONE;
	setenv("RIDGEPOINT_PRETEND", device, 1);
	backend_of(KERNEL_CUDA)->facts(&f, 1);
	for (size_t i = 0; i < n; i++)
		assert_true(select_parse(selector[i], &sel[i], &e));
	if (!plan_make(KERNEL_CUDA, PLAN_MEASURE, &f, sel, n, &x->a, &x->p, &e))
		fail_msg("%s", e.text);
	x->p.tick_ns = 32;
	for (size_t i = 0; i < x->p.n; i++) {
		x->p.item[i].call_ns = 1300000;
		x->p.item[i].heavy = heavy_is(&f, &x->p.item[i]);
		assert_true(x->p.item[i].heavy);
		method_choose_timer(&x->p.item[i], KERNEL_CUDA);
	}
	x->b.plan = &x->p;
	x->b.expected = expected_make(&x->p, 0, CHECK_TERMS_RUN, 1, &x->a);
	x->b.kept = calloc(x->p.n + 1, sizeof *x->b.kept);
	if (!backend_of(KERNEL_CUDA)->open(&x->b.dev, &f, x->p.memory, &e))
		fail_msg("%s", e.text);
	return x;
}

static struct process *begin(const char *const *selector, size_t n)
{
	return begin_on("132", selector, n);
}

/* What the pretended device keeps ends with the process, so what leads to it stays, too. */
static struct device *ended[16];

static void end(struct process *x)
{
	size_t i = 0;
	while (ended[i])
		assert_true(++i < ARRAY_LEN(ended));
	ended[i] = malloc(sizeof *ended[i]);
	assert_non_null(ended[i]);
	*ended[i] = x->b.dev;
	arena_free(&x->b.arena);
	arena_free(&x->a);
	free(x->b.kept);
	free(x);
}

static struct run_launch measured(struct process *x, size_t item)
{
	struct outcome o;
	struct run_launch l = {0};
	measure_launch(&x->b, &x->p.item[item], &o, &l);
	if (strcmp(o.status, "ok") != 0)
		fail_msg("%s: %s", o.status, o.why);
	l.status = "ok";
	return l;
}

static int64_t sum(const int64_t *ns, size_t n)
{
	int64_t all = 0;
	for (size_t i = 0; i < n; i++)
		all += ns[i];
	return all;
}

static void a_burst_is_twelve_samples_within_the_budget(void **state)
{
	(void)state;
	static const char *const square[] = {"gemv/roof:load=burst"};
	struct process *x = begin(square, 1);
	struct run_launch l = measured(x, 0);
	assert_string_equal(l.stop, "samples");
	assert_int_equal(l.nsamples, 12);
	assert_int_equal(l.nwarmup, HEAVY_WARM_UP_CALLS);
	assert_true(sum(l.warmup_ns, 4) + sum(l.sample_ns, 12) <=
	            settings_default.burst_ms * 1000000);
	assert_true(l.ngroups > 1);
	int64_t in_groups = 0;
	for (size_t i = 0; i < l.ngroups; i++)
		in_groups += l.group[i].samples;
	assert_int_equal(in_groups, 12);
	x->p.set.burst_ms = 15;
	l = measured(x, 0);
	assert_string_equal(l.stop, "budget");
	assert_true(l.nsamples < 12 && l.nsamples >= 3);
	assert_true(sum(l.warmup_ns, l.nwarmup) + sum(l.sample_ns, l.nsamples) <= 15000000);
	end(x);
}

static double time_of(const struct run_launch *l)
{
	return record_launch_median(l);
}

/* After seconds of load the clock is low. The pause brings it back, a short one does not. */
static void a_pause_restores_the_budget(void **state)
{
	(void)state;
	static const char *const square[] = {"gemv/roof:load=burst", "gemv/roof:load=sustained"};
	struct process *x = begin(square, 2);
	size_t loaded = x->p.item[1].way.load == WAY_SUSTAINED, burst = 1 - loaded;
	struct run_launch l = measured(x, burst);
	double fresh = time_of(&l), cycles, limited;
	assert_true(record_launch_cycles(&l, &cycles));
	l = measured(x, loaded);
	double slow = time_of(&l);
	assert_true(slow > 1.06 * fresh);
	assert_true(record_launch_cycles(&l, &limited)); /* the cycles are the same */
	assert_true(limited > 0.99 * cycles && limited < 1.01 * cycles);
	l = measured(x, burst);
	assert_true(time_of(&l) < 1.01 * fresh);
	measured(x, loaded);
	x->p.set.idle_ms = 10;
	l = measured(x, burst);
	assert_true(time_of(&l) > 1.06 * fresh);
	end(x);
}

/* Which item has this load; there is one. */
static size_t under(const struct process *x, enum way_load load)
{
	size_t i = 0;
	while (x->p.item[i].way.load != load)
		i++;
	return i;
}

/* The first has seconds of load, the next half a second; all have a second of samples. */
static void steady_loads_once(void **state)
{
	(void)state;
	static const char *const square[] = {"gemv/roof:load=steady", "gemv/roof:load=sustained"};
	struct process *x = begin(square, 2);
	size_t steady = under(x, WAY_STEADY);
	struct run_launch l = measured(x, steady);
	int64_t first_ns = x->b.dev.backend->now(&x->b.dev), second_ns;
	assert_true(first_ns > 4000000000);
	assert_string_equal(l.stop, "window");
	assert_int_equal(l.pause_ms, 0);
	assert_in_range(sum(l.sample_ns, l.nsamples), 1000000000, 1010000000);
	double alone = time_of(&l);
	l = measured(x, steady);
	second_ns = x->b.dev.backend->now(&x->b.dev) - first_ns;
	assert_in_range(second_ns, 1500000000, 1700000000);
	assert_in_range(l.pause_ms, 1, 1000);
	assert_in_range(sum(l.sample_ns, l.nsamples), 1000000000, 1010000000);
	assert_true(fabs(time_of(&l) / alone - 1) < 0.01);
	l = measured(x, under(x, WAY_SUSTAINED)); /* and that is the speed after seconds of load */
	assert_true(fabs(time_of(&l) / alone - 1) < 0.01);
	assert_int_equal(l.pause_ms, 0);
	end(x);
}

/* After a long pause, or after cases that draw little, seconds of load come again. */
static void a_pause_needs_the_whole_load(void **state)
{
	(void)state;
	static const char *const square[] = {"gemv/roof:load=steady"};
	struct process *x = begin(square, 1);
	measured(x, 0);
	int64_t before = x->b.dev.backend->now(&x->b.dev);
	x->b.heavy_ns -= 1100000000;
	struct run_launch l = measured(x, 0);
	assert_true(l.pause_ms > 1100);
	assert_true(x->b.dev.backend->now(&x->b.dev) - before > 3500000000);
	x->p.item[0].heavy = false;
	x->b.heavy_ns = 0;
	measured(x, 0);
	assert_int_equal(x->b.heavy_ns, 0); /* a light case has not loaded the card */
	end(x);
}

static void judged(const char *device, const char *status)
{
	static const char *const square[] = {"gemv/roof:load=burst"};
	struct process *x = begin_on(device, square, 1);
	struct outcome o;
	struct run_launch l = {0};
	measure_launch(&x->b, &x->p.item[0], &o, &l);
	assert_string_equal(o.status, status);
	if (strcmp(status, "ok") == 0)
		assert_true(l.ngroups >= 3);
	end(x);
}

/* Work that escapes the events shows in each group; a host that was away, in one. */
static void the_stopwatch_tells_hidden_work_from_a_late_host(void **state)
{
	(void)state;
	judged("132:hidden@gemv/roof", "stopwatch");
	judged("132:interrupted@gemv/roof", "ok");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_burst_is_twelve_samples_within_the_budget),
	        cmocka_unit_test(a_pause_restores_the_budget),
	        cmocka_unit_test(steady_loads_once),
	        cmocka_unit_test(a_pause_needs_the_whole_load),
	        cmocka_unit_test(the_stopwatch_tells_hidden_work_from_a_late_host),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
