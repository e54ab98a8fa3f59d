/* What a build reads: every file once, in order, no link; and when nothing has changed. */
#include "site-gen/base/inputs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/unit/help/folder.h"

static struct inputs read_folder(struct folder *f)
{
	struct inputs in = {0};
	struct err e = ERR_NONE;
	if (!inputs_add(&in, f->path, &f->arena, &e))
		fail_msg("%s", e.text);
	inputs_sort(&in);
	return in;
}

static void every_file_once_in_order(void **state)
{
	struct folder *f = *state;
	static const char *const want[] = {"a-b/x", "a.txt", "a/b/c.txt", "a/z"};
	folder_put(f, "a/z", "1");
	folder_put(f, "a/b/c.txt", "12");
	folder_put(f, "a.txt", "123");
	folder_put(f, "a-b/x", "");
	folder_put(f, ".hidden", "x");
	folder_put(f, "a/.git/config", "x");
	folder_put(f, "a.txt~", "x");
	struct inputs in = read_folder(f);
	assert_int_equal(in.n, 4);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(in.file[i].path, folder_path(f, want[i]));
	assert_int_equal(in.file[1].size, 3);
	size_t from, to;
	inputs_under(&in, folder_path(f, "a/"), &from, &to);
	assert_int_equal(from, 2);
	assert_int_equal(to, 4);
	inputs_under(&in, folder_path(f, "b/"), &from, &to);
	assert_int_equal(from, to);
}

static void no_folder_is_no_file(void **state)
{
	struct folder *f = *state;
	struct inputs in = {0};
	struct err e = ERR_NONE;
	assert_true(inputs_add(&in, folder_path(f, "none"), &f->arena, &e));
	assert_int_equal(in.n, 0);
}

/* A link leads to what no commit has. */
static void links_are_refused(void **state)
{
	struct folder *f = *state;
	struct inputs in = {0};
	struct err e = ERR_NONE, e2 = ERR_NONE, e3 = ERR_NONE;
	folder_put(f, "real/a", "x");
	assert_int_equal(symlink("real", folder_path(f, "link")), 0);
	assert_false(inputs_add(&in, folder_path(f, "link"), &f->arena, &e));
	assert_non_null(strstr(e.text, "link: is a file or a symbolic link, expected a folder"));
	assert_false(inputs_add(&in, f->path, &f->arena, &e2));
	assert_non_null(strstr(e2.text, "link: neither a regular file nor a folder"));
	assert_false(inputs_add(&in, folder_path(f, "real/a"), &f->arena, &e3));
	assert_non_null(strstr(e3.text, "expected a folder"));
}

static const char *digest(struct folder *f, const char *extra, bool *settled)
{
	char *hex = arena_alloc(&f->arena, HASH_SHA256_HEX + 1);
	struct inputs in = read_folder(f);
	inputs_digest(&in, str_of(extra), hex, settled);
	return hex;
}

static void any_change_is_another_digest(void **state)
{
	struct folder *f = *state;
	bool settled;
	folder_put(f, "a", "one");
	const char *first = digest(f, "", &settled);
	assert_false(settled); /* as young as it is, a second change could leave the same times */
	assert_string_equal(digest(f, "", &settled), first);
	assert_string_not_equal(digest(f, "x", &settled), first);
	nanosleep(&(struct timespec){.tv_nsec = 40 * 1000 * 1000}, NULL);
	assert_string_equal(digest(f, "", &settled), first);
	assert_true(settled);
	FILE *a = fopen(folder_path(f, "a"), "r+"); /* the same inode, the same size */
	assert_true(fputs("two", a) >= 0 && fclose(a) == 0);
	assert_string_not_equal(digest(f, "", &settled), first);
	const char *second = digest(f, "", &settled);
	assert_int_equal(rename(folder_path(f, "a"), folder_path(f, "b")), 0);
	assert_string_not_equal(digest(f, "", &settled), second);
}

/* Between the list and the digest, a file may have changed without another time. */
static void youth_counts_from_the_list(void **state)
{
	struct folder *f = *state;
	char hex[HASH_SHA256_HEX + 1];
	bool settled;
	folder_put(f, "a", "one");
	struct inputs in = read_folder(f);
	nanosleep(&(struct timespec){.tv_nsec = 40 * 1000 * 1000}, NULL);
	inputs_digest(&in, STR(""), hex, &settled);
	assert_false(settled);
}

static void a_change_after_the_list_is_seen(void **state)
{
	struct folder *f = *state;
	folder_put(f, "a", "one");
	folder_put(f, "b", "two");
	const struct inputs in = read_folder(f);
	const struct input *a = inputs_find(&in, folder_path(f, "a"));
	assert_non_null(a);
	assert_null(inputs_find(&in, f->path));
	assert_true(inputs_unchanged(a));
	assert_int_equal(rename(folder_path(f, "b"), a->path), 0);
	assert_false(inputs_unchanged(a));
	assert_int_equal(remove(a->path), 0);
	assert_false(inputs_unchanged(a));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, folder_setup, folder_teardown)
	const struct CMUnitTest tests[] = {
	        TEST(every_file_once_in_order),   TEST(no_folder_is_no_file),
	        TEST(links_are_refused),          TEST(any_change_is_another_digest),
	        TEST(youth_counts_from_the_list), TEST(a_change_after_the_list_is_seen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
