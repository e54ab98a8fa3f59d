/* From stamps in a device's memory to those of a record. All numbers are made up. */
#include "runner/device/stamps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/trace.h"
#include "runner/device/pretended_trace.h"

enum { ROOM = 4 };

static struct arena a;

/* SM 3 and SM 5, read in another order after the call; SM 3 ran a block. */
static struct stamps_clock clocks[4];
static struct trace_ring ring;
static struct trace_stamp stamp[ROOM];

static struct stamps one_ring(void)
{
	const struct stamps_clock read[] = {
	        {1000, 7000, 3, 64}, {500, 7032, 5, 32}, {900, 7232, 5, 32}, {1600, 7300, 3, 96}};
	memcpy(clocks, read, sizeof clocks);
	ring = (struct trace_ring){.begin = 1100, .end = 1500, .block = 6, .sm = 3, .stamps = 3};
	ring.role = TRACE_ROLE_ADDER;
	stamp[0] = (struct trace_stamp){1110, TRACE_KINDS * TRACE_EVENT_ADD, 9};
	stamp[1] = (struct trace_stamp){1200, TRACE_KINDS * TRACE_EVENT_ADD + TRACE_KIND_END, 9};
	stamp[2] =
	        (struct trace_stamp){1210, TRACE_KINDS * TRACE_EVENT_TICKET + TRACE_KIND_MARK, 7};
	return (struct stamps){.clock = clocks,
	                       .nclocks = 2,
	                       .ring = &ring,
	                       .nrings = 1,
	                       .stamp = stamp,
	                       .room = ROOM};
}

static void cycles_count_from_the_reading_of_their_sm(void **state)
{
	(void)state;
	struct stamps s = one_ring();
	struct run_trace t = {0};
	assert_null(stamps_record(&s, &a, &t));
	assert_int_equal(t.nclocks, 2);
	assert_int_equal(t.clock[0].sm, 3);
	assert_int_equal(t.clock[0].before_ns, 0);
	assert_int_equal(t.clock[0].after_ns, 300);
	assert_int_equal(t.clock[0].cycles, 600);
	assert_int_equal(t.clock[1].before_ns, 32);
	assert_int_equal(t.clock[1].cycles, 400);
	assert_int_equal(t.tick_ns, 32);
	assert_int_equal(t.nrings, 1);
	assert_int_equal(t.ring[0].begin, 100);
	assert_int_equal(t.ring[0].end, 500);
	assert_int_equal(t.ring[0].block, 6);
	assert_string_equal(t.role[t.ring[0].role], "adder");
	assert_int_equal(t.count[TRACE_EVENT_ADD], 1);
	assert_int_equal(t.count[TRACE_EVENT_TICKET], 1);
	assert_int_equal(t.nkept, 1);
	assert_int_equal(t.kept[0].n, 3);
	assert_int_equal(t.kept[0].cycles[2], 210);
	assert_int_equal(t.kept[0].step[2], 7);
	assert_true(trace_ns(&t, 0, 210) == 105);
}

static void stamps_beyond_the_room_are_counted(void **state)
{
	(void)state;
	struct stamps s = one_ring();
	struct run_trace t = {0};
	s.room = 2;
	assert_null(stamps_record(&s, &a, &t));
	assert_int_equal(t.room, 2);
	assert_int_equal(t.ring[0].stamps, 3);
	assert_int_equal(t.kept[0].n, 2);
	assert_int_equal(t.count[TRACE_EVENT_TICKET], 0);
}

static const char *refused(struct stamps s)
{
	struct run_trace t = {0};
	const char *why = stamps_record(&s, &a, &t);
	return why ? why : "";
}

static void stamps_that_prove_nothing_are_refused(void **state)
{
	(void)state;
	struct stamps s = one_ring();
	s.nrings = 0;
	assert_non_null(strstr(refused(s), "no mark"));
	s = one_ring();
	ring.end = 0;
	assert_non_null(strstr(refused(s), "never closed"));
	s = one_ring();
	clocks[3].sm = 4; /* no reading of SM 3 after the call */
	assert_non_null(strstr(refused(s), "was not read"));
	s = one_ring();
	ring.begin = 900;
	assert_non_null(strstr(refused(s), "backwards"));
	s = one_ring();
	stamp[1].what = TRACE_KINDS * TRACE_EVENT_COUNT;
	assert_non_null(strstr(refused(s), "unknown event"));
	s = one_ring();
	ring.role = TRACE_ROLE_COUNT;
	assert_non_null(strstr(refused(s), "unknown role"));
}

static void a_pretended_call_is_a_whole_trace(void **state)
{
	(void)state;
	struct run_trace t = {0};
	size_t kernels, spans;
	assert_null(pretended_trace(12, 9000, &a, &t));
	assert_int_equal(t.nrings, 24);
	trace_kernels(&t, &kernels, &a);
	assert_int_equal(kernels, 1);
	assert_true(trace_end(&t) - trace_begin(&t) > 8990);
	assert_true(trace_end(&t) - trace_begin(&t) < 9010);
	for (size_t i = 0; i < t.nrings; i += 2) {
		int64_t tickets = t.count[i * t.nevents + TRACE_EVENT_TICKET];
		assert_int_equal(tickets, t.clock[t.ring[i].clock].sm % 3 == 2 ? 6 : 9);
	}
	assert_int_equal(t.nkept, 6);
	trace_spans(&t, &t.kept[0], &spans, &a);
	assert_int_equal(spans, 18);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(cycles_count_from_the_reading_of_their_sm),
	        cmocka_unit_test(stamps_beyond_the_room_are_counted),
	        cmocka_unit_test(stamps_that_prove_nothing_are_refused),
	        cmocka_unit_test(a_pretended_call_is_a_whole_trace),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(&a);
	return failed;
}
