/* Files of every schema, written in that of today and read again: nothing is lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/file.h"
#include "lib/record_file.h"
#include "tests/unit/help/rewritten.h"

static void read_run(struct str bytes, const char *path, struct arena *a, struct run *r)
{
	struct err e = ERR_NONE;
	if (!record_read(bytes, path, a, r, &e))
		fail_msg("%s", e.text);
}

/* Reads, writes, reads, writes: the models are the same, and then the bytes. */
static void there_and_back(const char *path)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct run was, is;
	struct sb now = {0}, again = {0};
	if (!record_file_load(path, &a, &was, &e))
		fail_msg("%s", e.text);
	if (was.head.foreign) { /* test_foreign.c writes those */
		arena_free(&a);
		return;
	}
	rewritten(&now, &was, &a);
	read_run(sb_view(&now), path, &a, &is);
	assert_string_equal(is.head.schema, record_is_pretended(&was.head) ? RECORD_PRETENDED_SCHEMA
	                                                                   : RECORD_SCHEMA);
	same_run(&was, &is);
	rewritten(&again, &is, &a);
	if (!str_eq(sb_view(&now), sb_view(&again)))
		fail_msg("%s: not the same bytes when written again", path);
	sb_free(&now);
	sb_free(&again);
	arena_free(&a);
}

static void fixtures(void **state)
{
	static const char *const path[] = {
	        "tests/fixtures/run-1.0.jsonl", "tests/fixtures/run-example.jsonl",
	        "tests/fixtures/run-2.jsonl",
	        "tests/golden/shared/20260101T000000Z-synthetic-00000001.jsonl"};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(path); i++)
		there_and_back(path[i]);
}

static size_t below(const char *folder, struct arena *a)
{
	struct err e = ERR_NONE;
	struct file_entry *entry;
	size_t n, files = 0;
	if (!file_list(folder, a, &entry, &n, &e))
		fail_msg("%s", e.text);
	for (size_t i = 0; i < n; i++) {
		const char *path = arena_printf(a, "%s/%s", folder, entry[i].name);
		if (entry[i].is_dir)
			files += below(path, a);
		else if (record_file_is(str_of(path)))
			there_and_back(path), files++;
	}
	return files;
}

static void real_records(void **state)
{
	struct arena a = {0};
	(void)state;
	assert_true(below("data/runs", &a) + below("data/profiles", &a) > 30);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(fixtures),
	        cmocka_unit_test(real_records),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
