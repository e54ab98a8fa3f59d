/* The limit on a process's silence, which a busy machine may not shorten. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runner/base/clock.h"
#include "runner/base/patience.h"

enum { SECOND = 1000000000, BUSY = 4 };

static void wait_ms(int64_t ms)
{
	const struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
	nanosleep(&t, NULL);
}

/* Starts a process that computes on one CPU, or sleeps. */
static pid_t start(bool computes, const cpu_set_t *on)
{
	pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		sched_setaffinity(0, sizeof *on, on);
		for (volatile unsigned long n = 0;; n++)
			if (!computes)
				pause();
	}
	assert_true(pid > 0);
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void one_processor(cpu_set_t *set)
{
	cpu_set_t all;
	assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
	CPU_ZERO(set);
	for (int i = CPU_SETSIZE - 1; i >= 0 && CPU_COUNT(set) == 0; i--)
		if (CPU_ISSET(i, &all))
			CPU_SET(i, set);
}

static void one_that_sleeps_is_silent(void **state)
{
	(void)state;
	cpu_set_t on;
	struct patience p;
	one_processor(&on);
	pid_t pid = start(false, &on);
	wait_ms(50);
	patience_begin(&p, pid, SECOND / 10);
	assert_true(patience_poll_ms(&p) > 0);
	wait_ms(400);
	assert_int_equal(patience_poll_ms(&p), 0);
	patience_begin(&p, pid, 60ll * SECOND);
	assert_int_equal(patience_poll_ms(&p), 1000);
	end(pid);
}

/* Five processes on one CPU get a fifth of the time each. */
static void one_that_is_kept_waiting_is_not(void **state)
{
	(void)state;
	cpu_set_t on;
	struct patience p;
	pid_t busy[BUSY];
	if (access("/proc/self/schedstat", R_OK) != 0)
		skip();
	one_processor(&on);
	pid_t pid = start(true, &on);
	for (int i = 0; i < BUSY; i++)
		busy[i] = start(true, &on);
	wait_ms(200);
	patience_begin(&p, pid, SECOND);
	int64_t start_ns = clock_ns();
	wait_ms(1500);
	int64_t passed = clock_ns() - start_ns, left_ms = patience_poll_ms(&p);
	for (int i = 0; i < BUSY; i++)
		end(busy[i]);
	end(pid);
	assert_true(passed >= SECOND * 3ll / 2);
	assert_true(SECOND - left_ms * 1000000 < passed / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(one_that_sleeps_is_silent),
	        cmocka_unit_test(one_that_is_kept_waiting_is_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
