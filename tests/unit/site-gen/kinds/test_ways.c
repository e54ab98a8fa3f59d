/*
 * Operations other than FLOPs, unusual ways of measuring, and ceilings: the selectors' matches
 * and the texts of numbers.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/file.h"
#include "lib/ways.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/pages/body.h"
#include "tests/unit/help/synthetic_rows.h"

#define NODES                     \
	{                         \
		"nodes", NULL, 64 \
	}
#define N                          \
	{                          \
		"n", NULL, 1 << 20 \
	}

static const struct synthetic_row rows[] = {
        {"launch",
         "stream",
         "kernel",
         "latency",
         0,
         {NODES},
         1,
         "f32",
         "hot",
         {.flop = 64, .bytes_written = 256, .level = "cache", .op = "node"},
         .seconds = 64 * 3e-6},
        {"launch",
         "graph",
         "kernel",
         "latency",
         1,
         {NODES},
         1,
         "f32",
         "hot",
         {.flop = 64, .bytes_written = 256, .level = "cache", .op = "node"},
         .seconds = 64 * 0.5e-6},
        {"launch",
         "stream",
         "kernel",
         "latency",
         0,
         {NODES, {"side", "host", 0}},
         2,
         "f32",
         "hot",
         {.flop = 64, .bytes_written = 256, .level = "cache", .op = "node"},
         .seconds = 64 * 2e-6},
        {"atomics",
         "spread",
         "kernel",
         "rate",
         0,
         {N},
         1,
         "i32",
         "hot",
         {.flop = 1 << 20, .bytes_read = 4 << 20, .level = "cache", .op = "update"},
         .seconds = 1e-5},
        {"atomics",
         "same",
         "kernel",
         "rate",
         1,
         {N},
         1,
         "i32",
         "hot",
         {.flop = 1 << 21, .bytes_read = 4 << 20, .level = "cache", .op = "update"},
         .seconds = 4e-5},
        /* more than the memory could deliver: it is the host that is timed */
        {"copy",
         "vector",
         "kernel",
         "bandwidth",
         0,
         {N},
         1,
         "u8",
         "cold",
         {.bytes_read = 1 << 26, .bytes_written = 1 << 26, .level = "hbm"},
         .seconds = 4e-5},
        {"copy",
         "vector",
         "kernel",
         "bandwidth",
         0,
         {N, {"side", "host", 0}},
         2,
         "u8",
         "cold",
         {.bytes_read = 1 << 26, .bytes_written = 1 << 26, .level = "hbm"},
         .seconds = 2e-6},
        {"copy",
         "vector",
         "kernel",
         "bandwidth",
         0,
         {N, {"load", "sustained", 0}},
         2,
         "u8",
         "cold",
         {.bytes_read = 1 << 26, .bytes_written = 1 << 26, .level = "hbm"},
         .seconds = 5e-5},
        {"ceiling-memory",
         "sweep",
         "ceiling",
         "bandwidth",
         0,
         {N},
         1,
         "f32",
         "hot",
         {.bytes_read = 1 << 28, .level = "hbm"},
         .seconds = 6e-5},
        /* 3900 of the 4096 FLOPs that each of 132 SMs can do in a clock, at 1.5 GHz */
        {"product",
         "tile",
         "kernel",
         "throughput",
         0,
         {N},
         1,
         "bf16",
         "cold",
         {.flop = 3900ll * 132 * 75000, .bytes_read = 1 << 22, .unit = "bf16", .level = "hbm"},
         .seconds = 5e-5},
};
enum { NROWS = ARRAY_LEN(rows) };

static struct repo repo;

static int make(void **state)
{
	(void)state;
	repo_make(&repo, true);
	struct synthetic s = repo_run(&repo, RUN_C);
	repo_add_rows(&repo, &s, rows, NROWS);
	repo_commit(&repo);
	repo_load(&repo);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	repo_free(&repo);
	return 0;
}

static const char *text_of(const char *inside)
{
	return repo_expand(&repo, inside, false);
}

static void contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%.2000s", part, text);
}

static void near(double got, double want)
{
	if (!(fabs(got - want) <= 0.005 * fabs(want)))
		fail_msg("got %g, expected %g", got, want);
}

static void operations_have_a_time_and_a_rate(void **state)
{
	(void)state;
	near(strtod(text_of("value launch/stream"), NULL), 3);
	contains(text_of("value launch/stream"), "µs");
	near(strtod(text_of("value launch/graph"), NULL), 500);
	contains(text_of("value launch/graph"), "ns");
	near(strtod(text_of("value atomics/spread"), NULL), (1 << 20) / 1e-5 * 1e-9);
	contains(text_of("value atomics/spread"), "\xC2\xA0GOP/s");
	contains(text_of("value atomics/spread metric=throughput"), "has no throughput");
	contains(text_of("value copy/vector metric=rate"), "has no rate");
	contains(text_of("value copy/vector metric=intensity"), "has no intensity");
}

/* Ratios of rates say how much more; ratios of times how much longer an operation takes. */
static void their_ratios_count_operations(void **state)
{
	(void)state;
	near(strtod(text_of("ratio atomics/spread over=atomics/same"), NULL), 2);
	near(strtod(text_of("ratio atomics/spread over=atomics/same metric=latency"), NULL), 0.5);
	near(strtod(text_of("ratio atomics/spread over=atomics/same metric=time"), NULL), 0.25);
	near(strtod(text_of("ratio launch/stream over=launch/graph"), NULL), 6);
	/* a ladder says how many times better, whether larger or smaller is better */
	contains(repo_expand(&repo, "ladder launch/* nodes=64", true), ">6.000×</a>");
}

/* Clock, cycles and energy of each launch are summarised and paired like times. */
static void what_launches_read_are_numbers(void **state)
{
	(void)state;
	near(strtod(text_of("value launch/stream metric=clock"), NULL), 1.5);
	contains(text_of("value launch/stream metric=clock"), "\xC2\xA0GHz");
	near(strtod(text_of("value launch/stream metric=cycles"), NULL), 64 * 3e-6 * 1.5e9 / 1e3);
	contains(text_of("value launch/stream metric=cycles"), "\xC2\xA0kcycles");
	near(strtod(text_of("ratio atomics/spread over=atomics/same metric=cycles"), NULL), 0.25);
	near(strtod(text_of("ratio atomics/spread over=atomics/same metric=clock"), NULL), 1);
	near(strtod(text_of("value copy/vector load=sustained metric=power"), NULL), 500);
	contains(text_of("value copy/vector load=sustained metric=bytecost"), "J/B");
	contains(text_of("percent copy/vector load=sustained metric=power of=spec:tdp"), "71.4");
	contains(text_of("value copy/vector metric=energy"),
	         "its launches did not read it, which takes half a second of samples");
	contains(text_of("value copy/vector load=sustained metric=flopcost"),
	         "its cost model counts none");
	contains(text_of("value launch/stream metric=flopclock"), "its cost model counts none");
	near(strtod(text_of("value product/tile metric=flopclock"), NULL), 3900);
	contains(text_of("value product/tile metric=flopclock"), "\xC2\xA0"
	                                                         "FLOP/clk/SM");
	near(strtod(text_of("percent product/tile of=spec:bf16-clock"), NULL), 100 * 3900 / 4096.0);
	contains(text_of("percent product/tile of=spec:fp8-clock"), "does not bound product/tile");
	contains(text_of("percent product/tile metric=cycles of=spec:bf16-clock"),
	         "is no peak of cycles");
	contains(repo_expand(&repo, "ladder product/* n=2^20 metric=flopclock", true),
	         "3900\xC2\xA0"
	         "FLOP/clk/SM");
	contains(text_of("value launch/stream side=host metric=cycles"), "has no cycles");
	contains(text_of("value copy/vector metric=heat"), "no metric 'heat'");
}

static struct pick sustained_copy(void)
{
	const struct data_run *r = &repo.data.runs[0];
	for (size_t i = 0; i < r->run.ncases; i++)
		if (strstr(r->run.cases[i].id, "load=sustained"))
			return (struct pick){r, &r->cases[i]};
	fail_msg("no case with load=sustained");
	return (struct pick){0};
}

/* Even launches that agree closely may all be off by the same step of the counter. */
static void an_energy_is_no_surer_than_its_counter(void **state)
{
	(void)state;
	struct pick p = sustained_copy();
	struct number power, clock, ratio;
	double step = metric_step(METRIC_POWER, &p.d->reading[0]);
	assert_true(step > 0 && number_of(&p, METRIC_POWER, &power));
	assert_true(power.lo <= power.value * exp(-step * 0.99));
	assert_true(power.hi >= power.value * exp(step * 0.99));
	ratio = number_ratio(&repo.data, &p, &p, METRIC_POWER, &repo.arena);
	assert_true(ratio.value == 1 && ratio.hi >= exp(step * sqrt(2) * 0.99));
	assert_true(number_of(&p, METRIC_CLOCK, &clock) && clock.hi < clock.value * 1.01);
}

static void another_way_is_meant_where_it_is_named(void **state)
{
	(void)state;
	near(strtod(text_of("value launch/stream side=host"), NULL), 2);
	near(strtod(text_of("value launch/stream side=device"), NULL), 3);
	contains(text_of("value launch/stream side=*"), "side= (device, host)");
	near(strtod(text_of("value copy/vector"), NULL), 3.36);
	near(strtod(text_of("value copy/vector load=sustained"), NULL), 2.68);
	contains(text_of("value launch/stream load=sustained"), "post.md:3:");
	assert_string_equal(text_of("count cases copy/*"), "1");
	assert_string_equal(text_of("count cases copy/* load=burst,sustained"), "2");
	assert_string_equal(text_of("count cases copy/* load=* side=*"), "3");
	/* the other selector takes the way of the first */
	contains(text_of("ratio launch/stream side=host over=launch/graph"), "side=");
}

static struct str load(const char *path)
{
	struct str bytes;
	struct err e = ERR_NONE;
	if (!file_read(path, 1 << 20, &repo.arena, &bytes, &e))
		fail_msg("%s", e.text);
	return bytes;
}

/* The item of a list that begins with `start`, up to the next one. */
static const char *item_with(const char *page, const char *start)
{
	const char *from = page ? strstr(page, start) : NULL, *to;
	if (!from)
		fail_msg("no item begins with %s", start);
	to = strstr(from + 1, "\n- ");
	return arena_strndup(&repo.arena, from, to ? (size_t)(to - from) : strlen(from));
}

/* Readers of records and authors of posts find every row of lib/ways.c explained. */
static void every_way_is_documented(void **state)
{
	(void)state;
	struct str format = load("data/FORMAT.md"), placeholders = load("docs/placeholders.md");
	for (const struct ways_key *k = ways_keys; k < ways_keys + WAYS_COUNT; k++) {
		const char *row = item_with(strstr(format.p, "\n### Ways of measuring\n"),
		                            arena_printf(&repo.arena, "\n- `%s`", k->name));
		for (int i = 0; i < WAYS_MAX_WORDS && k->word[i]; i++) {
			if (i > 0)
				contains(row, arena_printf(&repo.arena, "`%s`", k->word[i]));
			if (i < 2)
				contains(placeholders.p,
				         arena_printf(&repo.arena, "`%s=%s`", k->name, k->word[i]));
		}
	}
}

/* The host's part of a call moves no bytes, so it has no bandwidth, nor an impossible one. */
static void the_host_s_part_is_a_time(void **state)
{
	(void)state;
	near(strtod(text_of("value copy/vector side=host"), NULL), 2);
	contains(text_of("value copy/vector side=host"), "µs");
	contains(text_of("value copy/vector side=host metric=bandwidth"), "has no bandwidth");
}

static void ceilings_are_no_kernels(void **state)
{
	(void)state;
	assert_string_equal(text_of("count families"), "4");
	assert_string_equal(text_of("count families ceiling-*"), "1");
	near(strtod(text_of("value ceiling-memory/sweep"), NULL), 4.47);
	const struct data_families *f = &repo.data.families;
	assert_int_equal(f->n, 4);
	for (size_t i = 0; i < f->n; i++)
		assert_null(strstr(f->all[i].id, "ceiling"));
}

/* The page of a family without a roof has ladders, and no empty chart. */
static void families_without_a_roof_have_a_page(void **state)
{
	(void)state;
	const struct data_families *f = &repo.data.families;
	for (size_t i = 0; i < f->n; i++) {
		struct body body;
		struct str lead;
		struct err e = ERR_NONE;
		if (!body_family(&repo.ctx, &f->all[i], NULL, &lead, &body, &e))
			fail_msg("%s: %s", f->all[i].id, e.text);
		contains(body.html.p, "class=\"bench ladder\"");
	}
}

/* Sizes swept together make a fan: its x axis has the longest curves, another size the series. */
#define FLIGHT(warps, unroll)                                                                      \
	{                                                                                          \
		"flight", "loads", "kernel", "bandwidth", 0,                                       \
		        {N,                                                                        \
		         {"warps", NULL, warps},                                                   \
		         {"unroll", NULL, unroll},                                                 \
		         {"inflight", NULL, (warps) * (unroll)}},                                  \
		        4, "f32", "cold", {.bytes_read = 1 << 26, .level = "hbm"}, .seconds = 4e-5 \
	}

static void sizes_swept_together_have_a_plot(void **state)
{
	(void)state;
	static const struct synthetic_row grid[] = {FLIGHT(4, 1), FLIGHT(4, 2), FLIGHT(4, 4),
	                                            FLIGHT(8, 1), FLIGHT(8, 2), FLIGHT(8, 4)};
	struct repo r;
	struct body body;
	struct str lead;
	struct err e = ERR_NONE;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_C);
	repo_add_rows(&r, &s, grid, ARRAY_LEN(grid));
	repo_commit(&r);
	repo_load(&r);
	const struct data_families *f = &r.data.families;
	assert_int_equal(f->n, 1);
	if (!body_family(&r.ctx, f->all, NULL, &lead, &body, &e))
		fail_msg("%s", e.text);
	contains(body.html.p, "class=\"bench plot\"");
	contains(body.html.p, "bandwidth over inflight");
	contains(body.html.p, ">warps\xC2\xA0=\xC2\xA0"
	                      "8</text>");
	repo_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(operations_have_a_time_and_a_rate),
	        cmocka_unit_test(their_ratios_count_operations),
	        cmocka_unit_test(what_launches_read_are_numbers),
	        cmocka_unit_test(an_energy_is_no_surer_than_its_counter),
	        cmocka_unit_test(another_way_is_meant_where_it_is_named),
	        cmocka_unit_test(every_way_is_documented),
	        cmocka_unit_test(the_host_s_part_is_a_time),
	        cmocka_unit_test(ceilings_are_no_kernels),
	        cmocka_unit_test(families_without_a_roof_have_a_page),
	        cmocka_unit_test(sizes_swept_together_have_a_plot),
	};
	return cmocka_run_group_tests(tests, make, drop);
}
