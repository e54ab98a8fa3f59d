/* What a `trace` record may hold. The line is that of tests/fixtures/run-2.jsonl. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/file.h"
#include "lib/record_trace.h"

static struct arena a;

static const char *example(void)
{
	struct err e = ERR_NONE;
	struct str bytes;
	if (!file_read("tests/fixtures/run-2.jsonl", 1 << 20, &a, &bytes, &e))
		fail_msg("%s", e.text);
	const char *at = strstr(bytes.p, "{\"type\":\"trace\"");
	assert_non_null(at);
	return arena_strndup(&a, at, strcspn(at, "\n"));
}

/* Reads the example with `from` replaced by `to`. */
static bool reads(const char *from, const char *to, struct run_trace *t, struct err *e)
{
	const char *line = example(), *at = strstr(line, from);
	struct json_doc *doc;
	struct json v;
	assert_non_null(at);
	line = arena_printf(&a, "%.*s%s%s", (int)(at - line), line, to, at + strlen(from));
	*e = ERR_NONE;
	assert_true(json_parse(str_of(line), (struct loc){"t", 1, 0}, &doc, &v, e));
	bool ok = record_trace_read(v, &a, t, e);
	json_free(doc);
	return ok;
}

static void refuses(const char *from, const char *to, const char *why)
{
	struct run_trace t;
	struct err e;
	if (reads(from, to, &t, &e))
		fail_msg("%s is accepted for %s", to, from);
	if (!strstr(e.text, why))
		fail_msg("'%s' does not say '%s'", e.text, why);
}

static void the_example_reads_as_it_was_written(void **state)
{
	(void)state;
	struct run_trace t;
	struct err e;
	assert_true(reads("\"room\":8", "\"room\":8", &t, &e));
	assert_int_equal(t.nrings, 3);
	assert_int_equal(t.nclocks, 2);
	assert_int_equal(t.ring[2].clock, 1);
	assert_string_equal(t.role[1], "adder");
	assert_int_equal(t.kept[2].cycles[5], 4800 + 16 + 8000 + 80 + 16 + 9600);
	assert_int_equal(t.kept[2].step[0], 3);
	assert_int_equal(t.kept[2].step[3], 5);
	assert_int_equal(t.count[4], 2);
}

static void what_does_not_fit_is_refused(void **state)
{
	(void)state;
	refuses("\"sm\":[0,1]", "\"sm\":[0]", "'clocks.before_ns' has 2 numbers, expected 1");
	refuses("\"clock\":[0,0,1]", "\"clock\":[0,0,2]", "ring 2 does not fit");
	refuses("\"role\":[0,1,0]", "\"role\":[0,2,0]", "ring 1 does not fit");
	refuses("\"block\":[0,0,1]", "\"block\":[0,0,16777216]", "no GPU gives");
	refuses("\"stamps\":[3,0,6]", "\"stamps\":[3,0,4294967296]", "no GPU gives");
	refuses("\"end\":[240000", "\"end\":[3199", "ring 0 does not fit");
	refuses("\"cycles\":[256000,256000]", "\"cycles\":[0,256000]", "expected at least 1");
	refuses("\"after_ns\":[160000,160032]", "\"after_ns\":[160000,32]", "stands still on SM 1");
	refuses("\"counts\":[1,1,0,0,2,2]", "\"counts\":[1,1,0,0,2]", "5 counts");
	refuses("\"ring\":2", "\"ring\":3", "ring 3");
	refuses("\"stamps\":[3,0,6]", "\"stamps\":[3,0,5]", "ring 2");
	refuses("\"what\":[2,3,4]", "\"what\":[2,3,6]", "unknown kind 6");
	refuses("\"what\":[2,3,4]", "\"what\":[2,3]", "ring 0");
	refuses("\"step\":[7,-7,0]", "\"step\":[7,-8,0]", "ring 0");
	refuses("[4800,16,8000]", "[9223372036854775807,16,8000]", "ring 0");
	refuses("\"events\":[\"ticket\",\"load\"]", "\"events\":[\"ticket\",7]", "'events'");
	refuses("eeee", "xyzw", "hex digits");
}

static void a_reason_needs_nothing_else(void **state)
{
	(void)state;
	const struct run_case of = {.number = 4};
	struct run_trace t = {.of = &of, .unavailable = "no marks"}, back;
	struct err e = ERR_NONE;
	struct json_doc *doc;
	struct json v;
	struct sb line = {0};
	record_trace_put(&line, &t);
	assert_string_equal(line.p,
	                    "{\"type\":\"trace\",\"case\":4,\"unavailable\":\"no marks\"}\n");
	assert_true(json_parse(sb_view(&line), (struct loc){"t", 1, 0}, &doc, &v, &e));
	assert_true(record_trace_read(v, &a, &back, &e));
	assert_string_equal(back.unavailable, "no marks");
	assert_int_equal(back.nrings, 0);
	json_free(doc);
	sb_free(&line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_example_reads_as_it_was_written),
	        cmocka_unit_test(what_does_not_fit_is_refused),
	        cmocka_unit_test(a_reason_needs_nothing_else),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(&a);
	return failed;
}
