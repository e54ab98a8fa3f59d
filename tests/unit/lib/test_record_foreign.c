/* Records of other harnesses: written, read back, and refused. All values are SYNTHETIC. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/hash.h"
#include "lib/record_foreign.h"
#include "tests/unit/help/rewritten.h"

static const char text[] = "{\"results\": [\"SYNTHETIC ü\"]}\n";

/* A record before a test breaks it. */
struct made {
	struct arena a;
	struct run_head head;
	struct run_foreign foreign;
	struct run_case c;
	struct run_launch l;
	char sha256[HASH_SHA256_HEX + 1];
	const char *original; /* NULL: none is written */
	struct sb out;
	struct run run;
};

static struct made made(void)
{
	struct made m = {.original = text};
	hash_sha256(STR(text), m.sha256);
	m.foreign = (struct run_foreign){.harness = "hyperfine", .file = "a.json"};
	m.head = (struct run_head){.schema = RECORD_FOREIGN_SCHEMA,
	                           .id = "20260101T000000Z-cpu-x-00000000",
	                           .device = "cpu-x",
	                           .start = "2026-01-01T00:00:00Z",
	                           .runner_sha256 =
	                                   "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	                                   "bbbbbbbbbbbbbbbb",
	                           .machine = {"cpu-x/hyperfine", "X", RECORD_UNKNOWN, NULL, 0, 0},
	                           .order = RECORD_UNKNOWN};
	m.c = (struct run_case){.family = "hyperfine-sort",
	                        .variant = "quick",
	                        .family_title = "sort",
	                        .variant_title = "quick",
	                        .problem = "SYNTHETIC",
	                        .idea = "SYNTHETIC",
	                        .metric = "time",
	                        .role = "kernel",
	                        .device = "cpu",
	                        .dtype = RECORD_UNKNOWN,
	                        .cache = RECORD_UNKNOWN,
	                        .build = {.flags = "", RECORD_NONE, RECORD_NONE, RECORD_NONE},
	                        .model = {.formula = "", .level = RECORD_UNKNOWN},
	                        .input = "",
	                        .check_reference = "nothing",
	                        .check_why = "",
	                        .foreign = true};
	m.l = (struct run_launch){.status = "ok",
	                          .before = {.norm = -1, .ulp = -1},
	                          .after = {.norm = -1, .ulp = -1},
	                          .batch = 1,
	                          .memory_clock_mhz = RECORD_NONE,
	                          .energy_mj = RECORD_NONE,
	                          .throttle_reasons = RECORD_NONE,
	                          .sm_cycles = RECORD_NONE,
	                          .sm_cycles_ns = RECORD_NONE};
	m.l.sm_clock_mhz[0] = m.l.power_mw[0] = m.l.temperature_c[0] = RECORD_NONE;
	return m;
}

static bool read_back(struct made *m, struct err *e)
{
	static int64_t samples[] = {5000, 5100, 5200};
	m->foreign.sha256 = m->foreign.sha256 ? m->foreign.sha256 : m->sha256;
	m->c.id = record_case_id(&m->c, &m->a);
	m->l.of = &m->c;
	m->l.sample_ns = samples;
	m->l.nsamples = ARRAY_LEN(samples);
	record_put_head(&m->out, &m->head);
	record_put_cases(&m->out, &m->c, 1);
	record_put_launch(&m->out, &m->l);
	if (m->original)
		record_foreign_put_original(&m->out, str_of(m->original));
	record_put_end(&m->out, "complete", "2026-01-01T00:00:00Z", 0, sb_view(&m->out));
	return record_read(sb_view(&m->out), "x", &m->a, &m->run, e);
}

static void done(struct made *m)
{
	sb_free(&m->out);
	arena_free(&m->a);
}

static void refused(struct made *m, const char *says)
{
	struct err e = ERR_NONE;
	assert_false(read_back(m, &e));
	if (!strstr(e.text, says))
		fail_msg("'%s' does not say '%s'", e.text, says);
	done(m);
}

static void what_is_said_comes_back(void **state)
{
	(void)state;
	struct made m = made();
	struct err e = ERR_NONE;
	struct stats_summary t;
	m.head.foreign = &m.foreign;
	m.foreign.version = "1.18.0";
	m.foreign.checked = "sort -c";
	m.foreign.source = "https://example.org/sort";
	m.foreign.commit = "abc";
	m.foreign.command = "hyperfine 'sort x'";
	if (!read_back(&m, &e))
		fail_msg("%s", e.text);
	const struct run_foreign *f = m.run.head.foreign;
	assert_non_null(f);
	assert_true(m.run.whole && m.run.cases[0].foreign);
	assert_string_equal(f->harness, "hyperfine");
	assert_string_equal(f->version, "1.18.0");
	assert_string_equal(f->checked, "sort -c");
	assert_string_equal(f->source, "https://example.org/sort");
	assert_string_equal(f->commit, "abc");
	assert_string_equal(f->command, "hyperfine 'sort x'");
	assert_string_equal(f->file, "a.json");
	assert_string_equal(f->sha256, m.sha256);
	/* nobody checked its process, and it counts all the same */
	assert_false(m.run.launches[0].before.passed);
	assert_true(record_launch_ok(&m.run.launches[0]));
	assert_true(record_summary(&m.run, &m.run.cases[0], &m.a, &t, NULL));
	assert_true(t.typical > 5.0999e-6 && t.typical < 5.1001e-6);
	done(&m);
}

static void the_schema_and_the_member_belong_together(void **state)
{
	(void)state;
	struct made m = made();
	refused(&m, "without a member 'foreign'");
	m = made();
	m.head.foreign = &m.foreign;
	m.head.schema = RECORD_SCHEMA;
	refused(&m, "with a member 'foreign'");
	m = made();
	m.head.foreign = &m.foreign;
	m.foreign.harness = "stopwatch";
	refused(&m, "'stopwatch', expected one of csv, exec, google-benchmark");
}

static void the_file_is_held_against_its_hash(void **state)
{
	(void)state;
	struct err e = ERR_NONE;
	struct made m = made();
	m.head.foreign = &m.foreign;
	m.original = "{\"results\": []}\n";
	refused(&m, "and the head names");
	m = made();
	m.head.foreign = &m.foreign;
	m.original = NULL;
	assert_true(read_back(&m, &e));
	assert_false(m.run.whole);
	assert_string_equal(m.run.why_not_whole, "it lacks the file of the other harness");
	done(&m);
}

/* Nothing of a foreign case may look like a measurement of the runner, nor the other way round. */
static void the_classes_stay_apart(void **state)
{
	(void)state;
	const char *families[] = {"sort", "nvbench-sort", "hyperfine", "hyperfine-"};
	for (size_t i = 0; i < ARRAY_LEN(families); i++) {
		struct made m = made();
		m.head.foreign = &m.foreign;
		m.c.family = families[i];
		refused(&m, "expected 'hyperfine-' before its name");
	}
	struct made m = made();
	m.head.foreign = &m.foreign;
	m.c.model.bytes_read = 1;
	refused(&m, "neither sources nor a cost model");
	m = made();
	m.head.foreign = &m.foreign;
	m.c.role = "ceiling";
	refused(&m, "the role 'kernel'");
	m = made();
	m.head.foreign = &m.foreign;
	m.c.metric = "bandwidth";
	refused(&m, "expected a time");
	m = made();
	m.head.schema = RECORD_SCHEMA;
	m.original = NULL;
	refused(&m, "as of another harness, in a record of the runner");
	m = made();
	m.head.schema = RECORD_SCHEMA;
	m.original = NULL;
	m.c.family = "sort";
	refused(&m, "as of another harness, in a record of the runner"); /* its cache is unknown */
}

static void families_are_told_by_their_names(void **state)
{
	(void)state;
	const char *const foreign[] = {"csv-x", "google-benchmark-x", "hyperfine-sort",
	                               "nvbench-a-b", "pytest-benchmark-x"};
	const char *const native[] = {"csv", "transpose", "hyperfine", "nvbench-", "my-csv-x"};
	for (size_t i = 0; i < ARRAY_LEN(foreign); i++)
		assert_true(record_foreign_family(foreign[i]));
	for (size_t i = 0; i < ARRAY_LEN(native); i++)
		assert_false(record_foreign_family(native[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_is_said_comes_back),
	        cmocka_unit_test(the_schema_and_the_member_belong_together),
	        cmocka_unit_test(the_file_is_held_against_its_hash),
	        cmocka_unit_test(the_classes_stay_apart),
	        cmocka_unit_test(families_are_told_by_their_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
