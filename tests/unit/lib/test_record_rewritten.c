/* Files of every schema, written in that of today and read again: nothing is lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/file.h"
#include "tests/unit/help/rewritten.h"

/* The text of a file, which may be compressed. */
static struct str load(const char *path, struct arena *a)
{
	struct sb text = {0};
	char some[1 << 16];
	FILE *in = popen(arena_printf(a, "gzip -dcf '%s'", path), "r");
	assert_non_null(in);
	for (size_t n; (n = fread(some, 1, sizeof some, in)) > 0;)
		sb_put(&text, some, n);
	assert_int_equal(pclose(in), 0);
	size_t n = text.n;
	return (struct str){sb_take(a, &text), n};
}

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
	struct run was, is;
	struct sb now = {0}, again = {0};
	read_run(load(path, &a), path, &a, &was);
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
	        "tests/fixtures/run-2.0.jsonl",
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
		struct str name = str_of(entry[i].name);
		const char *path = arena_printf(a, "%s/%s", folder, entry[i].name);
		if (entry[i].is_dir)
			files += below(path, a);
		else if (str_ends(name, ".jsonl") || str_ends(name, ".jsonl.gz"))
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
