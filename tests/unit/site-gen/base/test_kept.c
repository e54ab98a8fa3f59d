/* Results of other programs and of our own: a kept file may be lost, never wrong. */
#include "site-gen/base/kept.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <unistd.h>

#include "tests/unit/help/folder.h"

static bool reads(struct folder *f, const char *path, const char *want)
{
	struct str got;
	return kept_read(path, 1000, &f->arena, &got) && str_is(got, want);
}

static void what_is_kept_comes_back(void **state)
{
	struct folder *f = *state;
	const char *path = folder_path(f, "k");
	struct str got;
	assert_false(kept_read(path, 1000, &f->arena, &got));
	kept_write(path, STR("<svg>\n\n</svg>"), &f->arena);
	assert_true(reads(f, path, "<svg>\n\n</svg>"));
	kept_write(path, STR(""), &f->arena);
	assert_true(reads(f, path, ""));
}

/* A crash, a full disk or an editor leaves other bytes than were kept. */
static void other_bytes_are_none(void **state)
{
	struct folder *f = *state;
	struct err e = ERR_NONE;
	struct str whole, got;
	const char *path = folder_path(f, "k");
	kept_write(path, STR("result"), &f->arena);
	assert_true(file_read(path, 1000, &f->arena, &whole, &e));
	for (size_t n = 0; n < whole.n; n++) {
		const char *cut = arena_strndup(&f->arena, whole.p, n);
		folder_put(f, "k", cut);
		assert_false(kept_read(path, 1000, &f->arena, &got));
	}
	for (size_t i = 0; i < whole.n; i++) {
		char *bad = arena_strndup(&f->arena, whole.p, whole.n);
		bad[i] ^= 1;
		folder_put(f, "k", bad);
		assert_false(kept_read(path, 1000, &f->arena, &got));
	}
	folder_put(f, "k", arena_printf(&f->arena, "%.*sx", (int)whole.n, whole.p));
	assert_false(kept_read(path, 1000, &f->arena, &got));
}

static void too_much_is_none(void **state)
{
	struct folder *f = *state;
	const char *path = folder_path(f, "k");
	struct str got;
	kept_write(path, STR("12345678"), &f->arena);
	assert_true(kept_read(path, 8, &f->arena, &got));
	assert_false(kept_read(path, 7, &f->arena, &got));
}

/* It is made again next time; nothing half-written is left beside it. */
static void a_failure_leaves_nothing(void **state)
{
	struct folder *f = *state;
	struct str got;
	const char *path = folder_path(f, "none/k");
	kept_write(path, STR("x"), &f->arena);
	assert_false(kept_read(path, 1000, &f->arena, &got));
	folder_put(f, "k/file", "x"); /* a folder is where the file should be */
	kept_write(folder_path(f, "k"), STR("x"), &f->arena);
	assert_false(file_exists(arena_printf(&f->arena, "%s/k.%ld", f->path, (long)getpid())));
}

static bool takes(const struct kept_by *k, const char *name, const char *key, const char *want)
{
	struct arena a = {0};
	struct str got;
	bool ok = kept_take(k, name, key, 1000, &a, &got) && str_is(got, want);
	arena_free(&a);
	return ok;
}

/* A result counts for the program that left it, for the same inputs, and if nobody makes all again.
 */
static void a_result_counts_for_its_key_and_program(void **state)
{
	struct folder *f = *state;
	struct kept_by k = {.folder = f->path, .program = kept_program(&f->arena)};
	assert_non_null(k.program);
	assert_int_equal(strlen(k.program), 64);
	assert_string_equal(k.program, kept_program(&f->arena));
	assert_false(takes(&k, "r", "one", "result\n"));
	kept_leave(&k, "r", "one", STR("result\n"));
	assert_true(takes(&k, "r", "one", "result\n"));
	assert_false(takes(&k, "r", "on", "result\n"));
	assert_false(takes(&k, "r", "one two", "result\n"));
	assert_false(takes(&k, "s", "one", "result\n"));
	rename(folder_path(f, "r"), folder_path(f, "s"));
	assert_false(takes(&k, "s", "one", "result\n"));
	rename(folder_path(f, "s"), folder_path(f, "r"));
	assert_true(takes(&k, "r", "one", "result\n"));
	struct kept_by other = k, again = k, nowhere = k, nobody = k;
	other.program = "an older version";
	again.renew = true;
	nowhere.folder = nobody.program = NULL;
	assert_false(takes(&other, "r", "one", "result\n"));
	assert_false(takes(&again, "r", "one", "result\n"));
	assert_false(takes(&nowhere, "r", "one", "result\n"));
	assert_false(takes(&nobody, "r", "one", "result\n"));
	kept_leave(&nowhere, "r", "one", STR("lost"));
	kept_leave(&nobody, "r", "one", STR("lost"));
	kept_leave(&again, "r", "two", STR("new"));
	assert_false(takes(&k, "r", "one", "result\n"));
	assert_true(takes(&k, "r", "two", "new"));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, folder_setup, folder_teardown)
	const struct CMUnitTest tests[] = {
	        TEST(what_is_kept_comes_back),
	        TEST(other_bytes_are_none),
	        TEST(too_much_is_none),
	        TEST(a_failure_leaves_nothing),
	        TEST(a_result_counts_for_its_key_and_program),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
