/* The example run file, and the page that explains it (data/FORMAT.md). Runs from the root. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/record.h"
#include "tests/unit/help/rewritten.h"

static const char example_path[] = "tests/fixtures/run-2.jsonl";

static struct str load(const char *path, struct arena *a)
{
	struct err e = ERR_NONE;
	struct str bytes;
	if (!file_read(path, 1 << 20, a, &bytes, &e))
		fail_msg("%s", e.text);
	return bytes;
}

static void read_example(struct arena *a, struct str *bytes, struct run *r)
{
	struct err e = ERR_NONE;
	*bytes = load(example_path, a);
	if (!record_read(*bytes, example_path, a, r, &e))
		fail_msg("%s", e.text);
}

static void the_example_is_whole(void **state)
{
	(void)state;
	struct arena a = {0};
	struct str bytes;
	struct run r;
	struct stats_summary t;
	read_example(&a, &bytes, &r);
	assert_true(r.whole);
	assert_string_equal(r.status, "complete");
	assert_int_equal(r.ncases, 3);
	assert_int_equal(r.nlaunches, 3);
	assert_int_equal(r.ncounters, 1);
	assert_ptr_equal(record_counters(&r, &r.cases[0]), &r.counters[0]);
	assert_null(record_counters(&r, &r.cases[1]));
	assert_true(record_counter(&r.counters[0], "dram_read_bytes")->value == 268435968);
	assert_string_equal(r.cases[0].id, record_case_id(&r.cases[0], &a));
	assert_string_equal(r.cases[1].unavailable, "libexample.so not found");
	assert_null(r.cases[0].knob.name);
	assert_true(record_is_knob(&r.cases[2], "unroll"));
	assert_false(record_is_knob(&r.cases[2], "n"));
	assert_string_equal(r.cases[2].knob.unit, "vectors");
	assert_int_equal(r.cases[2].knob.chosen, 2);
	assert_true(record_launch_ok(&r.launches[0]));
	assert_false(record_launch_ok(&r.launches[1]));
	assert_true(record_summary(&r, &r.cases[0], &a, &t, NULL));
	/* the middle two of its eight samples, of ten calls each */
	assert_true(t.typical > 129.71e-6 && t.typical < 129.72e-6);
	arena_free(&a);
}

static void written_again_it_is_the_same(void **state)
{
	(void)state;
	struct arena a = {0};
	struct str bytes;
	struct run r;
	struct sb out = {0};
	read_example(&a, &bytes, &r);
	rewritten(&out, &r, &a);
	assert_string_equal(out.p, bytes.p);
	sb_free(&out);
	arena_free(&a);
}

/* A null control is not a case; it stands beside the cases, paired by launch. */
static void null_controls_stand_apart(void **state)
{
	(void)state;
	struct arena a = {0};
	struct str bytes;
	struct run r;
	double *null, *own, ratio[1];
	read_example(&a, &bytes, &r);
	assert_int_equal(r.nnulls, 1);
	assert_int_equal(r.nnull_launches, 2);
	assert_null(record_case(&r, r.nulls[0].id));
	assert_ptr_equal(record_null_of(&r, &r.nulls[0]), &r.cases[0]);
	/* launch 1 of the case failed and the control has none: 0 and 2 pair */
	assert_int_equal(record_pairs(&r, &r.nulls[0], &r.cases[0], &a, &null, &own), 2);
	assert_true(null[0] / own[0] > 1.00006 && null[1] / own[1] < 1.00004);
	assert_int_equal(record_null_ratios(&r, &a, ratio), 1);
	assert_true(ratio[0] > 1.00004 && ratio[0] < 1.00006);
	assert_true(record_null_ratio(&r, &a) == r.null_ratio && r.null_ratio == ratio[0]);
	arena_free(&a);
}

/* A file of the previous version keeps its meaning. */
static void older_files_read_as_before(void **state)
{
	(void)state;
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct run r;
	struct stats_summary t;
	if (!record_read(load("tests/fixtures/run-1.0.jsonl", &a), "1.0", &a, &r, &e))
		fail_msg("%s", e.text);
	assert_true(r.whole);
	assert_string_equal(r.head.schema, "ridgepoint-run/1.0");
	assert_null(r.head.replicates);
	assert_null(r.cases[0].build.code_sha256);
	assert_int_equal(r.ncases, 2);
	assert_int_equal(r.nlaunches, 2);
	assert_int_equal(r.nnulls, 0);
	assert_true(r.null_ratio == 0 && record_null_ratio(&r, &a) == 0);
	assert_int_equal(r.launches[0].gates_expired, 0);
	assert_true(record_summary(&r, &r.cases[0], &a, &t, NULL));
	assert_true(t.typical > 129.71e-6 && t.typical < 129.72e-6);
	assert_false(r.head.newer);
	/* 1.5 was the last of its major version */
	for (int minor = 5; minor <= 6; minor++) {
		char *later = arena_strdup(&a, load("tests/fixtures/run-1.0.jsonl", &a).p);
		strstr(later, "/1.0")[3] = (char)('0' + minor);
		assert_true(record_read(str_of(later), "1.x", &a, &r, &e));
		assert_int_equal(r.head.newer, minor == 6);
	}
	arena_free(&a);
}

/* A line of the file as the page shows it: wrapped, with a space before each continuation. */
static const char *joined(struct str block, struct arena *a)
{
	const char *whole = "";
	struct str line;
	while (block.n > 0) {
		str_cut(block, '\n', &line, &block);
		if (whole[0] && !str_starts(line, " "))
			fail_msg("'" STR_FMT "' continues a line, expected a space before it",
			         STR_ARG(line));
		size_t cut = whole[0] ? 1 : 0;
		whole = arena_printf(a, "%s%.*s", whole, (int)(line.n - cut), line.p + cut);
	}
	return whole;
}

static void the_page_holds_lines_of_the_example(void **state)
{
	(void)state;
	static const char begin[] = "\n```json\n", end[] = "\n```\n";
	static const char *const types[] = {"run",    "family",   "variant", "case",
	                                    "launch", "counters", "trace",   "end"};
	bool shown[sizeof types / sizeof types[0]] = {false};
	struct arena a = {0};
	struct str bytes, page = load("data/FORMAT.md", &a);
	struct run r;
	read_example(&a, &bytes, &r);
	for (const char *at = page.p; (at = strstr(at, begin)); at++) {
		const char *from = at + sizeof begin - 1, *to = strstr(from, end);
		assert_non_null(to);
		const char *line = joined((struct str){from, (size_t)(to - from)}, &a);
		if (!strstr(bytes.p, arena_printf(&a, "%s\n", line)))
			fail_msg("%s has no line %s", example_path, line);
		for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
			shown[i] |= strstr(line, arena_printf(&a, "{\"type\":\"%s\",", types[i])) ==
			            line;
	}
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		if (!shown[i])
			fail_msg("data/FORMAT.md shows no line of type %s", types[i]);
	arena_free(&a);
}

/* Words and parameters that a user chooses have no rows of their own. */
static bool is_free(const char *key)
{
	static const char *const free_keys[] = {"toolchain", "params",       "unavailable",
	                                        "missing",   "instructions", "choice"};
	for (size_t i = 0; i < ARRAY_LEN(free_keys); i++)
		if (strcmp(key, free_keys[i]) == 0)
			return true;
	return false;
}

/* Every member of v is named on the page: `name` or `object.name`. */
static void each_is_explained(struct json v, const char *object, const char *page, struct arena *a)
{
	const char *key;
	struct json member;
	for (size_t i = 0; json_each(v, &i, &key, &member);) {
		const char *plain = arena_printf(a, "`%s`", key);
		const char *dotted = arena_printf(a, "`%s.%s`", object, key);
		/* `after` has the members of `before` */
		if (!strstr(page, dotted) && (object[0] || !strstr(page, plain)) &&
		    strcmp(object, "after") != 0)
			fail_msg("data/FORMAT.md does not explain %s", object[0] ? dotted : plain);
		if (json_is_object(member) && !is_free(key))
			each_is_explained(member, key, page, a);
	}
}

static void the_page_explains_every_member(void **state)
{
	(void)state;
	struct arena a = {0};
	struct str rest = load(example_path, &a), page = load("data/FORMAT.md", &a), line;
	/* before the example: there every member stands anyway */
	const char *text = arena_strndup(&a, page.p, (size_t)(strstr(page.p, "```json") - page.p));
	while (rest.n > 0) {
		struct err e = ERR_NONE;
		struct json_doc *doc;
		struct json root;
		str_cut(rest, '\n', &line, &rest);
		if (!json_parse(line, (struct loc){example_path, 1, 1}, &doc, &root, &e))
			fail_msg("%s", e.text);
		each_is_explained(root, "", text, &a);
		json_free(doc);
	}
	arena_free(&a);
}

/* The example as a run with two GPUs: it reads as it was written, and bad members are refused. */
static void make_several(struct arena *a, struct run *r)
{
	static struct run_card cards[] = {{"GPU-a", "1.0", "0000:1b:00.0"}, {.uuid = "GPU-b"}};
	static struct run_link links[] = {{0, 1, 18, true, true, true},
	                                  {1, 0, RECORD_NONE, true, false, false}};
	static struct run_pair env[] = {{"NCCL_NVLS_ENABLE", "0", 0}};
	static int64_t skew[] = {0, 1127};
	struct str bytes;
	read_example(a, &bytes, r);
	r->head.gpus = cards;
	r->head.topology = links;
	r->head.env = env;
	r->head.ngpus = r->head.ntopology = 2;
	r->head.nenv = 1;
	r->launches[0].skew_ns = skew;
	r->launches[0].nskew = 2;
}

static void several_gpus_are_written_and_read(void **state)
{
	(void)state;
	struct arena a = {0};
	struct run r, again;
	struct sb text = {0};
	struct err e = ERR_NONE;
	make_several(&a, &r);
	rewritten(&text, &r, &a);
	if (!record_read(sb_view(&text), "again", &a, &again, &e))
		fail_msg("%s", e.text);
	same_head(&r.head, &again.head);
	same_numbers(r.launches[0].skew_ns, 2, again.launches[0].skew_ns, again.launches[0].nskew);
	assert_int_equal(again.launches[2].nskew, 0);
	assert_true(again.head.topology[1].nvlink_lanes == RECORD_NONE);
	assert_true(record_lanes(&again.head) == RECORD_NONE);
	again.head.gpus[0].uuid = "GPU-9a9773b3-1-2";
	again.head.gpus[1].uuid = NULL;
	assert_string_equal(record_cards(&again.head, 9, &a), "9a9773b3, ?");
	assert_string_equal(record_cards(&again.head, 1, &a), "9a9773b3");
	again.head.topology[1].nvlink_lanes = 6;
	assert_int_equal(record_lanes(&again.head), 6);
	sb_free(&text);
	arena_free(&a);
}

static void what_several_gpus_cannot_be_is_refused(void **state)
{
	(void)state;
	static const struct {
		int what;
		const char *why;
	} bad[] = {{0, "'gpus' lists 1"},
	           {1, "'topology' names the GPUs 0 and 2 of 2"},
	           {2, "'topology' names the GPUs 1 and 1 of 2"},
	           {3, "'skew_ns[1]' is negative"},
	           {4, "'skew_ns' has 2 values"}};
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct arena a = {0};
		struct run r, again;
		struct sb text = {0};
		struct err e = ERR_NONE;
		make_several(&a, &r);
		struct run_link links[] = {{0, bad[i].what == 1 ? 2 : 1, 18, true, true, true},
		                           {1, bad[i].what == 2, 18, true, true, true}};
		int64_t skew[] = {0, -1};
		r.head.topology = links;
		r.head.ngpus = bad[i].what == 0 ? 1 : 2;
		if (bad[i].what == 0)
			r.head.ntopology = r.launches[0].nskew = 0;
		if (bad[i].what == 3)
			r.launches[0].skew_ns = skew;
		if (bad[i].what == 4) /* a run with one GPU */
			r.head.ngpus = r.head.ntopology = 0;
		rewritten(&text, &r, &a);
		assert_false(record_read(sb_view(&text), "again", &a, &again, &e));
		if (!strstr(e.text, bad[i].why))
			fail_msg("%s: %s", bad[i].why, e.text);
		sb_free(&text);
		arena_free(&a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(several_gpus_are_written_and_read),
	        cmocka_unit_test(what_several_gpus_cannot_be_is_refused),
	        cmocka_unit_test(the_example_is_whole),
	        cmocka_unit_test(written_again_it_is_the_same),
	        cmocka_unit_test(null_controls_stand_apart),
	        cmocka_unit_test(older_files_read_as_before),
	        cmocka_unit_test(the_page_holds_lines_of_the_example),
	        cmocka_unit_test(the_page_explains_every_member),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
