/* Publishing: the complete new site or the complete old one, and no file rewritten without need. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/file.h"
#include "site-gen/output/manifest.h"
#include "site-gen/output/owned.h"
#include "site-gen/output/publish.h"

struct fixture {
	struct arena arena;
	char dir[64];
	const char *out;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);
	strcpy(f->dir, "/tmp/test_publish.XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	f->out = arena_printf(&f->arena, "%s/site", f->dir);
	umask(022);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	char command[128];
	snprintf(command, sizeof command, "rm -rf '%s'", f->dir);
	assert_int_equal(system(command), 0);
	arena_free(&f->arena);
	free(f);
	return 0;
}

/* Publishes (path, text) pairs with their manifest; returns whether the output became another. */
static bool publish(struct fixture *f, const char *const *files, size_t n)
{
	struct publish p;
	struct err e = ERR_NONE;
	struct output_file list[8];
	struct sb manifest = {0};
	bool published;
	assert_true(publish_open(f->out, true, &f->arena, &p, &e));
	for (size_t i = 0; i < n; i++) {
		list[i].path = files[2 * i];
		assert_true(publish_put(&p, list[i].path, str_of(files[2 * i + 1]), &list[i], &e));
	}
	manifest_put(&manifest, &(struct manifest_origin){"test", "1", ""}, list, n);
	assert_true(publish_put(&p, MANIFEST_FILE, sb_view(&manifest), &list[n], &e));
	assert_true(publish_commit(&p, list, n + 1, true, &published, &e));
	publish_close(&p);
	sb_free(&manifest);
	return published;
}

static struct stat stat_of(struct fixture *f, const char *path)
{
	struct stat st;
	assert_int_equal(stat(arena_printf(&f->arena, "%s/%s", f->out, path), &st), 0);
	return st;
}

static bool exists(struct fixture *f, const char *path)
{
	return file_exists(arena_printf(&f->arena, "%s/%s", f->out, path));
}

static void content_is(struct fixture *f, const char *path, const char *text)
{
	struct str got;
	struct err e = ERR_NONE;
	assert_true(file_read(arena_printf(&f->arena, "%s/%s", f->out, path), 1 << 20, &f->arena,
	                      &got, &e));
	assert_string_equal(got.p, text);
}

static void unchanged_is_untouched(void **state)
{
	struct fixture *f = *state;
	const char *const one[] = {"index.html", "home",      "posts/a/index.html",
	                           "a",          "old/x.txt", "x"};
	const char *const two[] = {"index.html", "home", "posts/a/index.html", "b", "new.txt", ""};
	assert_true(publish(f, one, 3));
	struct stat root = stat_of(f, "."), home = stat_of(f, "index.html");
	assert_int_equal(home.st_mode & 07777, 0644);
	assert_int_equal(stat_of(f, "posts").st_mode & 07777, 0755);
	assert_false(publish(f, one, 3));
	assert_int_equal(stat_of(f, ".").st_ino, root.st_ino);
	assert_true(publish(f, two, 3));
	struct stat again = stat_of(f, "index.html");
	assert_int_equal(again.st_ino, home.st_ino);
	assert_memory_equal(&again.st_mtim, &home.st_mtim, sizeof home.st_mtim);
	content_is(f, "posts/a/index.html", "b");
	content_is(f, "new.txt", "");
	assert_false(exists(f, "old/x.txt"));
	assert_false(exists(f, "old"));
	assert_false(exists(f, "../site.new"));
}

static void other_peoples_folders_are_left_alone(void **state)
{
	struct fixture *f = *state;
	struct publish p;
	struct err e = ERR_NONE;
	assert_int_equal(mkdir(f->out, 0755), 0);
	assert_true(file_write(arena_printf(&f->arena, "%s/thesis.txt", f->out), STR("x"), &e));
	assert_false(publish_open(f->out, true, &f->arena, &p, &e));
	assert_non_null(strstr(e.text, "holds files that no build made"));
	assert_true(exists(f, "thesis.txt"));
	assert_false(file_exists(arena_printf(&f->arena, "%s.lock", f->out)));
}

/* Files beside `site` that have the names of a build's files, but are not the build's. */
static void names_alone_are_no_proof(void **state)
{
	struct fixture *f = *state;
	struct publish p;
	struct err e = ERR_NONE;
	const char *new = arena_printf(&f->arena, "%s.new", f->out);
	const char *mine = arena_printf(&f->arena, "%s/thesis.txt", new);
	const char *lock = arena_printf(&f->arena, "%s.lock", f->out);
	assert_int_equal(mkdir(new, 0755), 0);
	assert_true(file_write(mine, STR("x"), &e));
	assert_false(publish_open(f->out, true, &f->arena, &p, &e));
	assert_non_null(
	        strstr(e.text, "site.new: holds files that no build made (thesis.txt; 1 in all)"));
	assert_true(file_exists(mine));
	assert_true(file_write(arena_printf(&f->arena, "%s/" OWNED_MARK, new), STR(""), &e));
	e = ERR_NONE;
	assert_true(publish_open(f->out, true, &f->arena, &p, &e)); /* a build's, that was killed */
	publish_close(&p);
	assert_false(file_exists(new));
	assert_true(file_write(new, STR("x"), &e));
	assert_false(publish_open(f->out, true, &f->arena, &p, &e));
	assert_non_null(strstr(e.text, "site.new: is in the way of the build"));
	assert_true(file_exists(new));
	assert_int_equal(unlink(new), 0);
	e = ERR_NONE;
	assert_true(file_write(lock, STR("my lock\n"), &e));
	assert_false(publish_open(f->out, true, &f->arena, &p, &e));
	assert_non_null(strstr(e.text, "site.lock: is in the way: it is not the lock of a build"));
	struct str kept;
	assert_true(file_read(lock, 99, &f->arena, &kept, &e));
	assert_string_equal(kept.p, "my lock\n");
	/* a lock beside a folder does not make it ours */
	assert_true(file_write(lock, STR("17\n"), &e));
	assert_int_equal(mkdir(f->out, 0755), 0);
	assert_true(file_write(arena_printf(&f->arena, "%s/thesis.txt", f->out), STR("x"), &e));
	e = ERR_NONE;
	assert_false(publish_open(f->out, true, &f->arena, &p, &e));
	assert_non_null(
	        strstr(e.text, "site: holds files that no build made (thesis.txt; 1 in all)"));
	assert_true(exists(f, "thesis.txt"));
}

static const char *refusal(struct fixture *f)
{
	struct publish p;
	struct err e = ERR_NONE;
	assert_false(publish_open(f->out, true, &f->arena, &p, &e));
	return arena_strdup(&f->arena, e.text);
}

/* A user's file in a site is reported, not lost; compressed forms belong to the site. */
static void foreign_files_are_named(void **state)
{
	struct fixture *f = *state;
	const char *const files[] = {"a.html", "1", "b/index.html", "2"};
	const char *const more[] = {"b/notes.txt", "CNAME", "z1", "z2"};
	struct err e = ERR_NONE;
	assert_true(publish(f, files, 2));
	assert_true(file_write(arena_printf(&f->arena, "%s/a.html.gz", f->out), STR("x"), &e));
	assert_true(publish(f, files, 2));
	assert_false(exists(f, "a.html.gz"));
	for (size_t i = 0; i < 4; i++)
		assert_true(file_write(arena_printf(&f->arena, "%s/%s", f->out, more[i]),
		                       STR("mine"), &e));
	assert_non_null(
	        strstr(refusal(f), "(CNAME, b/notes.txt, z1, …; 4 in all), which would be lost"));
	for (size_t i = 1; i < 4; i++)
		assert_int_equal(unlink(arena_printf(&f->arena, "%s/%s", f->out, more[i])), 0);
	assert_non_null(strstr(refusal(f), "(b/notes.txt; 1 in all)"));
	content_is(f, "b/notes.txt", "mine");
	assert_int_equal(unlink(arena_printf(&f->arena, "%s/b/notes.txt", f->out)), 0);
	assert_false(publish(f, files, 2));
	/* a manifest that is none makes a folder nobody's */
	assert_true(
	        file_write(arena_printf(&f->arena, "%s/" MANIFEST_FILE, f->out), STR("{}"), &e));
	assert_non_null(strstr(refusal(f), "(a.html, b/, manifest.json; 3 in all)"));
}

static void orphans_alone_are_a_change(void **state)
{
	struct fixture *f = *state;
	const char *const files[] = {"a", "1", "b", "2"};
	assert_true(publish(f, files, 2));
	assert_true(publish(f, files, 1));
	assert_true(exists(f, "a"));
	assert_false(exists(f, "b"));
}

static void without_commit_nothing_shows(void **state)
{
	struct fixture *f = *state;
	const char *const files[] = {"a", "1"};
	struct publish p;
	struct err e = ERR_NONE;
	struct output_file file;
	assert_true(publish(f, files, 1));
	assert_true(publish_open(f->out, true, &f->arena, &p, &e));
	assert_true(publish_put(&p, "a", STR("2"), &file, &e));
	publish_close(&p);
	content_is(f, "a", "1");
	assert_false(exists(f, "../site.new"));
}

static void comparing_writes_nothing(void **state)
{
	struct fixture *f = *state;
	struct publish p;
	struct err e = ERR_NONE;
	struct output_file file;
	bool published;
	assert_true(publish_open(f->out, false, &f->arena, &p, &e));
	assert_true(publish_put(&p, "a", STR("2"), &file, &e));
	assert_true(publish_commit(&p, &file, 1, true, &published, &e));
	publish_close(&p);
	assert_false(published);
	assert_false(exists(f, "."));
	assert_false(exists(f, "../site.lock"));
}

static void one_build_at_a_time(void **state)
{
	struct fixture *f = *state;
	struct publish first, second;
	struct err e = ERR_NONE;
	assert_true(publish_open(f->out, true, &f->arena, &first, &e));
	assert_false(publish_open(f->out, true, &f->arena, &second, &e));
	assert_non_null(strstr(e.text, "another build (process "));
	char pid[32];
	snprintf(pid, sizeof pid, "%d", (int)getpid());
	assert_non_null(strstr(e.text, pid));
	publish_close(&first);
	e = ERR_NONE;
	assert_true(publish_open(f->out, true, &f->arena, &second, &e));
	publish_close(&second);
}

/* A child publishes new sites until it is killed; the folder always has one of them, complete. */
static _Noreturn void rewrite_for_ever(struct fixture *f)
{
	for (int i = 0;; i++) {
		char text[16];
		snprintf(text, sizeof text, "%d", i);
		const char *const files[] = {"a", text, "b/b", text, "c/c/c", text, "same", "same"};
		publish(f, files, 4);
	}
}

static void killed_is_old_or_new(void **state)
{
	struct fixture *f = *state;
	for (int round = 0; round < 40; round++) {
		pid_t pid = fork();
		if (pid == 0)
			rewrite_for_ever(f);
		usleep(3000 + (useconds_t)round * 401 % 5000);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		if (!exists(f, "."))
			continue;
		struct str a;
		struct err e = ERR_NONE;
		assert_true(
		        file_read(arena_printf(&f->arena, "%s/a", f->out), 99, &f->arena, &a, &e));
		content_is(f, "b/b", a.p);
		content_is(f, "c/c/c", a.p);
		content_is(f, "same", "same");
	}
	const char *const files[] = {"last", "1"};
	assert_true(publish(f, files, 1)); /* what was left behind is in nobody's way */
	content_is(f, "last", "1");
}

static void links_in_the_way(void **state)
{
	struct fixture *f = *state;
	const char *const files[] = {"a", "1"};
	const char *secret = arena_printf(&f->arena, "%s/secret", f->dir);
	struct err e = ERR_NONE;
	assert_true(publish(f, files, 1));
	assert_true(file_write(secret, STR("1"), &e));
	assert_int_equal(unlink(arena_printf(&f->arena, "%s/a", f->out)), 0);
	assert_int_equal(symlink(secret, arena_printf(&f->arena, "%s/a", f->out)), 0);
	assert_true(publish(f, files, 1)); /* not the same: a link is no page */
	struct stat st;
	assert_int_equal(lstat(arena_printf(&f->arena, "%s/a", f->out), &st), 0);
	assert_true(S_ISREG(st.st_mode));
}

/* Killed between the two renames of a file system that cannot exchange. */
static void a_site_that_was_set_aside_comes_back(void **state)
{
	struct fixture *f = *state;
	const char *const one[] = {"a", "1"}, *const two[] = {"a", "2"};
	const char *aside = arena_printf(&f->arena, "%s.replaced", f->out);
	struct publish p;
	struct err e = ERR_NONE;
	assert_true(publish(f, one, 1));
	assert_int_equal(rename(f->out, aside), 0);
	assert_true(publish_open(f->out, true, &f->arena, &p, &e));
	publish_close(&p);
	content_is(f, "a", "1");
	assert_true(publish(f, two, 1));
	assert_false(file_exists(aside));
	/* killed after the second: the new site is there, the old one is removed */
	assert_int_equal(mkdir(aside, 0755), 0);
	assert_true(file_write(arena_printf(&f->arena, "%s/a", aside), STR("1"), &e));
	assert_false(publish_open(f->out, true, &f->arena, &p, &e)); /* anybody's, by its name */
	assert_true(file_exists(aside));
	e = ERR_NONE;
	assert_true(file_write(arena_printf(&f->arena, "%s/" OWNED_MARK, aside), STR(""), &e));
	assert_true(publish(f, one, 1));
	content_is(f, "a", "1");
	assert_false(file_exists(aside));
}

/* --- in place ------------------------------------------------------------------------- */

/* As publish(), in place: `ours` of the files were made by a build before. */
static bool update(struct fixture *f, const char *const *files, size_t n, size_t ours,
                   const char *gone, struct err *e)
{
	struct publish p;
	struct output_file list[8];
	struct sb manifest = {0};
	bool published;
	assert_true(publish_open_again(f->out, &f->arena, &p, e));
	for (size_t i = 0; i < n; i++) {
		assert_true(publish_put(&p, files[2 * i], str_of(files[2 * i + 1]), &list[i], e));
		list[i].replaces = i < ours;
	}
	manifest_put(&manifest, &(struct manifest_origin){"test", "1", ""}, list, n);
	assert_true(publish_put(&p, MANIFEST_FILE, sb_view(&manifest), &list[n], e));
	list[n].replaces = true;
	bool ok = publish_update(&p, list, n + 1, &gone, gone ? 1 : 0, false, &published, e);
	publish_close(&p);
	sb_free(&manifest);
	assert_false(exists(f, "../site.new"));
	return ok && published;
}

static void in_place_only_what_changed_is_touched(void **state)
{
	struct fixture *f = *state;
	struct err e = ERR_NONE;
	const char *const one[] = {"index.html", "home", "a/b/x.html", "x", "c/y.html", "y"};
	const char *const two[] = {"index.html", "home", "c/y.html", "changed", "d/e/z.html", "z"};
	assert_true(publish(f, one, 3));
	const char *was = publish_identity(f->out, &f->arena);
	struct stat root = stat_of(f, "."), home = stat_of(f, "index.html");
	assert_false(update(f, one, 3, 3, NULL, &e));
	assert_string_equal(publish_identity(f->out, &f->arena), was);
	assert_true(update(f, two, 3, 2, "a/b/x.html", &e));
	assert_string_not_equal(publish_identity(f->out, &f->arena), was);
	assert_int_equal(stat_of(f, ".").st_ino, root.st_ino);
	assert_int_equal(stat_of(f, "index.html").st_ino, home.st_ino);
	content_is(f, "c/y.html", "changed");
	content_is(f, "d/e/z.html", "z");
	assert_false(exists(f, "a"));
	assert_false(publish(f, two, 3)); /* and a whole build finds nothing to do */
}

static void in_place_a_folder_gives_way_to_a_file(void **state)
{
	struct fixture *f = *state;
	struct err e = ERR_NONE;
	const char *const one[] = {"a/x.html", "x"}, *const two[] = {"a", "now a file"};
	assert_true(publish(f, one, 1));
	assert_true(update(f, two, 1, 0, "a/x.html", &e));
	content_is(f, "a", "now a file");
	assert_true(update(f, one, 1, 0, "a", &e));
	content_is(f, "a/x.html", "x");
}

static void in_place_other_peoples_files_stay(void **state)
{
	struct fixture *f = *state;
	struct err e = ERR_NONE;
	const char *const one[] = {"index.html", "home"};
	const char *const two[] = {"index.html", "home", "mine.txt", "a page"};
	assert_true(publish(f, one, 1));
	assert_true(file_write(arena_printf(&f->arena, "%s/mine.txt", f->out), STR("mine"), &e));
	assert_false(update(f, two, 2, 1, NULL, &e));
	assert_non_null(strstr(e.text, "/mine.txt: is in the way, and no build made it"));
	content_is(f, "mine.txt", "mine");
}

static void a_folder_without_a_site_has_no_identity(void **state)
{
	struct fixture *f = *state;
	assert_string_equal(publish_identity(f->out, &f->arena), "");
	assert_int_equal(mkdir(f->out, 0755), 0);
	assert_string_equal(publish_identity(f->out, &f->arena), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(unchanged_is_untouched, setup, teardown),
	        cmocka_unit_test_setup_teardown(other_peoples_folders_are_left_alone, setup,
	                                        teardown),
	        cmocka_unit_test_setup_teardown(names_alone_are_no_proof, setup, teardown),
	        cmocka_unit_test_setup_teardown(in_place_only_what_changed_is_touched, setup,
	                                        teardown),
	        cmocka_unit_test_setup_teardown(in_place_a_folder_gives_way_to_a_file, setup,
	                                        teardown),
	        cmocka_unit_test_setup_teardown(in_place_other_peoples_files_stay, setup, teardown),
	        cmocka_unit_test_setup_teardown(a_folder_without_a_site_has_no_identity, setup,
	                                        teardown),
	        cmocka_unit_test_setup_teardown(foreign_files_are_named, setup, teardown),
	        cmocka_unit_test_setup_teardown(a_site_that_was_set_aside_comes_back, setup,
	                                        teardown),
	        cmocka_unit_test_setup_teardown(orphans_alone_are_a_change, setup, teardown),
	        cmocka_unit_test_setup_teardown(without_commit_nothing_shows, setup, teardown),
	        cmocka_unit_test_setup_teardown(comparing_writes_nothing, setup, teardown),
	        cmocka_unit_test_setup_teardown(one_build_at_a_time, setup, teardown),
	        cmocka_unit_test_setup_teardown(killed_is_old_or_new, setup, teardown),
	        cmocka_unit_test_setup_teardown(links_in_the_way, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
