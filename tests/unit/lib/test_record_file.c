/* The container of a run file: names, and lines that are the same plain and packed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/file.h"
#include "lib/gzip.h"
#include "lib/record_file.h"
#include "tests/unit/help/folder.h"

static void names(void **state)
{
	(void)state;
	assert_true(record_file_is(STR("data/runs/h200/a.jsonl.gz")));
	assert_true(record_file_is(STR("a.jsonl")));
	assert_false(record_file_is(STR("data/runs/h200/.a.jsonl.gz")));
	assert_false(record_file_is(STR(".a.jsonl")));
	assert_false(record_file_is(STR("a.jsonl.gz/")));
	assert_false(record_file_is(STR("a.json.gz")));
	assert_false(record_file_is(STR("MANIFEST")));
	assert_true(record_file_same("d/a.jsonl", "d/a.jsonl.gz"));
	assert_false(record_file_same("d/a.jsonl", "d/b.jsonl.gz"));
	assert_true(str_is(record_file_plain(STR("d/a.jsonl.gz")), "d/a.jsonl"));
	assert_true(str_is(record_file_plain(STR("d/a.jsonl")), "d/a.jsonl"));
}

static void a_packed_file_has_the_same_lines(void **state)
{
	struct folder *f = *state;
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct sb small = {0};
	struct str lines, there;
	struct run plain, packed;
	const char *path = folder_path(f, "r.jsonl.gz");
	assert_true(
	        file_read("tests/fixtures/run-example.jsonl", RECORD_MAX_BYTES, &a, &lines, &e));
	assert_true(gzip_pack(lines, &small) && file_write(path, sb_view(&small), &e));
	sb_free(&small);
	assert_true(record_file_read(path, &a, &there, &e) && str_eq(lines, there));
	assert_true(record_file_load("tests/fixtures/run-example.jsonl", &a, &plain, &e));
	assert_true(record_file_load(path, &a, &packed, &e));
	assert_string_equal(plain.sha256, packed.sha256); /* of the lines */
	assert_true(packed.whole && record_file_load_whole(path, &a, &packed, &e));
	lines.n = str_find(lines, '\n', 0) + 1; /* its head alone */
	const char *cut = folder_path(f, "cut.jsonl");
	assert_true(file_write(cut, lines, &e) && record_file_load(cut, &a, &plain, &e));
	assert_false(record_file_load_whole(cut, &a, &plain, &e));
	assert_non_null(strstr(e.text, "cut.jsonl: not whole: it has no end record"));
	const char *dir = folder_path(f, "");
	assert_non_null(strstr(record_file_find(dir, "r", &a), "r.jsonl.gz"));
	assert_null(record_file_find(dir, "s", &a));
	arena_free(&a);
}

static void what_is_not_gzip_is_named(void **state)
{
	struct folder *f = *state;
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct str lines;
	const char *path = folder_path(f, "r.jsonl.gz");
	assert_true(file_write(path, STR("{\"type\":\"run\"}\n"), &e));
	assert_false(record_file_read(path, &a, &lines, &e));
	assert_non_null(strstr(e.text, "r.jsonl.gz: "));
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(names),
	        cmocka_unit_test_setup_teardown(a_packed_file_has_the_same_lines, folder_setup,
	                                        folder_teardown),
	        cmocka_unit_test_setup_teardown(what_is_not_gzip_is_named, folder_setup,
	                                        folder_teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
