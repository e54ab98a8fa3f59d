/* A build may replace or remove only its own folders, and no file of anybody else. */
#include "site-gen/output/owned.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <unistd.h>

#include "lib/file.h"
#include "site-gen/output/manifest.h"
#include "tests/unit/help/folder.h"

static bool replaceable(struct folder *f, const char *name, const char **why)
{
	struct err e = ERR_NONE;
	bool ok = owned_site(folder_path(f, name), &f->arena, &e);
	*why = arena_strdup(&f->arena, e.text);
	return ok;
}

static bool removable(struct folder *f, const char *name)
{
	struct err e = ERR_NONE;
	return owned_leftover(folder_path(f, name), &f->arena, &e);
}

/* A site of two files with its manifest. */
static void put_site(struct folder *f, const char *name)
{
	struct output_file files[] = {{.path = "a/index.html"}, {.path = "index.html"}};
	struct manifest_origin of = {"test", "1", ""};
	struct sb text = {0};
	for (size_t i = 0; i < 2; i++) {
		folder_put(f, arena_printf(&f->arena, "%s/%s", name, files[i].path), "x");
		memset(files[i].sha256, 'a', sizeof files[i].sha256 - 1);
	}
	manifest_put(&text, &of, files, 2);
	folder_put(f, arena_printf(&f->arena, "%s/" MANIFEST_FILE, name), text.p);
	sb_free(&text);
}

static void nothing_and_an_empty_folder_may_go(void **state)
{
	struct folder *f = *state;
	const char *why;
	assert_true(replaceable(f, "none", &why));
	assert_true(removable(f, "none"));
	assert_int_equal(mkdir(folder_path(f, "empty"), 0755), 0);
	assert_true(replaceable(f, "empty", &why));
	assert_true(removable(f, "empty"));
}

static void a_folder_without_manifest_stays(void **state)
{
	struct folder *f = *state;
	const char *why;
	folder_put(f, "home/letter.txt", "dear");
	assert_false(replaceable(f, "home", &why));
	assert_non_null(strstr(why, "holds files that no build made (letter.txt; 1 in all)"));
	assert_false(removable(f, "home"));
	folder_put(f, "home/" MANIFEST_FILE, "{\"not\": \"ours\"}");
	assert_false(replaceable(f, "home", &why));
}

static void a_site_may_go_with_its_compressed_forms(void **state)
{
	struct folder *f = *state;
	const char *why;
	put_site(f, "site");
	folder_put(f, "site/index.html.gz", "x");
	folder_put(f, "site/a/index.html.br", "x");
	if (!replaceable(f, "site", &why))
		fail_msg("%s", why);
	assert_true(removable(f, "site"));
}

static void one_foreign_file_keeps_a_site(void **state)
{
	struct folder *f = *state;
	const char *why;
	put_site(f, "site");
	folder_put(f, "site/a/other.html.gz", "x"); /* a compressed form of no page */
	assert_false(replaceable(f, "site", &why));
	assert_non_null(strstr(why, "(a/other.html.gz; 1 in all)"));
	assert_false(removable(f, "site"));
	folder_put(f, "site/b", "x");
	folder_put(f, "site/c", "x");
	folder_put(f, "site/d", "x");
	assert_false(replaceable(f, "site", &why));
	assert_non_null(strstr(why, "(a/other.html.gz, b, c, …; 4 in all)"));
}

/* A link that bears the name of a listed folder may lead to anything. */
static void a_link_is_foreign(void **state)
{
	struct folder *f = *state;
	const char *why;
	put_site(f, "site");
	assert_int_equal(symlink("/etc", folder_path(f, "site/etc")), 0);
	assert_false(replaceable(f, "site", &why));
	assert_int_equal(symlink("site", folder_path(f, "link")), 0);
	assert_false(replaceable(f, "link", &why));
	assert_non_null(strstr(why, "is a link"));
	assert_false(removable(f, "link"));
	folder_put(f, "file", "x");
	assert_false(replaceable(f, "file", &why));
	assert_non_null(strstr(why, "is no folder"));
	assert_false(removable(f, "file"));
}

/* A build may remove a folder that it has marked, whatever its content, but not replace it. */
static void a_mark_allows_to_remove(void **state)
{
	struct folder *f = *state;
	const char *why, *path = folder_path(f, "stage");
	struct err e = ERR_NONE;
	folder_put(f, "stage/half.html", "x");
	assert_false(removable(f, "stage"));
	int dir = open(path, O_RDONLY | O_DIRECTORY);
	assert_true(dir >= 0);
	assert_true(owned_mark(dir, path, &e));
	close(dir);
	assert_true(removable(f, "stage"));
	assert_false(replaceable(f, "stage", &why));
	assert_true(owned_unmark(path, &f->arena, &e));
	assert_true(owned_unmark(path, &f->arena, &e)); /* there is none any more */
	assert_false(removable(f, "stage"));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, folder_setup, folder_teardown)
	const struct CMUnitTest tests[] = {
	        TEST(nothing_and_an_empty_folder_may_go),
	        TEST(a_folder_without_manifest_stays),
	        TEST(a_site_may_go_with_its_compressed_forms),
	        TEST(one_foreign_file_keeps_a_site),
	        TEST(a_link_is_foreign),
	        TEST(a_mark_allows_to_remove),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
