/* What limits a case, by its time, its shares of the peaks, and the time of an empty kernel. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "site-gen/numbers/bottleneck.h"

static const char *const h200[] = {"h200", NULL};
static struct data_spec specs[] = {
        {.device = "h200", .devices = h200, .key = "hbm", .value = 4e12, .si = "B/s"},
        {.device = "h200", .devices = h200, .key = "bf16", .value = 1e15, .si = "FLOP/s"},
};
static const struct data data = {.specs = specs, .nspecs = ARRAY_LEN(specs)};

/* A case that takes one second, and the run that has it. */
struct made {
	struct run_case c;
	struct data_case d;
	struct data_run run;
	int64_t empty[3], node[3]; /* ns */
};

/* In one second it moves and computes these percentages of what the peaks allow. */
static void make(struct made *m, int memory, int compute)
{
	*m = (struct made){
	        .c = {.family = "gemv",
	              .variant = "warp",
	              .device = "cuda",
	              .cache = "cold",
	              .model = {.bytes_read = 40000000000 * memory,
	                        .flop = 10000000000000 * compute,
	                        .level = "hbm",
	                        .unit = "bf16"}},
	        .d = {.time = {.typical = 1, .lo = 1, .hi = 1}, .timer = "events"},
	};
	m->d.c = &m->c;
	m->run.run.head.device = "h200";
	m->run.run.cases = &m->c;
	m->run.run.ncases = 1;
	m->run.cases = &m->d;
}

static void takes(struct made *m, double lo, double hi)
{
	m->d.time.lo = lo;
	m->d.time.hi = hi;
}

/* An empty kernel took these times in ns, in a launch of its own and as a node of a graph. */
static void empty_takes(struct made *m, int64_t a, int64_t b, int64_t c, int64_t node)
{
	memcpy(m->empty, (int64_t[]){a, b, c}, sizeof m->empty);
	memcpy(m->node, (int64_t[]){node, node, node}, sizeof m->node);
	m->run.run.head.empty_kernel_ns = m->empty;
	m->run.run.head.nempty_kernel = 3;
	m->run.run.head.graph_node_ns = m->node;
	m->run.run.head.ngraph_node = 3;
}

static struct limiter_finding found(struct made *m)
{
	return limiter_of(&data, &(struct pick){&m->run, &m->d});
}

static void says(struct limiter_finding f, enum limiter want)
{
	assert_string_equal(limiter_name(f.limiter), limiter_name(want));
	assert_int_equal(want == LIMITER_NONE, f.why_none != NULL);
}

static void every_name_is_found(void **state)
{
	(void)state;
	for (int i = LIMITER_MEMORY; i < LIMITER_COUNT; i++)
		assert_int_equal(limiter_find(str_of(limiter_name((enum limiter)i))), i);
	assert_string_equal(limiter_name(LIMITER_NONE), "");
	assert_string_equal(limiter_name(LIMITER_LAUNCH), "launch");
	static const char *const not [] = {"", "Memory", "mem", "memory ", "bandwidth"};
	for (size_t i = 0; i < ARRAY_LEN(not ); i++)
		assert_int_equal(limiter_find(str_of(not [i])), LIMITER_NONE);
}

static void the_larger_share_from_sixty_percent_limits(void **state)
{
	static const struct {
		int memory, compute;
		enum limiter is;
	} row[] = {
	        {60, 10, LIMITER_MEMORY},  {90, 70, LIMITER_MEMORY},  {10, 60, LIMITER_COMPUTE},
	        {70, 90, LIMITER_COMPUTE}, {59, 10, LIMITER_LATENCY}, {10, 59, LIMITER_LATENCY},
	        {59, 59, LIMITER_LATENCY}, {80, 80, LIMITER_NONE},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(row); i++) {
		struct made m;
		make(&m, row[i].memory, row[i].compute);
		struct limiter_finding f = found(&m);
		says(f, row[i].is);
		assert_int_equal(f.open, row[i].is == LIMITER_NONE);
		assert_true(f.has_memory && f.has_compute);
		assert_true(fabs(f.memory.value - row[i].memory) < 1e-9);
		assert_true(fabs(f.compute.value - row[i].compute) < 1e-9);
	}
}

/* A comparison counts only if the whole interval decides it. */
static void an_interval_across_a_bound_leaves_it_open(void **state)
{
	struct made m;
	(void)state;
	make(&m, 60, 10);
	takes(&m, 0.9, 1.1); /* 54.5 to 66.7 % */
	struct limiter_finding f = found(&m);
	says(f, LIMITER_NONE);
	assert_true(f.open);
	assert_string_equal(f.why_none, "the intervals of its shares of the peaks do not tell");
	make(&m, 80, 75);
	takes(&m, 0.95, 1.05); /* both intervals lie above 60 %, but they overlap */
	says(found(&m), LIMITER_NONE);
	make(&m, 80, 70);
	takes(&m, 0.99, 1.01);
	says(found(&m), LIMITER_MEMORY);
	make(&m, 57, 10);
	takes(&m, 0.99, 1.01);
	says(found(&m), LIMITER_LATENCY);
}

static void without_flops_memory_alone_decides(void **state)
{
	struct made m;
	(void)state;
	make(&m, 80, 0);
	m.c.model.unit = NULL;
	struct limiter_finding f = found(&m);
	says(f, LIMITER_MEMORY);
	assert_true(f.has_memory && !f.has_compute);
	make(&m, 30, 0);
	says(found(&m), LIMITER_LATENCY);
}

/* Without a peak there is no answer, and none that more launches could give. */
static void an_unknown_peak_is_no_open_question(void **state)
{
	static const char memory[] = "the data sheet has no peak for the memory it works on";
	struct made m;
	(void)state;
	make(&m, 80, 10);
	m.c.model.level = "l2";
	struct limiter_finding f = found(&m);
	says(f, LIMITER_NONE);
	assert_string_equal(f.why_none, memory);
	assert_false(f.open || f.has_memory);
	make(&m, 80, 10);
	m.c.cache = "hot"; /* its data lies in a cache */
	assert_string_equal(found(&m).why_none, memory);
	make(&m, 80, 10);
	m.run.run.head.device = "h100";
	assert_string_equal(found(&m).why_none, memory);
	make(&m, 80, 10);
	m.c.model.unit = "fp8";
	f = found(&m);
	assert_string_equal(f.why_none, "the data sheet has no peak for its arithmetic");
	assert_true(f.has_memory && !f.has_compute && !f.open);
}

/* The bound is twice the median time of an empty kernel. */
static void a_short_call_is_bound_by_its_launch(void **state)
{
	struct made m;
	(void)state;
	make(&m, 80, 10);
	empty_takes(&m, 510000000, 1, 510000000, 1);
	struct limiter_finding f = found(&m);
	says(f, LIMITER_LAUNCH);
	assert_true(fabs(f.empty - 0.51) < 1e-9);
	empty_takes(&m, 900000000, 490000000, 490000000, 900000000);
	says(found(&m), LIMITER_MEMORY);
	m.c.model.level = "l2"; /* the launch needs no peak */
	empty_takes(&m, 510000000, 510000000, 510000000, 1);
	says(found(&m), LIMITER_LAUNCH);
	make(&m, 80, 10);
	empty_takes(&m, 500000000, 500000000, 500000000, 1);
	takes(&m, 0.99, 1.01);
	f = found(&m);
	says(f, LIMITER_NONE);
	assert_true(f.open);
	assert_string_equal(f.why_none, "its time is too close to that of empty launches");
}

/* The case is compared with empty kernels that were started as it was. */
static void the_empty_kernel_was_timed_alike(void **state)
{
	struct made m;
	(void)state;
	make(&m, 80, 10);
	empty_takes(&m, 900000000, 900000000, 900000000, 1000);
	says(found(&m), LIMITER_LAUNCH);
	m.d.timer = "graph";
	struct limiter_finding f = found(&m);
	says(f, LIMITER_MEMORY);
	assert_true(fabs(f.empty - 1e-6) < 1e-12);
	m.d.timer = NULL; /* unknown, as in older records: started one by one */
	says(found(&m), LIMITER_LAUNCH);
	m.c.device = "cpu"; /* a call on the host starts no kernel */
	f = found(&m);
	assert_true(f.empty == 0);
	says(f, LIMITER_MEMORY);
	m.c.device = "cuda";
	m.run.run.head.nempty_kernel = 0;
	assert_true(found(&m).empty == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_name_is_found),
	        cmocka_unit_test(the_larger_share_from_sixty_percent_limits),
	        cmocka_unit_test(an_interval_across_a_bound_leaves_it_open),
	        cmocka_unit_test(without_flops_memory_alone_decides),
	        cmocka_unit_test(an_unknown_peak_is_no_open_question),
	        cmocka_unit_test(a_short_call_is_bound_by_its_launch),
	        cmocka_unit_test(the_empty_kernel_was_timed_alike),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
