/* Metrics of a case and of a launch, their directions and limits; units and sizes as text. */
#include "lib/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"

static const struct stats_summary time_of_call = {.typical = 2, .lo = 1, .hi = 4};

/* 8 FLOP on 4 bytes in a call of 2 s. */
static struct run_case small_case(void)
{
	return (struct run_case){.metric = "bandwidth",
	                         .sms = 2,
	                         .model = {.bytes_read = 3, .bytes_written = 1, .flop = 8}};
}

static void check(const struct run_case *c, enum metric m, double value, double lo, double hi)
{
	double v, l, h;
	assert_true(metric_of(m, c, &time_of_call, &v, &l, &h));
	assert_true(v == value && l == lo && h == hi);
}

static bool has(const struct run_case *c, enum metric m)
{
	double v, l, h;
	return metric_of(m, c, &time_of_call, &v, &l, &h);
}

/* A longer time is a lower rate, so the bounds change places. */
static void of_time(void **state)
{
	(void)state;
	struct run_case c = small_case();
	check(&c, METRIC_TIME, 2, 1, 4);
	check(&c, METRIC_BANDWIDTH, 2, 1, 4);
	check(&c, METRIC_THROUGHPUT, 4, 2, 8);
	check(&c, METRIC_INTENSITY, 2, 2, 2);
	assert_false(has(&c, METRIC_RATE) || has(&c, METRIC_LATENCY)); /* it counts FLOPs */
	assert_false(has(&c, METRIC_CLOCK) || has(&c, METRIC_ENERGY)); /* launches read those */

	c.model.op = "additions";
	check(&c, METRIC_RATE, 4, 2, 8);
	check(&c, METRIC_LATENCY, 0.25, 0.125, 0.5);
	assert_false(has(&c, METRIC_THROUGHPUT) || has(&c, METRIC_INTENSITY));

	c.model.flop = 0;
	assert_false(has(&c, METRIC_RATE) || has(&c, METRIC_LATENCY));
	c = (struct run_case){.metric = "time", .model = {.flop = 8}};
	assert_false(has(&c, METRIC_BANDWIDTH) || has(&c, METRIC_INTENSITY));
	assert_true(has(&c, METRIC_THROUGHPUT));
}

/* side=host times what the host does to start a call: it moves no bytes and does no FLOPs. */
static void of_the_host(void **state)
{
	(void)state;
	struct run_case c = small_case();
	struct run_reading r = {.clock_hz = 3, .cycles = -1, .joules = 1, .error = 1};
	double v;
	assert_int_equal(metric_headline(&c), METRIC_BANDWIDTH);
	c.param[0] = (struct run_pair){.name = "side", .word = "host"};
	c.nparams = 1;
	assert_int_equal(metric_headline(&c), METRIC_TIME);
	assert_true(has(&c, METRIC_TIME));
	assert_false(has(&c, METRIC_BANDWIDTH) || has(&c, METRIC_THROUGHPUT));
	assert_false(metric_of_launch(METRIC_CLOCK, &c, &r, 2, &v));
	c.metric = "rate"; /* calls a second are the host's, too */
	assert_int_equal(metric_headline(&c), METRIC_RATE);
	c.metric = "a metric of a later version";
	assert_int_equal(metric_headline(&c), METRIC_TIME);
}

static void read(const struct run_case *c, enum metric m, const struct run_reading *r, double want)
{
	double v = -1;
	assert_true(metric_of_launch(m, c, r, 2, &v));
	assert_true(v == want);
}

static void of_a_launch(void **state)
{
	(void)state;
	struct run_case c = small_case();
	struct run_reading r = {.clock_hz = 3, .cycles = -1, .joules = 16, .error = 2};
	double v;
	read(&c, METRIC_CLOCK, &r, 3);
	read(&c, METRIC_CYCLES, &r, 6); /* 2 s at 3 Hz */
	r.cycles = 4;                   /* counted by groups of samples */
	read(&c, METRIC_CYCLES, &r, 4);
	read(&c, METRIC_FLOPCLOCK, &r, 1); /* 8 FLOP in 4 cycles of 2 SMs */
	read(&c, METRIC_ENERGY, &r, 16);
	read(&c, METRIC_POWER, &r, 8);
	read(&c, METRIC_FLOPCOST, &r, 2);
	read(&c, METRIC_BYTECOST, &r, 4);
	read(&c, METRIC_ERROR, &r, 2e6);
	assert_false(metric_of_launch(METRIC_TIME, &c, &r, 2, &v));

	c.sms = RECORD_NONE;
	assert_false(metric_of_launch(METRIC_FLOPCLOCK, &c, &r, 2, &v));
	c.model = (struct run_model){0};
	assert_false(metric_of_launch(METRIC_FLOPCOST, &c, &r, 2, &v));
	assert_false(metric_of_launch(METRIC_BYTECOST, &c, &r, 2, &v));
	r = (struct run_reading){.clock_hz = -1, .cycles = -1, .joules = -1, .error = 0};
	assert_false(metric_of_launch(METRIC_CLOCK, &c, &r, 2, &v)); /* not read */
	assert_false(metric_of_launch(METRIC_CYCLES, &c, &r, 2, &v));
	assert_false(metric_of_launch(METRIC_ENERGY, &c, &r, 2, &v));
	assert_false(metric_of_launch(METRIC_ERROR, &c, &r, 2, &v)); /* exact */
}

/* What the energy counter's steps leave open. */
static void steps(void **state)
{
	(void)state;
	struct run_reading r = {.window_s = 2};
	assert_true(metric_step(METRIC_TIME, &r) == 0 && metric_step(METRIC_CLOCK, &r) == 0);
	assert_true(metric_step(METRIC_ENERGY, &r) == 0.05); /* a tenth of a second in two */
	r.step_s = 0.5;
	assert_true(metric_step(METRIC_POWER, &r) == 0.25);
	r.window_s = 0.5;
	assert_true(metric_step(METRIC_POWER, &r) == 1); /* a window of one step says nothing */
}

static void names(void **state)
{
	(void)state;
	for (int m = 0; m < METRIC_COUNT; m++)
		assert_ptr_equal(metric_find(str_of(metric_info((enum metric)m)->name)),
		                 metric_info((enum metric)m));
	assert_null(metric_find(STR("speed")));
	assert_int_equal(metric_of_unit("B/s")->id, METRIC_BANDWIDTH);
	assert_int_equal(metric_of_unit("FLOP/clk/SM")->id, METRIC_FLOPCLOCK);
	assert_null(metric_of_unit("J")); /* no peak bounds an energy */
}

static void prefixes(void **state)
{
	(void)state;
	double scale;
	assert_true(unit_parse(STR("TB/s"), "B/s", &scale) && scale == 1e12);
	assert_true(unit_parse(STR("B/s"), "B/s", &scale) && scale == 1);
	assert_true(unit_parse(STR("µs"), "s", &scale) && scale == 1e-6);
	assert_true(unit_parse(STR("us"), "s", &scale) && scale == 1e-6);
	assert_true(unit_parse(STR("%"), "%", &scale) && scale == 1);
	assert_false(unit_parse(STR("TB"), "B/s", &scale));
	assert_false(unit_parse(STR("xB/s"), "B/s", &scale));
	assert_false(unit_parse(STR("k%"), "%", &scale)); /* it takes no prefix */
}

static void sizes(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int64_t want;
	} good[] = {{"0", 0},         {"28672", 28672},  {"2^28", 268435456}, {"64Ki", 65536},
	            {"3Mi", 3145728}, {"16M", 16000000}, {"2k", 2000},        {"1Gi", 1073741824}};
	static const char *const bad[] = {"",           "x",   "2^",
	                                  "2^64",       "1.5", "64Kib",
	                                  "3^2",        "2^x", "99999999999999999999",
	                                  "9999999999G"};
	int64_t v;
	for (size_t i = 0; i < ARRAY_LEN(good); i++)
		if (!unit_parse_size(str_of(good[i].text), &v) || v != good[i].want)
			fail_msg("%s is read as %lld", good[i].text, (long long)v);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		if (unit_parse_size(str_of(bad[i]), &v))
			fail_msg("'%s' is read as %lld", bad[i], (long long)v);
}

/* Thousands are set apart from five digits on, in plain counts only. */
static void counts(void **state)
{
	(void)state;
	static const struct {
		const char *count, *want;
	} rows[] = {{"9999", "9999"},
	            {"10000", "10\u202f000"},
	            {"90909", "90\u202f909"},
	            {"118185", "118\u202f185"},
	            {"1234567", "1\u202f234\u202f567"},
	            {"12345a", "12345a"},
	            {"2.3 million", "2.3 million"},
	            {"", ""}};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct sb out = {0};
		unit_count(str_of(rows[i].count), &out);
		sb_cstr(&out, "");
		assert_string_equal(out.p ? out.p : "", rows[i].want);
		sb_free(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(of_time),     cmocka_unit_test(of_the_host),
	        cmocka_unit_test(of_a_launch), cmocka_unit_test(steps),
	        cmocka_unit_test(names),       cmocka_unit_test(prefixes),
	        cmocka_unit_test(sizes),       cmocka_unit_test(counts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
