/* Results of other programs: a kept file may be lost, never wrong. */
#include "site-gen/base/kept.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

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

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, folder_setup, folder_teardown)
	const struct CMUnitTest tests[] = {
	        TEST(what_is_kept_comes_back),
	        TEST(other_bytes_are_none),
	        TEST(too_much_is_none),
	        TEST(a_failure_leaves_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
