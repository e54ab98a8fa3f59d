/* Times, kernels, blocks and intervals of a trace (lib/trace.h). All numbers are made up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/trace.h"

/* SM 7 runs at 2 cycles a ns from 100 ns on, SM 9 at 1 from 0 on. */
static struct run_trace_clock clocks[] = {{7, 100, 1100, 2000}, {9, 0, 1000, 1000}};
static const char *names[] = {"load", "add"};

static struct run_trace_ring ring(int64_t clock, int64_t block, int64_t begin, int64_t stamps)
{
	return (struct run_trace_ring){.clock = clock,
	                               .block = block,
	                               .begin = begin,
	                               .end = begin + 100,
	                               .stamps = stamps};
}

static struct run_trace trace_of(struct run_trace_ring *r, size_t n)
{
	return (struct run_trace){.clock = clocks,
	                          .nclocks = 2,
	                          .ring = r,
	                          .nrings = n,
	                          .event = names,
	                          .nevents = 2,
	                          .room = 100};
}

static void cycles_become_times_between_two_readings(void **state)
{
	(void)state;
	struct run_trace_ring r[] = {ring(0, 0, 300, 1), ring(1, 1, 200, 1)};
	struct run_trace t = trace_of(r, 2);
	assert_true(trace_ns(&t, 0, 300) == 250);
	assert_true(trace_ns(&t, 0, 2000) == 1100);
	assert_true(trace_ns(&t, 1, 200) == 200);
	assert_true(trace_begin(&t) == 200);
	assert_true(trace_end(&t) == 300);
}

static void rings_of_one_block_are_kernels_in_order(void **state)
{
	(void)state;
	struct arena a = {0};
	size_t n;
	/* block 0 runs three times, on different SMs; the times decide, not the places */
	struct run_trace_ring r[] = {ring(0, 0, 1000, 1), ring(1, 0, 100, 1), ring(1, 1, 50, 1),
	                             ring(0, 0, 200, 1), ring(0, 1, 900, 1)};
	struct run_trace t = trace_of(r, 5);
	size_t *k = trace_kernels(&t, &n, &a);
	assert_int_equal(n, 3);
	assert_int_equal(k[1], 0);
	assert_int_equal(k[3], 1);
	assert_int_equal(k[0], 2);
	assert_int_equal(k[2], 0);
	assert_int_equal(k[4], 1);
	r[2].member = 1; /* another worker of the same block */
	k = trace_kernels(&t, &n, &a);
	assert_int_equal(k[4], 0);
	arena_free(&a);
}

static void the_median_block_has_the_middle_number_of_stamps(void **state)
{
	(void)state;
	struct arena a = {0};
	int64_t kept[TRACE_KEPT];
	/* stamps of blocks: 0: 9, 1: 4, 2: 5 (in two rings), 3: 5, 4: 20 */
	struct run_trace_ring r[] = {ring(0, 4, 0, 20), ring(0, 2, 0, 2), ring(0, 3, 0, 5),
	                             ring(0, 0, 0, 9),  ring(0, 1, 0, 4), ring(0, 2, 0, 3)};
	struct run_trace t = trace_of(r, 6);
	r[5].role = 1;
	assert_int_equal(trace_median_block(&t, &a), 3);
	trace_kept(&t, &a, kept);
	assert_int_equal(kept[0], 3);
	assert_int_equal(kept[1], 0);
	assert_int_equal(kept[2], 4);
	arena_free(&a);
}

static void begins_find_their_ends(void **state)
{
	(void)state;
	struct arena a = {0};
	size_t n;
	/* loads 0 and 1 overlap; an add without end; an end without begin; a moment */
	int64_t cycles[] = {100, 120, 140, 160, 180, 200}, what[] = {0, 0, 3, 1, 1, 5},
	        step[] = {0, 1, 0, 0, 1, 8};
	struct run_trace_ring r[] = {ring(1, 0, 0, 6)};
	struct run_trace_stamps s = {0, cycles, what, step, 6};
	struct run_trace t = trace_of(r, 1);
	struct trace_span *x = trace_spans(&t, &s, &n, &a);
	assert_int_equal(n, 3);
	assert_true(x[0].from == 100 && x[0].to == 160 && x[0].step == 0 && !x[0].moment);
	assert_true(x[1].from == 120 && x[1].to == 180 && x[1].step == 1);
	assert_true(x[2].event == 1 && x[2].moment && x[2].from == 200 && x[2].step == 8);
	what[4] = 4; /* now the end of an add of another step: load 1 has no end */
	trace_spans(&t, &s, &n, &a);
	assert_int_equal(n, 2);
	assert_int_equal(trace_event(&t, STR("add")), 1);
	assert_int_equal(trace_event(&t, STR("store")), 2);
	arena_free(&a);
}

static void marks_cost_a_ratio_of_medians(void **state)
{
	(void)state;
	struct arena a = {0};
	int64_t plain[] = {100, 900, 110}, traced[] = {121, 1, 500};
	struct run_trace t = {.plain_ns = plain, .nplain = 3, .traced_ns = traced, .ntraced = 3};
	assert_true(trace_slowdown(&t, &a) > 1.0999 && trace_slowdown(&t, &a) < 1.1001);
	t.ntraced = 0;
	assert_true(trace_slowdown(&t, &a) == 0);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(cycles_become_times_between_two_readings),
	        cmocka_unit_test(rings_of_one_block_are_kernels_in_order),
	        cmocka_unit_test(the_median_block_has_the_middle_number_of_stamps),
	        cmocka_unit_test(begins_find_their_ends),
	        cmocka_unit_test(marks_cost_a_ratio_of_medians),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
