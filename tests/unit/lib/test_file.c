/* Files, JSON values and command lines: lib/'s contact with the outside world. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/cmd.h"
#include "lib/file.h"
#include "lib/json.h"

static int enter_temp(void **state)
{
	char *dir = strdup("/tmp/ridgepoint-test-XXXXXX");
	*state = dir;
	return !mkdtemp(dir) || chdir(dir) != 0;
}

static int leave_temp(void **state)
{
	char cmd[256];
	snprintf(cmd, sizeof cmd, "rm -rf %s", (char *)*state);
	free(*state);
	return chdir("/") != 0 || system(cmd) != 0;
}

static void files_are_written_whole(void **state)
{
	(void)state;
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct str s;
	struct file_entry *list;
	size_t n;
	assert_true(file_mkdirs("a/b/c", &e) && file_mkdirs("a/b/c", &e));
	assert_true(file_write("a/b/x", STR("one"), &e) && file_write("a/b/x", STR("two"), &e));
	assert_true(file_read("a/b/x", 100, &a, &s, &e));
	assert_true(str_is(s, "two"));
	assert_true(file_list("a/b", &a, &list, &n, &e));
	assert_int_equal(n, 2); /* no temporary is left */
	assert_string_equal(list[0].name, "c");
	assert_true(list[0].is_dir && !list[1].is_dir);
	arena_free(&a);
}

static void refused(const char *path, const char *want)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct str s;
	assert_false(file_read(path, 2, &a, &s, &e));
	assert_non_null(strstr(e.text, want));
	arena_free(&a);
}

static void odd_files_are_refused(void **state)
{
	(void)state;
	struct err e = ERR_NONE;
	assert_true(file_write("big", STR("three"), &e));
	assert_int_equal(symlink("big", "link"), 0);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	refused("big", "big: larger than 2 bytes");
	refused("link", "link: is a symbolic link");
	refused("fifo", "fifo: not a regular file");
	refused("none", "none: cannot open: No such file");
	refused(".", "not a regular file");
	assert_false(file_write("no/such/folder", STR("x"), &e));
	assert_non_null(strstr(e.text, "no/such/folder: cannot create"));
}

/* If the system cannot tell, the file counts as existing, so that opening it reports why. */
static void only_what_is_absent_does_not_exist(void **state)
{
	(void)state;
	char name[400];
	struct err e = ERR_NONE;
	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = 0;
	assert_true(file_write("plain", STR("x"), &e));
	assert_true(file_exists("plain"));
	assert_false(file_exists("none") || file_exists("none/x") || file_exists("plain/x"));
	assert_true(file_exists(name)); /* ENAMETOOLONG */
}

static bool no_more(void *ctx, int fd, const char *name, struct err *e)
{
	(void)fd;
	++*(int *)ctx;
	return err_set(e, "enough of %s", name);
}

static void a_folder_that_cannot_be_read_is_an_error(void **state)
{
	(void)state;
	struct err e = ERR_NONE, f = ERR_NONE, g = ERR_NONE;
	int calls = 0;
	assert_false(file_each(-1, "none", no_more, &calls, &e));
	assert_non_null(strstr(e.text, "none: cannot list the folder"));
	int fd = open("/proc/self/exe", O_RDONLY);
	assert_false(file_each(fd, "exe", no_more, &calls, &f));
	assert_non_null(strstr(f.text, "exe: cannot list the folder: Not a directory"));
	assert_int_equal(calls, 0);
	assert_false(file_each(open("/proc", O_RDONLY), "/proc", no_more, &calls, &g));
	assert_int_equal(calls, 1);
}

static void json_values_are_typed(void **state)
{
	(void)state;
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct json_doc *doc;
	struct json v, m;
	const char *s = NULL, *key;
	int64_t i = 0;
	struct str text = STR("{\"s\":\"\\u00b5\",\"i\":9007199254740993,\"a\":[1,2.5]}");
	assert_true(json_parse(text, (struct loc){"j", 4, 0}, &doc, &v, &e));
	assert_true(json_want_str(v, "s", &a, &s, &e) && strcmp(s, "µ") == 0);
	assert_true(json_want_i64(v, "i", &i, &e) && i == 9007199254740993);
	assert_int_equal(json_len(json_get(v, "a")), 2);
	size_t at = 0, members = 0;
	while (json_each(v, &at, &key, &m))
		members++;
	assert_int_equal(members, 3);
	assert_false(json_want_i64(v, "s", &i, &e));
	assert_string_equal(e.text, "j:4: 's' is not an integer");
	json_free(doc);
	arena_free(&a);
}

/* Arguments and truncated texts may be any bytes; whatever is written must be readable. */
static void what_is_no_utf8_is_written_as_text(void **state)
{
	(void)state;
	struct err e = ERR_NONE;
	struct json_doc *doc;
	struct json v;
	struct str s;
	struct sb to = {0};
	json_quote(&to, STR("caf\xe9 \xc2\xb5s \"\xe2\x80"));
	assert_string_equal(to.p, "\"caf\xef\xbf\xbd \xc2\xb5s \\\"\xef\xbf\xbd\xef\xbf\xbd\"");
	sb_clear(&to);
	json_quote(&to, (struct str){"a\0b", 3});
	assert_true(json_parse(sb_view(&to), (struct loc){"j", 1, 0}, &doc, &v, &e));
	assert_true(json_as_str(v, &s) && str_is(s, "a\xef\xbf\xbd"
	                                            "b"));
	json_free(doc);
	sb_free(&to);
}

static void bad_json(struct str text)
{
	struct err e = ERR_NONE;
	struct json_doc *doc;
	struct json v;
	assert_false(json_parse(text, (struct loc){"j", 1, 0}, &doc, &v, &e));
	assert_true(e.set);
}

static void hostile_json_is_refused(void **state)
{
	(void)state;
	char *deep = malloc(100001);
	memset(deep, '[', 100000);
	bad_json((struct str){deep, 100000});
	free(deep);
	bad_json(STR("{\"a\":1,\"a\":2}"));
	bad_json(STR("\xef\xbb\xbf{}"));
	bad_json((struct str){"{\"a\":\"\0\"}", 9});
	bad_json(STR("{\"a\":NaN}"));
	bad_json(STR("{\"a\":1} x"));
	bad_json(STR("\"\\ud800\""));
	bad_json(STR(""));
}

static int answer(const struct cmd_args *args, void *ctx)
{
	*(const struct cmd_args **)ctx = args;
	return args->option[1] && strcmp(args->option[1], "8") == 0 && args->nargs == 1 &&
	                       strcmp(args->arg[0], "-x") == 0
	               ? 0
	               : 7;
}

static const struct cmd_option options[] = {
        {"quiet", 'q', CMD_FLAG, NULL, "say less"},
        {"launches", 'n', CMD_INT, "N", "how many processes"},
        {0},
};
static const struct cmd commands[] = {
        {"run", "[SELECTOR]", "measure", NULL, options, 0, 1, answer},
};

static int command(int argc, const char **argv)
{
	const struct cmd_args *args;
	return cmd_main("tool", "a test", commands, 1, argc, (char **)argv, &args);
}

static void commands_come_from_the_table(void **state)
{
	(void)state;
	assert_int_equal(command(5, (const char *[]){"tool", "run", "--launches=8", "--", "-x"}),
	                 0);
	assert_int_equal(command(6, (const char *[]){"tool", "run", "-qn", "8", "--", "-x"}), 2);
	assert_int_equal(command(6, (const char *[]){"tool", "run", "-n", "8", "--", "-x"}), 0);
	assert_int_equal(command(5, (const char *[]){"tool", "run", "-n8", "--", "-x"}), 0);
	assert_int_equal(command(3, (const char *[]){"tool", "run", "--launches"}), 2);
	assert_int_equal(command(3, (const char *[]){"tool", "run", "--launches=x"}), 2);
	assert_int_equal(command(3, (const char *[]){"tool", "run", "--lanches=1"}), 2);
	assert_int_equal(command(4, (const char *[]){"tool", "run", "a", "b"}), 2);
	assert_int_equal(command(2, (const char *[]){"tool", "rnu"}), 2);
	assert_int_equal(command(1, (const char *[]){"tool"}), 2);
	assert_int_equal(command(2, (const char *[]){"tool", "--help"}), 0);
	assert_int_equal(command(3, (const char *[]){"tool", "run", "--help"}), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(files_are_written_whole, enter_temp, leave_temp),
	        cmocka_unit_test_setup_teardown(odd_files_are_refused, enter_temp, leave_temp),
	        cmocka_unit_test_setup_teardown(only_what_is_absent_does_not_exist, enter_temp,
	                                        leave_temp),
	        cmocka_unit_test_setup_teardown(a_folder_that_cannot_be_read_is_an_error,
	                                        enter_temp, leave_temp),
	        cmocka_unit_test(json_values_are_typed),
	        cmocka_unit_test(what_is_no_utf8_is_written_as_text),
	        cmocka_unit_test(hostile_json_is_refused),
	        cmocka_unit_test(commands_come_from_the_table),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
