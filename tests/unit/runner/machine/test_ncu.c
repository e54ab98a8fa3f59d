/* Nsight Compute's answers as counters. The answer in tests/fixtures is synthetic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/file.h"
#include "runner/machine/ncu.h"

static struct str answer(struct arena *a)
{
	struct str s;
	struct err e = ERR_NONE;
	if (!file_read("tests/fixtures/ncu-synthetic.csv", 1 << 20, a, &s, &e))
		fail_msg("%s", e.text);
	return s;
}

static double value(const struct run_counters *c, const char *name)
{
	const struct run_counter *v = record_counter(c, name);
	if (!v)
		fail_msg("no counter %s", name);
	return v ? v->value : 0;
}

static void kernels_of_a_call_add_up(void **state)
{
	(void)state;
	struct arena a = {0};
	struct run_counters c = {0};
	struct err e = ERR_NONE;
	if (!ncu_parse(answer(&a), "f.csv", &a, &c, &e))
		fail_msg("%s", e.text);
	assert_int_equal(c.kernels, 2);
	assert_true(value(&c, "time_ns") == 40000);
	assert_true(value(&c, "dram_read_bytes") == 67108864 + 1024);
	assert_true(value(&c, "dram_written_bytes") == 66000004);
	assert_true(value(&c, "shared_bank_conflicts") == 12);
	assert_true(value(&c, "registers") == 40); /* the maximum over the kernels */
	/* the second kernel took three times as long */
	assert_true(value(&c, "l2_hit_percent") == (40 + 3 * 80) / 4.0);
	assert_true(value(&c, "occupancy_percent") == (90.5 + 3 * 10.5) / 4);
	assert_true(value(&c, "occupancy_limit_percent") == (100 + 3 * 50) / 4.0);
	assert_true(value(&c, "stall_memory_warps") == (8 + 3 * 4) / 4.0);
	assert_true(value(&c, "stall_barrier_warps") == (2 + 3 * 6) / 4.0);
	assert_true(value(&c, "load_sectors") == 12 + 4);
	assert_true(value(&c, "l2_atomic_max_percent") == (12 + 3 * 4) / 4.0);
	assert_null(record_counter(&c, "stall_dependency_warps")); /* one kernel has none */
	assert_int_equal(c.nmissing, 1);
	assert_string_equal(c.missing[0].name, "stall_dependency_warps");
	assert_string_equal(c.missing[0].word, "(!) n/a");
	arena_free(&a);
}

static void refused(struct arena *a, const char *text, const char *why)
{
	struct run_counters c = {0};
	struct err e = ERR_NONE;
	assert_false(ncu_parse(str_of(text), "f.csv", a, &c, &e));
	if (!strstr(e.text, why))
		fail_msg("got '%s', expected '%s'", e.text, why);
}

static void what_is_no_answer_is_refused(void **state)
{
	(void)state;
	struct arena a = {0};
#define HEAD "\"ID\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
	refused(&a, "", "no kernel was profiled");
	refused(&a, "==WARNING== No kernels were profiled.\n", "no kernel was profiled");
	refused(&a, HEAD, "no kernel was profiled");
	refused(&a, "==ERROR== ERR_NVGPUCTRPERM\nx,y\n", "f.csv:2: no column 'ID'");
	refused(&a, HEAD "0,a\n", "f.csv:2: 2 columns, expected 4");
	refused(&a, HEAD "\"0\",\"dram__bytes_read.sum\",\"Mbyte\",\"1.5\"\n",
	        "f.csv:2: dram__bytes_read.sum is in 'Mbyte', expected 'byte'");
	refused(&a, HEAD "\"0\",\"gpu__time_duration.sum\",\"us\",\"1.5\"\n", "expected 'ns'");
	arena_free(&a);
}

/* Any part of an answer is accepted, or refused with a reason. */
static void a_cut_answer_does_no_harm(void **state)
{
	(void)state;
	struct arena a = {0};
	struct str s = answer(&a);
	for (size_t n = 0; n < s.n; n += 7) {
		struct run_counters c = {0};
		struct err e = ERR_NONE;
		bool ok = ncu_parse((struct str){s.p, n}, "f.csv", &a, &c, &e);
		assert_true(ok != e.set);
		assert_true(!ok || (c.kernels >= 1 && c.kernels <= 2));
	}
	arena_free(&a);
}

/* A program that stands in for Nsight Compute, for as long as a test lasts. */
static const char *stand_in(struct arena *a, const char *script)
{
	struct err e = ERR_NONE;
	const char *path = arena_printf(a, "/tmp/ridgepoint-ncu-test-%d", (int)getpid());
	if (!file_write(path, str_of(script), &e))
		fail_msg("%s", e.text);
	assert_int_equal(chmod(path, 0700), 0);
	return path;
}

static void its_failures_are_told(void **state)
{
	(void)state;
	struct arena a = {0};
	const char *const target[] = {"/bin/true", NULL};
	const char *why, *ncu = stand_in(&a, "#!/bin/sh\necho 'Version 9.8.7.0 (build 1)'\n");
	assert_string_equal(ncu_version(ncu, &a, &why), "ncu 9.8.7.0");
	assert_null(ncu_run(ncu, target, true, "/dev/null", 10, -1, &a));
	stand_in(&a, "#!/bin/sh\necho '==ERROR== ERR_NVGPUCTRPERM: no permission'\nexit 3\n");
	assert_null(ncu_version(ncu, &a, &why));
	assert_non_null(strstr(why, "ended with status 3: ==ERROR== ERR_NVGPUCTRPERM"));
	assert_non_null(
	        strstr(ncu_run(ncu, target, true, "/dev/null", 10, -1, &a), "no permission"));
	stand_in(&a, "#!/bin/sh\nsleep 30\n");
	assert_string_equal(ncu_run(ncu, target, true, "/dev/null", 1, -1, &a),
	                    "no answer for 1 s");
	int fd[2];
	assert_int_equal(pipe(fd), 0);
	assert_int_equal(write(fd[1], "x", 1), 1); /* like a signal's event */
	assert_string_equal(ncu_run(ncu, target, true, "/dev/null", 20, fd[0], &a), "interrupted");
	close(fd[0]);
	close(fd[1]);
	unlink(ncu);
	assert_non_null(strstr(ncu_run(ncu, target, true, "/dev/null", 5, -1, &a), "status 127"));
	arena_free(&a);
}

/* The metrics have the names of ncu's manual, and ncu may not change clocks. */
static void it_is_asked_to_leave_the_clocks_alone(void **state)
{
	(void)state;
	struct arena a = {0};
	struct str said;
	struct err e = ERR_NONE;
	const char *const target[] = {"/the/target", "profile", NULL};
	const char *ncu =
	        stand_in(&a, "#!/bin/sh\nfor x; do echo \"$x\"; done > /tmp/ridgepoint-ncu-said\n");
	assert_null(ncu_run(ncu, target, false, "/the/log", 10, -1, &a));
	if (!file_read("/tmp/ridgepoint-ncu-said", 1 << 16, &a, &said, &e))
		fail_msg("%s", e.text);
	assert_non_null(strstr(said.p, "--clock-control\nnone\n"));
	assert_non_null(strstr(said.p, "--cache-control\nnone\n"));
	assert_non_null(strstr(said.p, "--profile-from-start\noff\n"));
	assert_non_null(strstr(said.p, "--log-file\n/the/log\n/the/target\nprofile\n"));
	assert_non_null(strstr(said.p, "gpu__time_duration.sum,dram__bytes_read.sum,"));
	unlink("/tmp/ridgepoint-ncu-said");
	unlink(ncu);
	arena_free(&a);
}

/* --- the record --- */

static void counters_read_back(void **state)
{
	(void)state;
	struct arena a = {0};
	struct run_counters c = {0}, back, none = {.unavailable = "no \"ncu\""};
	struct err e = ERR_NONE;
	int64_t number;
	struct sb line = {0}, again = {0};
	struct json_doc *doc;
	struct json v;
	assert_true(ncu_parse(answer(&a), "f.csv", &a, &c, &e));
	const struct run_case of = {.number = 7};
	c.of = none.of = &of;
	c.tool = "ncu 1.2.3";
	for (int i = 0; i < 2; i++) {
		sb_clear(&line);
		sb_clear(&again);
		record_put_counters(&line, i ? &none : &c);
		assert_true(json_parse(sb_view(&line), (struct loc){"f", 1, 0}, &doc, &v, &e));
		assert_true(record_read_counters(v, &a, &back, &e));
		assert_true(json_want_i64(v, "case", &number, &e) && number == 7);
		back.of = &of;
		record_put_counters(&again, &back);
		assert_string_equal(again.p, line.p);
		json_free(doc);
	}
	assert_string_equal(back.unavailable, "no \"ncu\"");
	sb_free(&line);
	sb_free(&again);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(kernels_of_a_call_add_up),
	        cmocka_unit_test(what_is_no_answer_is_refused),
	        cmocka_unit_test(a_cut_answer_does_no_harm),
	        cmocka_unit_test(its_failures_are_told),
	        cmocka_unit_test(it_is_asked_to_leave_the_clocks_alone),
	        cmocka_unit_test(counters_read_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
