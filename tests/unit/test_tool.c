/* What a program that draws for us may do, and what not. */
#include <linux/landlock.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/file.h"
#include "site-gen/tool.h"

static struct arena arena;

/* What gnuplot says to a program; "" if nothing. */
static const char *says(const char *program)
{
	struct err e = ERR_NONE;
	struct str said = STR("");
	const char *dir = tool_folder(&arena, &e), *gnuplot = tool_find("gnuplot", &arena);
	assert_non_null(dir);
	assert_non_null(gnuplot);
	const char *file = arena_printf(&arena, "%s/program", dir);
	const char *const args[] = {"-d", "program", NULL};
	assert_true(file_write(file, str_of(program), &e));
	struct tool t = {.name = "gnuplot",
	                 .path = gnuplot,
	                 .args = args,
	                 .dir = dir,
	                 .cpu_seconds = 1,
	                 .memory_bytes = 512 << 20,
	                 .file_bytes = 1 << 20};
	bool ok = tool_run(&t, &arena, &said, &e);
	assert_int_equal(ok, said.n == 0 && !e.set);
	const char *text = arena_printf(&arena, "%s" STR_FMT, e.text, STR_ARG(said));
	tool_folder_remove(dir);
	struct stat st;
	assert_int_not_equal(stat(dir, &st), 0);
	return text;
}

static bool has_landlock(void)
{
	return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0;
}

static void draws(void **state)
{
	(void)state;
	assert_string_equal(says("set terminal svg\nset output 'x.svg'\nplot sin(x)\n"), "");
}

static void complaints_are_errors(void **state)
{
	(void)state;
	assert_non_null(strstr(says("plot 'nothing.dat'\n"), "nothing.dat"));
	assert_non_null(strstr(says("print 1\n"), "1"));
}

static void time_and_memory_end(void **state)
{
	(void)state;
	assert_non_null(strstr(says("while (1) { x = 1 }\n"), "too expensive"));
	assert_string_not_equal(says("s = 'x'\nwhile (1) { s = s.s }\n"), "");
}

static void the_environment_is_empty(void **state)
{
	(void)state;
	assert_non_null(strstr(says("print 'home=', system('echo $HOME')\n"), "home="));
	assert_null(strstr(says("print 'home=', system('echo $HOME')\n"), "home=/"));
}

static void nothing_else_can_be_done(void **state)
{
	(void)state;
	struct stat st;
	const char *mark = arena_printf(&arena, "/tmp/ridgepoint-mark-%ld", (long)getpid());
	if (!has_landlock())
		skip();
	says(arena_printf(&arena, "system('touch %s')\n", mark));
	says(arena_printf(&arena, "set print '|touch %s'\nprint 1\nunset print\n", mark));
	says(arena_printf(&arena, "plot '< touch %s; echo 1'\n", mark));
	says(arena_printf(&arena, "!touch %s\n", mark));
	says(arena_printf(&arena, "x = `touch %s`\n", mark));
	says(arena_printf(&arena, "set print '%s'\nprint 1\nunset print\n", mark));
	assert_int_not_equal(stat(mark, &st), 0);
	assert_null(strstr(says("print system('cat /etc/passwd')\n"), "root:"));
	assert_non_null(
	        strstr(says("set terminal svg\nset output 'x.svg'\nplot '/etc/passwd' using 0\n"),
	               "/etc/passwd"));
	assert_non_null(strstr(says("load '/etc/passwd'\n"), "/etc/passwd"));
}

static void a_missing_program_is_not_found(void **state)
{
	(void)state;
	assert_null(tool_find("no-such-program-here", &arena));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(draws),
	        cmocka_unit_test(complaints_are_errors),
	        cmocka_unit_test(time_and_memory_end),
	        cmocka_unit_test(the_environment_is_empty),
	        cmocka_unit_test(nothing_else_can_be_done),
	        cmocka_unit_test(a_missing_program_is_not_found),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(&arena);
	return failed;
}
