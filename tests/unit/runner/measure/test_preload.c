/* Preloading: what may be loaded before processes are forked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/measure/preload.h"

/* Each call leaves a mark in the environment of its process. */
static void mark(const char *name)
{
	const char *had = getenv(name);
	char now[16];
	snprintf(now, sizeof now, "%d", (had ? atoi(had) : 0) + 1);
	setenv(name, now, 1);
}

static int marks(const char *name)
{
	const char *had = getenv(name);
	return had ? atoi(had) : 0;
}

static const char *harmless(struct kernel_preload *p)
{
	(void)p;
	mark("HARMLESS");
	return NULL;
}

static const char *absent(struct kernel_preload *p)
{
	(void)p;
	return "it is not installed";
}

static void *wait_for_ever(void *arg)
{
	(void)arg;
	for (;;)
		pause();
	return NULL;
}

static const char *starts_thread(struct kernel_preload *p)
{
	(void)p;
	pthread_t id;
	mark("STARTS_THREAD");
	return pthread_create(&id, NULL, wait_for_ever, NULL) == 0 ? NULL : "no thread";
}

static const char *crashes(struct kernel_preload *p)
{
	(void)p;
	abort();
}

/* A trial leaves out all but the second of its steps. */
static const char *has_steps(struct kernel_preload *p)
{
	if (p->trial)
		p->leave = 5;
	for (int i = 0; i < 3 && !p->trial; i++)
		if (!(p->leave >> i & 1))
			mark(i == 1 ? "SECOND" : "OTHER");
	return NULL;
}

/* Prints left-out steps in the format of kernels/torch.py. */
static const char *leaves_many(struct kernel_preload *p)
{
	for (int i = 0; i < 30 && p->trial; i++)
		fprintf(stderr,
		        "before processes are forked, without torch.step%d: there are 2 threads: "
		        "python3, pool\nWarning: %d\n",
		        i, i);
	return NULL;
}

static const struct kernel_variant variants[] = {
        {.id = "plain"},
        {.id = "harmless", .preload = harmless},
        {.id = "also-harmless", .preload = harmless},
        {.id = "absent", .preload = absent},
        {.id = "thread", .preload = starts_thread},
        {.id = "crash", .preload = crashes},
        {.id = "steps", .preload = has_steps},
        {.id = "many", .preload = leaves_many},
};

enum { PLAIN, HARMLESS, ALSO, ABSENT, THREAD, CRASH, STEPS, MANY };

/* The file for such a process's messages. */
static const char *said = "/dev/null";

/* Calls preload() for two variants in a child process, and then `ask` in the same process. */
static int in_child(int a, int b, bool unavailable, int (*ask)(void))
{
	int status = -1;
	pid_t pid = fork();
	if (pid == 0) {
		struct item item[] = {{.variant = &variants[a]}, {.variant = &variants[b]}};
		struct plan p = {.item = item, .n = 2};
		struct err e = ERR_NONE;
		item[1].unavailable = unavailable ? "too large" : NULL;
		if (!freopen(said, "w", stderr) || setvbuf(stderr, NULL, _IONBF, 0) != 0)
			_exit(100);
		_exit(preload(&p, &e) && !e.set ? ask() : 101);
	}
	assert_true(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int harmless_marks(void)
{
	return marks("HARMLESS");
}

static int steps_marks(void)
{
	return 10 * marks("SECOND") + marks("OTHER") + marks("HARMLESS");
}

static int thread_marks(void)
{
	return marks("STARTS_THREAD");
}

static void is_called_once_in_this_process(void **state)
{
	(void)state;
	assert_int_equal(in_child(PLAIN, PLAIN, false, harmless_marks), 0);
	assert_int_equal(in_child(PLAIN, HARMLESS, false, harmless_marks), 1);
	assert_int_equal(in_child(HARMLESS, ALSO, false, harmless_marks), 1);
}

static void not_where_it_is_not_wanted(void **state)
{
	(void)state;
	setenv("RIDGEPOINT_PRELOAD", "0", 1);
	assert_int_equal(in_child(PLAIN, HARMLESS, false, harmless_marks), 0);
	unsetenv("RIDGEPOINT_PRELOAD");
}

static void not_of_what_is_unavailable(void **state)
{
	(void)state;
	assert_int_equal(in_child(PLAIN, HARMLESS, true, harmless_marks), 0);
}

static void what_a_trial_leaves_out_is_left_out(void **state)
{
	(void)state;
	assert_int_equal(in_child(PLAIN, STEPS, false, steps_marks), 10);
	assert_int_equal(in_child(HARMLESS, STEPS, false, steps_marks), 11);
}

/* If one fails, or would break a later fork, this process calls none. */
static void a_failed_trial_keeps_this_process_as_it_was(void **state)
{
	(void)state;
	assert_int_equal(in_child(ABSENT, HARMLESS, false, harmless_marks), 0);
	assert_int_equal(in_child(HARMLESS, ABSENT, false, harmless_marks), 0);
	assert_int_equal(in_child(HARMLESS, CRASH, false, harmless_marks), 0);
	assert_int_equal(in_child(HARMLESS, THREAD, false, harmless_marks), 0);
	assert_int_equal(in_child(HARMLESS, THREAD, false, thread_marks), 0);
}

static void many_steps_are_one_line(void **state)
{
	(void)state;
	char path[] = "/tmp/ridgepoint-preload-XXXXXX", text[1024];
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	said = path;
	in_child(HARMLESS, MANY, false, harmless_marks);
	said = "/dev/null";
	ssize_t n = read(fd, text, sizeof text - 1);
	close(fd);
	unlink(path);
	assert_true(n > 0);
	text[n] = 0;
	assert_string_equal(text,
	                    "before processes are forked, without 30 steps of loading peers' "
	                    "libraries, which every process does for itself: torch.step0: there "
	                    "are 2 threads: python3, pool; and so on\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(is_called_once_in_this_process),
	        cmocka_unit_test(not_where_it_is_not_wanted),
	        cmocka_unit_test(not_of_what_is_unavailable),
	        cmocka_unit_test(what_a_trial_leaves_out_is_left_out),
	        cmocka_unit_test(many_steps_are_one_line),
	        cmocka_unit_test(a_failed_trial_keeps_this_process_as_it_was),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
