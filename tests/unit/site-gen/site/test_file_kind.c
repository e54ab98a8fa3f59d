/* Which files are published as they are, and what is looked at in them. */
#include "site-gen/site/file_kind.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/base/problems.h"
#include "tests/unit/help/folder.h"

static void names_decide(void **state)
{
	(void)state;
	assert_true(file_kind_known("posts/a/plot.PNG", FILE_OF_POST));
	assert_true(file_kind_known("data.tar.csv", FILE_OF_POST));
	assert_true(file_kind_known("kernel.cu", FILE_OF_LOOK));
	assert_false(file_kind_known("page.html", FILE_OF_POST));
	assert_false(file_kind_known("page.html", FILE_OF_LOOK));
	assert_false(file_kind_known("data.png/README", FILE_OF_POST));
	assert_false(file_kind_known("png", FILE_OF_POST));
	assert_false(file_kind_known("a.", FILE_OF_POST));
}

/* What runs in a reader's browser comes from static/ only. */
static void scripts_are_of_the_look(void **state)
{
	(void)state;
	static const char *const look[] = {"a.js", "a.mjs", "a.css", "a.woff2", "a.webmanifest"};
	for (size_t i = 0; i < ARRAY_LEN(look); i++) {
		assert_true(file_kind_known(look[i], FILE_OF_LOOK));
		assert_false(file_kind_known(look[i], FILE_OF_POST));
	}
}

/* What is said of a file with these bytes; "" if nothing is. */
static const char *said(struct folder *f, const char *name, const char *text, enum file_place place)
{
	struct problems p = {.arena = &f->arena};
	char *out = NULL;
	size_t n = 0;
	file_kind_check(folder_put(f, name, text), place, NULL, &f->arena, NULL, &p);
	FILE *to = open_memstream(&out, &n);
	problems_print((const struct problems *const[]){&p}, 1, false, to);
	fclose(to);
	const char *kept = arena_strdup(&f->arena, out);
	free(out);
	return kept;
}

static void contents_must_be_what_the_name_says(void **state)
{
	struct folder *f = *state;
	static const char gif[] = "GIF89a\x01\x01\x01\x01\x80\x01\x01;";
	assert_string_equal(said(f, "a.gif", gif, FILE_OF_POST), "");
	assert_non_null(strstr(said(f, "a.png", gif, FILE_OF_POST), "expected a picture in PNG"));
	assert_non_null(strstr(said(f, "a.webp", "<html>", FILE_OF_POST), "a.webp"));
	assert_non_null(
	        strstr(said(f, "a.avif", "ftypavif", FILE_OF_POST), "expected a picture in AVIF"));
	assert_string_equal(said(f, "b.avif", "1234ftypavif", FILE_OF_POST), "");
	assert_string_equal(said(f, "c.avif", "1234ftypavis", FILE_OF_POST), "");
	assert_non_null(strstr(said(f, "d.avif", "", FILE_OF_POST), "expected a picture in AVIF"));
}

static void texts_are_texts(void **state)
{
	struct folder *f = *state;
	assert_string_equal(said(f, "a.csv", "n,µs\n1,2\n", FILE_OF_POST), "");
	assert_non_null(strstr(said(f, "b.csv", "n,\xff\n", FILE_OF_POST), "not valid UTF-8"));
	assert_non_null(
	        strstr(said(f, "c.cu", "int a;\n// \xE2\x80\xAE x\n", FILE_OF_POST), "c.cu:2:4: "));
	assert_non_null(strstr(said(f, "d.txt", "\x1b[2J", FILE_OF_POST), "U+001B"));
}

/* The author answers for the look; nobody reads an unknown kind. */
static void unknown_kinds_are_refused(void **state)
{
	struct folder *f = *state;
	const char *all = said(f, "a.exe", "MZ", FILE_OF_POST);
	assert_non_null(strstr(all, "a file of this kind is not published"));
	assert_non_null(strstr(all, "expected one of .png, .jpg"));
	assert_null(strstr(all, ".js,"));
	assert_non_null(strstr(said(f, "b.exe", "MZ", FILE_OF_LOOK), ".js,"));
	assert_string_equal(said(f, "a.css", "\xff", FILE_OF_LOOK), "");
	assert_non_null(strstr(said(f, "b.css", "p {}", FILE_OF_POST), "not published"));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, folder_setup, folder_teardown)
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(names_decide),
	        cmocka_unit_test(scripts_are_of_the_look),
	        TEST(contents_must_be_what_the_name_says),
	        TEST(texts_are_texts),
	        TEST(unknown_kinds_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
