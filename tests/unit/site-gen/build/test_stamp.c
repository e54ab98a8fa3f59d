/* A stamp holds only if nothing that a build depends on, and nothing that it wrote, has changed. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/array.h"
#include "site-gen/base/inputs.h"
#include "site-gen/build/stamp.h"
#include "site-gen/output/output_file.h"
#include "site-gen/site/site.h"
#include "tests/unit/help/folder.h"

/* Inputs as old as time itself. */
static struct input inputs[] = {{"content/a.md", 10, 100, 100, 1, false},
                                {"data/b", 20, 200, 200, 2, false}};

static struct site site_in(struct folder *f)
{
	return (struct site){.options.out = folder_path(f, "site"),
	                     .options.cache = folder_path(f, "cache"),
	                     .repo.head = "0123456789012345678901234567890123456789",
	                     .repo.files = {inputs, ARRAY_LEN(inputs), ARRAY_LEN(inputs)}};
}

/* A file of the output, as a build that wrote it knows it. */
static struct output_file output(struct folder *f, const char *path, const char *text)
{
	struct stat st;
	const char *full = folder_put(f, arena_printf(&f->arena, "site/%s", path), text);
	assert_int_equal(stat(full, &st), 0);
	return (struct output_file){.path = path,
	                            .size = st.st_size,
	                            .mtime_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 +
	                                        st.st_mtim.tv_nsec,
	                            .inode = st.st_ino};
}

/* Writes a site with its stamp. */
static struct stamp built(struct folder *f, const struct site *s)
{
	const struct output_file files[] = {output(f, "about/index.html", "about"),
	                                    output(f, "index.html", "home")};
	struct stamp stamp;
	struct err e = ERR_NONE;
	assert_int_equal(mkdir(s->options.cache, 0755), 0);
	stamp_take(s, &stamp);
	assert_true(stamp.settled);
	if (!stamp_write(s, &stamp, files, ARRAY_LEN(files), &e))
		fail_msg("%s", e.text);
	return stamp;
}

/* The digest of the inputs now. */
static const char *taken(struct folder *f, const struct site *s)
{
	struct stamp stamp;
	stamp_take(s, &stamp);
	return arena_strdup(&f->arena, stamp.inputs);
}

static void test_everything_counts(void **state)
{
	struct folder *f = *state;
	const struct site s = site_in(f);
	struct site other[10];
	struct input changed[2];
	for (size_t i = 0; i < ARRAY_LEN(other); i++)
		other[i] = s;
	memcpy(changed, inputs, sizeof changed);
	changed[1].size++;
	other[0].repo.head = "";
	other[1].options.out = "elsewhere";
	other[2].options.drafts = true;
	other[3].options.future = true;
	other[4].options.strict = true;
	other[5].options.werror = true;
	other[6].repo.files.file = changed;
	other[7].repo.files.n = 1;
	other[8].options.drafts = other[8].options.future = true;
	other[9].options.audit = true;
	const char *is = taken(f, &s);
	assert_string_equal(taken(f, &s), is);
	for (size_t i = 0; i < ARRAY_LEN(other); i++) {
		assert_string_not_equal(taken(f, &other[i]), is);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(taken(f, &other[i]), taken(f, &other[k]));
	}
}

/* These change what a build says, and not what it writes. */
static void test_some_options_do_not_count(void **state)
{
	struct folder *f = *state;
	struct site s = site_in(f);
	const char *is = taken(f, &s);
	s.options.quiet = true;
	s.options.excerpts = true;
	s.options.jobs = 7;
	s.options.cache = "elsewhere";
	assert_string_equal(taken(f, &s), is);
}

static void test_it_holds_until_the_output_changes(void **state)
{
	struct folder *f = *state;
	const struct site s = site_in(f);
	const struct stamp stamp = built(f, &s);
	assert_true(stamp_holds(&s, &stamp));
	const char *added = folder_put(f, "site/more.html", "more");
	assert_false(stamp_holds(&s, &stamp));
	assert_int_equal(unlink(added), 0);
	assert_true(stamp_holds(&s, &stamp));
	/* the same size and the same time: the file is another, as its inode tells */
	struct stat st;
	const char *home = folder_path(f, "site/index.html");
	assert_int_equal(stat(home, &st), 0);
	const char *next = folder_put(f, "next", "HOME");
	const struct timespec times[] = {st.st_atim, st.st_mtim};
	assert_int_equal(utimensat(AT_FDCWD, next, times, 0), 0);
	assert_int_equal(rename(next, home), 0);
	assert_false(stamp_holds(&s, &stamp));
}

static void test_a_file_that_is_gone(void **state)
{
	struct folder *f = *state;
	const struct site s = site_in(f);
	const struct stamp stamp = built(f, &s);
	assert_int_equal(unlink(folder_path(f, "site/about/index.html")), 0);
	assert_false(stamp_holds(&s, &stamp));
	assert_int_equal(rename(s.options.out, folder_path(f, "moved")), 0);
	assert_false(stamp_holds(&s, &stamp));
}

static void test_other_inputs(void **state)
{
	struct folder *f = *state;
	struct site s = site_in(f);
	struct stamp stamp = built(f, &s);
	s.options.drafts = true;
	stamp_take(&s, &stamp);
	assert_false(stamp_holds(&s, &stamp));
	s.options.drafts = false;
	stamp_take(&s, &stamp);
	assert_true(stamp_holds(&s, &stamp));
}

/* Each output folder has a stamp of its own, so two of them do not displace each other's. */
static void test_two_outputs(void **state)
{
	struct folder *f = *state;
	const struct site s = site_in(f);
	struct site preview = s;
	struct err e = ERR_NONE;
	struct stamp stamp = built(f, &s), other;
	preview.options.out = folder_path(f, "preview");
	stamp_take(&preview, &other);
	assert_false(stamp_holds(&preview, &other));
	assert_true(file_mkdirs(preview.options.out, &e));
	assert_true(stamp_write(&preview, &other, NULL, 0, &e));
	assert_true(stamp_holds(&preview, &other));
	assert_true(stamp_holds(&s, &stamp));
}

/* The times of a file that was just written prove nothing, so no stamp may stay. */
static void test_a_young_input(void **state)
{
	struct folder *f = *state;
	struct site s = site_in(f);
	struct err e = ERR_NONE;
	struct stamp stamp = built(f, &s), young;
	struct input now[] = {inputs[0], inputs[1]};
	now[1].young = true;
	s.repo.files.file = now;
	stamp_take(&s, &young);
	assert_false(young.settled);
	assert_false(stamp_holds(&s, &young));
	young = stamp; /* the very stamp that was written */
	young.settled = false;
	assert_false(stamp_holds(&s, &young));
	assert_true(stamp_write(&s, &young, NULL, 0, &e));
	s.repo.files.file = inputs;
	assert_false(stamp_holds(&s, &stamp));             /* the old stamp is gone */
	assert_true(stamp_write(&s, &young, NULL, 0, &e)); /* none to remove is no error */
}

static void test_damaged_and_unwritable(void **state)
{
	struct folder *f = *state;
	struct site s = site_in(f);
	struct err e = ERR_NONE;
	const struct stamp stamp = built(f, &s);
	struct file_entry *list;
	size_t n;
	assert_true(file_list(s.options.cache, &f->arena, &list, &n, &e));
	assert_int_equal(n, 1);
	folder_put(f, arena_printf(&f->arena, "cache/%s", list[0].name), "inputs ");
	assert_false(stamp_holds(&s, &stamp));
	s.options.cache = folder_put(f, "no-folder", "");
	assert_false(stamp_write(&s, &stamp, NULL, 0, &e));
	assert_true(e.set);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_setup, folder_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(test_everything_counts),
	        TEST(test_some_options_do_not_count),
	        TEST(test_it_holds_until_the_output_changes),
	        TEST(test_a_file_that_is_gone),
	        TEST(test_other_inputs),
	        TEST(test_two_outputs),
	        TEST(test_a_young_input),
	        TEST(test_damaged_and_unwritable),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
