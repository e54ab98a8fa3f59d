/* The confinement of programs that draw for us: what they may do, and what not. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/base/tool.h"

static struct arena arena;

/* gnuplot runs the program: what it says, and what the error is; "" if nothing. */
static const char *says_within(const char *program, int wall_seconds)
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
	                 .wall_seconds = wall_seconds,
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

static const char *says(const char *program)
{
	return says_within(program, 0);
}

/* What bash says to a command, as far as it is let. */
static const char *bash_says(const char *command)
{
	struct err e = ERR_NONE;
	struct str said = STR("");
	const char *const args[] = {"-c", command, NULL};
	const char *dir = tool_folder(&arena, &e);
	struct tool t = {.name = "bash",
	                 .path = "/bin/bash",
	                 .args = args,
	                 .dir = dir,
	                 .cpu_seconds = 1,
	                 .memory_bytes = 512 << 20,
	                 .file_bytes = 1 << 20};
	assert_non_null(dir);
	unchecked(tool_run(&t, &arena, &said, &e)); /* the caller reads e */
	tool_folder_remove(dir);
	return str_dup(&arena, said);
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

static void nor_reached(void **state)
{
	(void)state;
	if (!has_landlock())
		skip();
	assert_non_null(strstr(bash_says("echo x > /dev/tcp/127.0.0.1/9"), "Permission denied"));
	assert_non_null(strstr(bash_says("echo x > /dev/udp/127.0.0.1/9"), "Permission denied"));
	/* a file that was there before is not cut either */
	const char *mark = arena_printf(&arena, "/tmp/ridgepoint-mark-%ld", (long)getpid());
	struct err e = ERR_NONE;
	struct stat st;
	assert_true(file_write(mark, STR("kept"), &e));
	assert_non_null(strstr(bash_says(arena_printf(&arena, "> %s", mark)), "Permission denied"));
	assert_int_equal(stat(mark, &st), 0);
	assert_int_equal(st.st_size, 4);
	remove(mark);
}

/* --- kernels that cannot confine it --- */

/* From now on the call fails with this errno, in this process and what it starts. */
static bool break_call(unsigned call, unsigned error)
{
	struct sock_filter filter[] = {
	        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
	        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
	        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {ARRAY_LEN(filter), filter};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* Calls `check` where that call is broken. */
static void where_broken(unsigned call, unsigned error, bool (*check)(void))
{
	int status;
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0)
		_exit(break_call(call, error) && check() ? 0 : 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static bool contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		print_error("'%s' lacks '%s'\n", text, part);
	return strstr(text, part);
}

/* A program that would have left a mark is not even started, and it is said what to do. */
static bool is_refused(void)
{
	struct err e = ERR_NONE;
	struct stat st;
	const char *mark = arena_printf(&arena, "/tmp/ridgepoint-mark-%ld", (long)getpid());
	unsetenv("RIDGEPOINT_NO_SANDBOX");
	const char *said = says(arena_printf(&arena, "system('touch %s')\n", mark));
	return contains(said, "gnuplot is not started: the kernel cannot confine it") &&
	       contains(said, "RIDGEPOINT_NO_SANDBOX=1") && stat(mark, &st) != 0 &&
	       !tool_ready(&e) && contains(e.text, "RIDGEPOINT_NO_SANDBOX=1");
}

/* A whole site with plots, formulas and cards says it in one line. */
static bool builds_say_it_once(void)
{
	char line[2][2048] = {"", ""};
	const char *build = getenv("BUILD");
	unsetenv("RIDGEPOINT_NO_SANDBOX");
	FILE *f = popen(arena_printf(&arena,
	                             "%s/site-gen check --root tests/golden/whole-site/site "
	                             "--cache /tmp/ridgepoint-cache-%ld 2>&1",
	                             build ? build : "build", (long)getpid()),
	                "r");
	int lines = 0;
	while (lines < 2 && fgets(line[lines], sizeof line[lines], f))
		lines++;
	return lines == 1 && contains(line[0], "is not started: the kernel cannot confine it") &&
	       WEXITSTATUS(pclose(f)) == 1;
}

static bool runs(void)
{
	struct err e = ERR_NONE;
	return setenv("RIDGEPOINT_NO_SANDBOX", "1", 1) == 0 &&
	       strcmp(says("set terminal svg\nset output 'x.svg'\nplot sin(x)\n"), "") == 0 &&
	       tool_ready(&e);
}

static void what_cannot_be_confined_is_not_started(void **state)
{
	(void)state;
	static const unsigned errors[] = {ENOSYS, EMFILE, EPERM, EOPNOTSUPP};
	for (size_t i = 0; i < ARRAY_LEN(errors); i++)
		where_broken(SYS_landlock_create_ruleset, errors[i], is_refused);
	where_broken(SYS_landlock_restrict_self, EPERM, is_refused);
	where_broken(SYS_landlock_restrict_self, E2BIG, is_refused);
	where_broken(SYS_landlock_create_ruleset, ENOSYS, builds_say_it_once);
}

static bool is_not_unlimited(void)
{
	return contains(says("print 1\n"), "a limit cannot be set: Operation not permitted");
}

static void nor_is_what_cannot_be_limited(void **state)
{
	(void)state;
	where_broken(SYS_prlimit64, EPERM, is_not_unlimited);
}

static void unless_the_author_says_so(void **state)
{
	(void)state;
	where_broken(SYS_landlock_create_ruleset, ENOSYS, runs);
	where_broken(SYS_landlock_restrict_self, EPERM, runs);
}

/* --- programs that wait --- */

static void waiting_ends(void **state)
{
	(void)state;
	time_t start = time(NULL);
	assert_non_null(strstr(says_within("pause 120\n", 1), "stopped after 1 s"));
	assert_true(time(NULL) - start < 60);
}

/* Is a process whose current folder is this one left? */
static bool is_used(const char *dir)
{
	struct sb command = {0};
	sb_printf(&command,
	          "for p in /proc/[0-9]*; do [ \"$(readlink $p/cwd 2>/dev/null)\" != %s ] || exit "
	          "0; done; exit 1",
	          dir);
	bool used = system(command.p) == 0;
	sb_free(&command);
	return used;
}

static void no_program_outlives_who_started_it(void **state)
{
	(void)state;
	struct err e = ERR_NONE;
	struct str said;
	const char *dir = tool_folder(&arena, &e);
	const char *const args[] = {"-c", "while :; do read -t 1 < /dev/null; done", NULL};
	const struct tool t = {.name = "bash",
	                       .path = "/bin/bash",
	                       .args = args,
	                       .dir = dir,
	                       .cpu_seconds = 60,
	                       .memory_bytes = 512 << 20,
	                       .file_bytes = 1 << 20};
	assert_non_null(dir);
	pid_t worker = fork();
	if (worker == 0)
		_exit(tool_run(&t, &arena, &said, &e));
	const struct timespec tick = {.tv_nsec = 10000000};
	while (!is_used(dir))
		nanosleep(&tick, NULL);
	kill(worker, SIGKILL);
	waitpid(worker, NULL, 0);
	for (int i = 0; i < 1000 && is_used(dir); i++)
		nanosleep(&tick, NULL);
	assert_false(is_used(dir));
	tool_folder_remove(dir);
}

/* --- what is left behind --- */

static void old_folders_are_removed(void **state)
{
	(void)state;
	struct err e = ERR_NONE;
	struct stat st;
	const struct timespec old[2] = {{.tv_sec = time(NULL) - 2 * 60 * 60},
	                                {.tv_sec = time(NULL) - 2 * 60 * 60}};
	const char *left = tool_folder(&arena, &e), *used = tool_folder(&arena, &e);
	assert_true(left && used);
	assert_true(file_write(arena_printf(&arena, "%s/in", left), STR("x"), &e));
	assert_int_equal(utimensat(AT_FDCWD, left, old, 0), 0);
	unchecked(tool_ready(&e)); /* fails where the kernel confines nothing */
	assert_int_not_equal(stat(left, &st), 0);
	assert_int_equal(stat(used, &st), 0);
	tool_folder_remove(used);
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
	        cmocka_unit_test(nor_reached),
	        cmocka_unit_test(what_cannot_be_confined_is_not_started),
	        cmocka_unit_test(nor_is_what_cannot_be_limited),
	        cmocka_unit_test(unless_the_author_says_so),
	        cmocka_unit_test(waiting_ends),
	        cmocka_unit_test(no_program_outlives_who_started_it),
	        cmocka_unit_test(old_folders_are_removed),
	        cmocka_unit_test(a_missing_program_is_not_found),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(&arena);
	return failed;
}
