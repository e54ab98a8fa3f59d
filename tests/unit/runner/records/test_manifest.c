/*
 * The list of run files: a line is added whole or not at all, even with several writers and
 * whatever the file contains. If a run's line cannot be added, its .part file stays, so
 * that `runner resume` can add it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "lib/file.h"
#include "runner/records/journal.h"
#include "runner/records/manifest.h"
#include "tests/unit/help/faulty.h"

static char folder[] = "/tmp/ridgepoint-manifest-XXXXXX";

static int enter_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
	(void)state;
	char command[64];
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command);
}

static const char *text_of(const char *path, struct arena *a)
{
	struct err e = ERR_NONE;
	struct str s;
	if (!file_read(path, 1 << 20, a, &s, &e))
		fail_msg("%s", e.text);
	return str_dup(a, s);
}

static void write_file(const char *path, const char *text)
{
	struct err e = ERR_NONE;
	assert_true(file_write(path, str_of(text), &e));
}

static bool add(const char *path, struct err *e)
{
	return manifest_add(".", path, STR("x"), e);
}

/* SHA-256 of "x" */
#define X "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"

static void a_line_is_its_own_after_one_without_an_end(void **state)
{
	(void)state;
	struct arena a = {0};
	struct err e = ERR_NONE;
	write_file(MANIFEST_NAME, X "  h200/a.jsonl");
	assert_true(add("./h200/b.jsonl", &e) && add("./h200/b.jsonl", &e));
	assert_string_equal(text_of(MANIFEST_NAME, &a), X "  h200/a.jsonl\n" X "  h200/b.jsonl\n");
	arena_free(&a);
}

/* What a loss of power leaves of an append: a piece of the line, or zeros. */
static void a_torn_line_is_not_listed(void **state)
{
	(void)state;
	static const struct {
		const char *bytes;
		size_t n;
	} torn[] = {{X, 30}, {X "  h200/b.j", 74}, {"\0\0\0\0", 4}, {"\0\0\0  h200/b.jsonl\n", 18}};
	for (size_t i = 0; i < sizeof torn / sizeof *torn; i++) {
		struct arena a = {0};
		struct err e = ERR_NONE;
		struct sb text = {0};
		sb_cstr(&text, X "  h200/a.jsonl\n");
		sb_put(&text, torn[i].bytes, torn[i].n);
		assert_true(file_write(MANIFEST_NAME, sb_view(&text), &e));
		assert_true(add("./h200/b.jsonl", &e));
		assert_string_equal(text_of(MANIFEST_NAME, &a),
		                    X "  h200/a.jsonl\n" X "  h200/b.jsonl\n");
		sb_free(&text);
		arena_free(&a);
	}
}

static void a_full_disk_leaves_no_half_line(void **state)
{
	(void)state;
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct rlimit was, limit;
	write_file(MANIFEST_NAME, X "  h200/a.jsonl\n");
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
	limit = (struct rlimit){100, was.rlim_max}; /* in the middle of the second line */
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	bool added = add("./h200/b.jsonl", &e);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
	assert_false(added);
	assert_non_null(strstr(e.text, "MANIFEST: cannot write: File too large"));
	assert_string_equal(text_of(MANIFEST_NAME, &a), X "  h200/a.jsonl\n");
	arena_free(&a);
}

static void lines_that_end_as_on_windows_are_named(void **state)
{
	(void)state;
	struct err e = ERR_NONE;
	write_file(MANIFEST_NAME, X "  h200/a.jsonl\r\n");
	assert_false(add("./h200/b.jsonl", &e));
	assert_non_null(strstr(e.text, "MANIFEST:1: expected 64 hex digits"));
}

/* Many writers add the same names at once: no error, and each name is listed once. */
static void many_at_once_list_each_once(void **state)
{
	(void)state;
	enum { PROCESSES = 8, NAMES = 40 };
	struct arena a = {0};
	struct err e = ERR_NONE;
	size_t lines = 0;
	unlink(MANIFEST_NAME);
	for (int i = 0; i < PROCESSES; i++)
		if (fork() == 0) {
			for (int k = 0; k < NAMES; k++)
				if (!add(arena_printf(&a, "./h200/%d.jsonl", k), &e))
					_exit(1);
			_exit(0);
		}
	for (int i = 0; i < PROCESSES; i++) {
		int status;
		assert_true(wait(&status) > 0 && status == 0);
	}
	/* and it reads: what is there already is found */
	assert_true(add("./h200/0.jsonl", &e));
	for (const char *p = text_of(MANIFEST_NAME, &a); (p = strchr(p, '\n')); p++)
		lines++;
	assert_int_equal(lines, NAMES);
	arena_free(&a);
}

static void what_could_not_be_listed_keeps_its_part(void **state)
{
	(void)state;
	struct arena a = {0};
	struct err e = ERR_NONE, again = ERR_NONE;
	struct journal j;
	write_file(MANIFEST_NAME, "no line\n");
	assert_true(journal_open(&j, ".", "h200", "id", &e) && journal_put(&j, STR("{}\n"), &e));
	assert_false(journal_close(&j, "complete", "now", 0, &e));
	assert_non_null(strstr(e.text, "MANIFEST:1: expected 64 hex digits"));
	journal_free(&j);
	assert_true(file_exists("h200/id.jsonl.gz") && file_exists("h200/.id.part"));

	unlink(MANIFEST_NAME);
	assert_true(journal_reopen(&j, "./h200/.id.part", &again) && journal_name(&j, &again));
	journal_free(&j);
	assert_true(file_exists("h200/id.jsonl.gz") && !file_exists("h200/.id.part"));
	assert_non_null(strstr(text_of(MANIFEST_NAME, &a), "  h200/id.jsonl\n"));
	arena_free(&a);
}

/* What a killed writer left beside a plain file of the run gets no second file. */
static void a_run_has_one_file(void **state)
{
	(void)state;
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct journal j;
	write_file("h200/old.jsonl", "{}\n");
	write_file("h200/.old.part", "{}\n");
	assert_true(journal_reopen(&j, "./h200/.old.part", &e) && journal_name(&j, &e));
	journal_free(&j);
	assert_false(file_exists("h200/old.jsonl.gz") || file_exists("h200/.old.part"));
	assert_non_null(strstr(text_of(MANIFEST_NAME, &a), "  h200/old.jsonl\n"));
	write_file("h200/.old.part", "{ }\n");
	assert_true(journal_reopen(&j, "./h200/.old.part", &e));
	assert_false(journal_name(&j, &e));
	journal_free(&j);
	assert_non_null(strstr(e.text, "old.jsonl: is there already, and has other lines than"));
	assert_true(file_exists("h200/.old.part") && !file_exists("h200/old.jsonl.gz"));
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_line_is_its_own_after_one_without_an_end),
	        cmocka_unit_test(a_torn_line_is_not_listed),
	        cmocka_unit_test(a_full_disk_leaves_no_half_line),
	        cmocka_unit_test(lines_that_end_as_on_windows_are_named),
	        cmocka_unit_test(many_at_once_list_each_once),
	        cmocka_unit_test(what_could_not_be_listed_keeps_its_part),
	        cmocka_unit_test(a_run_has_one_file),
	};
	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
