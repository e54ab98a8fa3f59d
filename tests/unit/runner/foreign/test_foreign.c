/* The files of other harnesses: SYNTHETIC ones in their true formats, and broken ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/file.h"
#include "runner/foreign/foreign.h"

#define FILES "tests/fixtures/foreign/"

static struct foreign load(const char *harness, const char *path, struct arena *a)
{
	struct err e = ERR_NONE;
	struct str text;
	struct foreign f = {0};
	if (!file_read(path, 1 << 20, a, &text, &e) ||
	    !foreign_read(harness, text, path, a, &f, &e))
		fail_msg("%s", e.text);
	return f;
}

static void refused(const char *harness, const char *text, const char *says)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct foreign f;
	assert_false(foreign_read(harness, str_of(text), "f", &a, &f, &e));
	if (strcmp(e.text, says) != 0)
		fail_msg("'%s' is not '%s'", e.text, says);
	arena_free(&a);
}

static void value_is(double is, double want)
{
	if (fabs(is - want) > 1e-12 * want)
		fail_msg("%.17g is not %.17g", is, want);
}

static void hyperfine_runs_are_processes(void **state)
{
	(void)state;
	struct arena a = {0};
	struct foreign f = load("hyperfine", FILES "hyperfine.json", &a);
	assert_int_equal(f.n, 2);
	assert_null(f.start);
	assert_null(f.cpu);
	assert_string_equal(f.c[1].variant, "synthetic-sort-threads-4-numbers.txt");
	assert_string_equal(f.c[1].param[0].name, "threads");
	assert_int_equal(f.c[1].param[0].num, 4);
	assert_int_equal(f.c[1].nprocesses, 5);
	assert_int_equal(f.c[1].process[4].n, 1);
	value_is(f.c[1].process[4].seconds[0], 0.4016);
	arena_free(&a);
}

static void google_repetitions_are_of_one_process(void **state)
{
	(void)state;
	struct arena a = {0};
	struct foreign f = load("google-benchmark", FILES "google-benchmark.json", &a);
	assert_string_equal(f.version, "v1.9.0");
	assert_string_equal(f.start, "2026-01-04T10:30:00Z");
	assert_string_equal(f.command, "./synthetic_benchmark");
	assert_int_equal(f.cores, 8);
	assert_int_equal(f.n, 3);
	assert_string_equal(f.c[0].variant, "bm_synthetic-float");
	assert_string_equal(f.c[0].title, "BM_Synthetic<float>");
	assert_int_equal(f.c[0].nparams, 2);
	assert_string_equal(f.c[0].param[0].name, "arg0");
	assert_string_equal(f.c[0].param[1].name, "threads");
	assert_int_equal(f.c[0].nprocesses, 1);
	assert_int_equal(f.c[0].process[0].n, 3); /* and not the mean of the three */
	value_is(f.c[0].process[0].seconds[1], 1240e-9);
	assert_string_equal(f.c[1].unavailable, "synthetic: no such device");
	assert_int_equal(f.c[1].nprocesses, 0);
	value_is(f.c[2].process[0].seconds[0], 2.5e-3); /* of an aggregate, where nothing else is */
	arena_free(&a);
}

static void pytest_rounds_are_of_one_process(void **state)
{
	(void)state;
	struct arena a = {0};
	struct foreign f = load("pytest-benchmark", FILES "pytest-benchmark.json", &a);
	assert_string_equal(f.version, "4.0.0");
	assert_string_equal(f.start, "2026-01-04T09:00:00Z");
	assert_string_equal(f.cpu, "Synthetic CPU 1000 @ 2.00GHz");
	assert_string_equal(f.os, "Linux 6.1.0-synthetic");
	assert_string_equal(f.commit, "5e1f5e1f5e1f5e1f5e1f5e1f5e1f5e1f5e1f5e1f");
	assert_string_equal(f.c[0].variant, "test_sum");
	assert_string_equal(f.c[0].param[1].word, "fast");
	assert_int_equal(f.c[0].process[0].n, 5);
	value_is(f.c[0].process[0].seconds[4], 0.0000105);
	assert_int_equal(f.c[1].process[0].n, 1);
	value_is(f.c[1].process[0].seconds[0], 0.231); /* the median */
	arena_free(&a);
}

static void nvbench_has_a_mean(void **state)
{
	(void)state;
	struct arena a = {0};
	struct foreign f = load("nvbench", FILES "nvbench.json", &a);
	assert_string_equal(f.version, "0.1.0");
	assert_string_equal(f.command, "./synthetic.copy --json nvbench.json");
	assert_string_equal(f.gpu.name, "Synthetic GPU");
	assert_string_equal(f.gpu.compute_capability, "9.0");
	assert_int_equal(f.gpu.sms, 132);
	assert_string_equal(f.c[0].variant, "synthetic_copy");
	assert_string_equal(f.c[0].cache, "cold");
	assert_string_equal(f.c[0].param[0].word, "f32");
	assert_int_equal(f.c[0].param[1].num, 16777216);
	value_is(f.c[0].process[0].seconds[0], 3.2123456789e-05);
	assert_non_null(strstr(f.c[0].idea, "the mean of 4096 samples"));
	assert_string_equal(f.c[1].unavailable, "synthetic: not enough memory");
	arena_free(&a);
}

static void a_table_says_its_processes(void **state)
{
	(void)state;
	struct arena a = {0};
	struct foreign f = load("csv", FILES "times.csv", &a);
	assert_int_equal(f.n, 2);
	assert_string_equal(f.c[0].variant, "synthetic-scan");
	assert_int_equal(f.c[0].nprocesses, 2);
	assert_int_equal(f.c[0].process[0].n, 2);
	assert_int_equal(f.c[0].process[1].n, 1);
	value_is(f.c[0].process[0].seconds[1], 10.75e-6);
	value_is(f.c[0].process[1].seconds[0], 10.5e-6);
	assert_string_equal(f.c[1].title, "synthetic \"quoted\", scan");
	assert_string_equal(f.c[1].param[1].word, "slow");
	arena_free(&a);
}

static void broken_files_name_their_place(void **state)
{
	(void)state;
	refused("hyperfine", "{\"results\": [\n}", "f:2:1: not JSON: unexpected token near '}'");
	refused("hyperfine", "[]", "f:1:1: not an object, expected the file of hyperfine");
	refused("hyperfine", "{}", "f:1:1: 'results' is missing, expected an array");
	refused("hyperfine", "{\"results\": []}", "f:1:1: no result, expected at least one");
	refused("hyperfine", "{\"x\": \"]}\\\"\", \"results\": [\n  7]}",
	        "f:2:3: 'results[0]' is not an object");
	refused("hyperfine",
	        "{\"results\": [\n {\"command\": \"a\", \"times\": [0.5]},\n {\"times\": []}]}",
	        "f:3:2: 'command' is missing, expected a string");
	refused("hyperfine", "{\"results\": [\n {\"command\": \"a\", \"times\": [0.5, -1]}]}",
	        "f:2:2: a time of -1 s, expected one above 0");
	refused("hyperfine",
	        "{\"results\": [\n {\"command\": \"a\", \"times\": [1], \"exit_codes\": [1]}]}",
	        "f:2:2: run 1 of this command failed: a program that fails has no time");
	refused("hyperfine",
	        "{\"results\": [{\"command\": \"A b\", \"times\": [1]}, "
	        "{\"command\": \"a-B\", \"times\": [1]}]}",
	        "f:1:1: 'A b' and 'a-B' are both called 'a-b' here: give them names that differ in "
	        "letters or digits");
	refused("google-benchmark",
	        "{\"context\": {},\n\"benchmarks\": [{\"name\": \"x\", \"real_time\": 1, "
	        "\"time_unit\": \"h\"}]}",
	        "f:2:16: 'time_unit' is 'h', expected ns, us, ms or s");
	refused("nvbench",
	        "{\"benchmarks\": [{\"name\": \"x\", \"states\": [\n  {\"name\": \"y\"}]}]}",
	        "f:2:3: no summary 'nv/cold/time/gpu/mean', 'nv/batch/time/gpu/mean' or "
	        "'nv/cpu_only/time/cpu/mean', expected a mean time");
	refused("pytest-benchmark", "{\"benchmarks\": [{\"name\": \"x\",\n \"stats\": {}}]}",
	        "f:1:17: 'median' is missing, expected a number");
	refused("csv", "name,n\nx,1\n",
	        "f:1:1: the head has no column 'time_…'; expected name, and time_ns, time_us, "
	        "time_ms "
	        "or time_s");
	refused("csv", "name,time_ns\nx,1\ny\n", "f:3:1: 1 cells, expected 2 as in the head");
	refused("csv", "name,time_ns\nä,zwei\n", "f:2:3: 'zwei' is no number, expected a time");
	refused("csv", "name,time_ns\nx,0\n", "f:2:3: a time of 0 s, expected one above 0");
	refused("csv", "name,time_ns\n\"x,1\n",
	        "f:2:1: a quoted cell without its end on this line");
	refused("csv", "name,time_ns\n\"x\"y,1\n",
	        "f:2:4: text behind a quoted cell, expected a comma");
	refused("csv", "name,time_ns\n\xff,1\n", "f:1:1: not valid UTF-8 text");
}

static void names_and_times(void **state)
{
	(void)state;
	struct arena a = {0};
	assert_string_equal(foreign_name(STR("BM_Copy<float, 4>"), &a), "bm_copy-float-4");
	assert_string_equal(foreign_name(STR("..x."), &a), "x.");
	assert_null(foreign_name(STR("<->"), &a));
	assert_string_equal(foreign_time("2026-01-31", &a), "2026-01-31T00:00:00Z");
	assert_string_equal(foreign_time("2026-01-31T23:30:00-01:00", &a), "2026-02-01T00:30:00Z");
	assert_string_equal(foreign_time("2026-01-31 10:00:00.25+0200", &a),
	                    "2026-01-31T08:00:00Z");
	assert_string_equal(foreign_time("2026-01-31T10:00:00Z", &a), "2026-01-31T10:00:00Z");
	const char *const none[] = {"",
	                            "yesterday",
	                            "2026-02-30",
	                            "2026-01-31T25:00:00",
	                            "2026-1-1",
	                            "2026-01-31T10:00",
	                            "2026-01-31T10:00:00 CET"};
	for (size_t i = 0; i < ARRAY_LEN(none); i++)
		assert_null(foreign_time(none[i], &a));
	arena_free(&a);
}

/* A parameter whose name a placeholder uses itself can be named all the same. */
static void taken_names_get_a_stroke(void **state)
{
	(void)state;
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct foreign f;
	assert_true(foreign_read("csv", STR("name,Rows,time_s\nx,8,1\n"), "f", &a, &f, &e));
	assert_string_equal(f.c[0].param[0].name, "rows_");
	arena_free(&a);
}

/* --- what programs print --- */

static void not_printed(const struct foreign_rule *rule, const char *text, const char *says)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct foreign f;
	assert_false(foreign_printed(rule, str_of(text), "f", &a, &f, &e));
	if (strcmp(e.text, says) != 0)
		fail_msg("'%s' is not '%s'", e.text, says);
	arena_free(&a);
}

static void a_pattern_finds_times(void **state)
{
	(void)state;
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct foreign f;
	const struct foreign_rule rule = {.title = "x", .pattern = "took ([0-9.]+) *(ms|us)?"};
	struct foreign_rule with = rule;
	with.unit = "s";
	assert_true(foreign_printed(&with, STR("a\ntook 1.5 ms\ntook 20us,\nx took 3"), "f", &a, &f,
	                            &e));
	assert_int_equal(f.n, 1);
	assert_int_equal(f.c->nprocesses, 1);
	assert_int_equal(f.c->process->n, 3);
	value_is(f.c->process->seconds[0], 1.5e-3);
	value_is(f.c->process->seconds[1], 20e-6);
	value_is(f.c->process->seconds[2], 3);
	arena_free(&a);
	not_printed(&rule, "\n took 3",
	            "f:2:7: a time without a unit: say it with --unit, or find it with the "
	            "pattern's second group");
	not_printed(&rule, "took 1.2.3 ms", "f:1:6: '1.2.3' is no number, expected a time");
}

static void lines_name_their_results(void **state)
{
	(void)state;
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct foreign f;
	const struct foreign_rule rule = {0};
	assert_true(foreign_printed(&rule,
	                            STR("x\n ridgepoint: A<b> n=4 op=Add 1 us\n"
	                                "ridgepoint: A<b> n=8 op=Add 2 ns\n"
	                                "ridgepoint: A<b> n=4 op=Add 3 us"),
	                            "f", &a, &f, &e));
	assert_int_equal(f.n, 2);
	assert_string_equal(f.c[0].variant, "a-b");
	assert_string_equal(f.c[0].title, "A<b>");
	assert_int_equal(f.c[0].param[0].num, 4);
	assert_string_equal(f.c[0].param[1].word, "add");
	assert_int_equal(f.c[0].process->n, 2);
	value_is(f.c[0].process->seconds[1], 3e-6);
	value_is(f.c[1].process->seconds[0], 2e-9);
	arena_free(&a);
	not_printed(&rule, "ridgepoint: a 3 h", "f:1:17: 'h' is no unit, expected ns, us, ms or s");
	not_printed(&rule, "ridgepoint: a b 3 s", "f:1:15: 'b', expected NAME=VALUE");
	not_printed(&rule, "ridgepoint: a x s", "f:1:15: 'x' is no number, expected a time");
	not_printed(&rule, "ridgepoint: \xff 1 s", "f:1:1: not valid UTF-8 text");
	not_printed(&rule, "",
	            "f:1:1: no line 'ridgepoint: NAME [PARAMETER=VALUE...] NUMBER UNIT', expected "
	            "one or more");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(hyperfine_runs_are_processes),
	        cmocka_unit_test(google_repetitions_are_of_one_process),
	        cmocka_unit_test(pytest_rounds_are_of_one_process),
	        cmocka_unit_test(nvbench_has_a_mean),
	        cmocka_unit_test(a_table_says_its_processes),
	        cmocka_unit_test(broken_files_name_their_place),
	        cmocka_unit_test(names_and_times),
	        cmocka_unit_test(taken_names_get_a_stroke),
	        cmocka_unit_test(a_pattern_finds_times),
	        cmocka_unit_test(lines_name_their_results),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
