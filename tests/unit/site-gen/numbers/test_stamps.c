/* What stamps inside kernels say as numbers. All numbers are made up; SM 4 is slow. */
#include <math.h>
#include "site-gen/numbers/stamps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "site-gen/diagram/swim.h"

static struct arena a;

/* One cycle is a nanosecond on all SMs. */
static struct run_trace_clock clocks[] = {
        {4, 0, 1000, 1000}, {2, 0, 1000, 1000}, {3, 0, 1000, 1000}};
static const char *names[] = {"ticket", "load"};
static int64_t plain[] = {100, 110, 90}, traced[] = {120, 130, 125};

/* Three kernels of two blocks; the second begins while the last block of the first still runs. */
static struct run_trace_ring chain[] = {
        {0, 0, 0, 0, 100, 140, 0}, {1, 1, 0, 0, 110, 160, 0}, {1, 0, 0, 0, 150, 200, 0},
        {0, 1, 0, 0, 170, 210, 0}, {2, 0, 0, 0, 230, 260, 0}, {2, 1, 0, 0, 232, 280, 0},
};

static struct run_trace trace_of(struct run_trace_ring *r, size_t n, int64_t *count)
{
	return (struct run_trace){.clock = clocks,
	                          .nclocks = 3,
	                          .ring = r,
	                          .nrings = n,
	                          .event = names,
	                          .nevents = 2,
	                          .count = count,
	                          .ncounts = 2 * n,
	                          .plain_ns = plain,
	                          .nplain = 3,
	                          .traced_ns = traced,
	                          .ntraced = 3};
}

static void is(const struct run_trace *t, const char *what, double want)
{
	double got = -1;
	if (!stamps_value(t, str_of(what), &a, &got) || fabs(got - want) > fabs(want) * 1e-4)
		fail_msg("%s is %.9g, expected %.9g", what, got, want);
}

static void kernels_of_a_chain(void **state)
{
	(void)state;
	int64_t count[12] = {0};
	struct run_trace t = trace_of(chain, 6, count);
	is(&t, "kernels", 3);
	is(&t, "blocks", 2);
	is(&t, "span", 180e-9);
	is(&t, "step", 65e-9); /* 50 and 80 */
	is(&t, "gap", 5e-9);   /* −10 and 20 */
	is(&t, "lead", -5e-9);
	is(&t, "ramp", 10e-9);  /* 10, 20 and 2 */
	is(&t, "drain", 20e-9); /* 20, 10 and 20 */
	is(&t, "slowdown", 1.25);
	double v;
	t.nrings = 2; /* one kernel is no chain */
	assert_false(stamps_value(&t, STR("gap"), &a, &v));
	assert_false(stamps_value(&t, STR("colour"), &a, &v));
}

static void counts_by_sm(void **state)
{
	(void)state;
	/* two rings on SM 2, one on SM 4; SM 3 drew none */
	struct run_trace_ring r[] = {
	        {1, 0, 0, 0, 0, 9, 9}, {0, 1, 0, 0, 0, 9, 9}, {1, 2, 0, 0, 0, 9, 9}};
	int64_t count[] = {5, 0, 4, 0, 3, 0}, *sm;
	double *times, v;
	struct run_trace t = trace_of(r, 3, count);
	is(&t, "ticket.sms", 2);
	is(&t, "ticket.sum", 12);
	is(&t, "ticket.mean", 6);
	is(&t, "ticket.sd", 2.8284271);
	is(&t, "ticket.least", 4);
	is(&t, "ticket.most", 8);
	assert_int_equal(stamps_by_sm(&t, 0, &a, &sm, &times), 2);
	assert_int_equal(sm[0], 4);
	assert_true(times[0] == 4 && times[1] == 8);
	assert_false(stamps_value(&t, STR("load.mean"), &a, &v));
	assert_false(stamps_value(&t, STR("ticket.time"), &a, &v));
	assert_false(stamps_value(&t, STR("store.mean"), &a, &v));
}

static void boxes_that_overlap_share_a_row(void **state)
{
	(void)state;
	struct swim_box box[] = {{.row = 0, .from = 0, .to = 10},
	                         {.row = 0, .from = 5, .to = 15},
	                         {.row = 1, .from = 6, .to = 7},
	                         {.row = 0, .from = 10, .to = 20}};
	struct swim s = {.nrows = 2, .box = box, .n = 4};
	swim_stack(&s);
	assert_int_equal(box[0].lane, 0);
	assert_int_equal(box[1].lane, 1);
	assert_int_equal(box[3].lane, 0);
	assert_int_equal(s.lanes[0], 2);
	assert_int_equal(s.lanes[1], 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(kernels_of_a_chain),
	        cmocka_unit_test(counts_by_sm),
	        cmocka_unit_test(boxes_that_overlap_share_a_row),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(&a);
	return failed;
}
