/* Workers: all jobs once, results seen by the parent, the dead replaced and named. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "site-gen/base/worker.h"

enum { JOBS = 200 };

struct fixture {
	struct worker_pool *pool;
	struct result {
		int times;
		const char *text;
	} * result; /* shared */
	size_t ndied;
	char why[8][64];
	size_t who[8];
	void (*odd)(void); /* what job 7 and 70 do */
};

struct worker {
	struct fixture *f;
	int slot;
};

static void *enter(void *ctx, int slot)
{
	struct worker *w = calloc(1, sizeof *w);
	*w = (struct worker){ctx, slot};
	return w;
}

static void job(void *worker, size_t i)
{
	struct worker *w = worker;
	if (w->f->odd && (i == 7 || i == 70))
		w->f->odd();
	w->f->result[i].times++;
	w->f->result[i].text = arena_printf(worker_arena(w->f->pool, w->slot), "job %zu", i);
}

static void died(void *ctx, size_t i, const char *why)
{
	struct fixture *f = ctx;
	if (f->ndied < 8) {
		strncpy(f->why[f->ndied], why, sizeof f->why[0] - 1);
		f->who[f->ndied] = i;
	}
	f->ndied++;
}

static void run(struct fixture *f, int workers)
{
	struct err e = ERR_NONE;
	f->pool = worker_pool_new(workers, &e);
	assert_non_null(f->pool);
	f->result = ARENA_ARRAY(worker_arena(f->pool, worker_count(f->pool)), struct result, JOBS);
	struct worker_work w = {
	        .njobs = JOBS, .enter = enter, .job = job, .died = died, .ctx = f, .cpu_ms = 400};
	assert_true(worker_run(f->pool, &w, &e));
	for (size_t i = 0; i < JOBS; i++) {
		bool odd = f->odd && (i == 7 || i == 70);
		char text[32];
		snprintf(text, sizeof text, "job %zu", i);
		assert_int_equal(f->result[i].times, odd ? 0 : 1);
		if (!odd)
			assert_string_equal(f->result[i].text, text);
	}
}

static void both_died(struct fixture *f, const char *why)
{
	assert_int_equal(f->ndied, 2);
	assert_int_equal(f->who[0] + f->who[1], 77);
	assert_string_equal(f->why[0], why);
	assert_string_equal(f->why[1], why);
	worker_pool_free(f->pool);
}

static void every_job_once(void **state)
{
	(void)state;
	for (int workers = 1; workers <= 5; workers += 2) {
		struct fixture f = {0};
		run(&f, workers);
		assert_int_equal(f.ndied, 0);
		worker_pool_free(f.pool);
	}
}

static void crash(void)
{
	signal(SIGSEGV, SIG_DFL);
	raise(SIGSEGV);
}

static void leave(void)
{
	_exit(3);
}

static void no_memory(void)
{
	struct arena a = {0};
	for (;;)
		memset(arena_alloc(&a, 1 << 20), 1, 1 << 20);
}

static void no_end(void)
{
	for (volatile int i = 0;; i++)
		;
}

static void leave_quietly(void)
{
	_exit(0);
}

static void crashes_are_named(void **state)
{
	struct fixture f = {.odd = crash};
	(void)state;
	run(&f, 2);
	both_died(&f, "the renderer crashed (signal 11)");
}

static void exits_are_named(void **state)
{
	struct fixture f = {.odd = leave};
	(void)state;
	run(&f, 1);
	both_died(&f, "the renderer crashed (exit 3)");
}

/* Whatever status it ends with, a worker that has not done its job is named and replaced. */
static void no_job_is_lost(void **state)
{
	struct fixture f = {.odd = leave_quietly};
	(void)state;
	run(&f, 1);
	both_died(&f, "the renderer crashed (exit 0)");
}

static void *cannot_enter(void *ctx, int slot)
{
	(void)ctx;
	(void)slot;
	_exit(1);
}

/* A worker that never gets as far as a job would be replaced for ever. */
static void workers_that_cannot_start_are_an_error(void **state)
{
	(void)state;
	for (int workers = 1; workers <= 3; workers += 2) {
		struct fixture f = {0};
		struct err e = ERR_NONE;
		struct worker_work w = {
		        .njobs = JOBS, .enter = cannot_enter, .job = job, .died = died, .ctx = &f};
		f.pool = worker_pool_new(workers, &e);
		assert_non_null(f.pool);
		alarm(30);
		assert_false(worker_run(f.pool, &w, &e));
		alarm(0);
		assert_non_null(strstr(e.text, "workers end before they start to work (exit 1)"));
		assert_int_equal(f.ndied, 0);
		worker_pool_free(f.pool);
	}
}

/* Where children are not to be waited for, nobody can say what became of a worker. */
static void workers_reaped_by_others_are_an_error(void **state)
{
	(void)state;
	struct fixture f = {0};
	struct err e = ERR_NONE;
	struct worker_work w = {
	        .njobs = JOBS, .enter = cannot_enter, .job = job, .died = died, .ctx = &f};
	f.pool = worker_pool_new(2, &e);
	signal(SIGCHLD, SIG_IGN);
	alarm(30);
	assert_false(worker_run(f.pool, &w, &e));
	alarm(0);
	signal(SIGCHLD, SIG_DFL);
	assert_non_null(strstr(e.text, "cannot wait for a worker"));
	worker_pool_free(f.pool);
}

static void memory_is_bounded(void **state)
{
	struct fixture f = {.odd = no_memory};
	(void)state;
#ifdef __SANITIZE_ADDRESS__
	skip(); /* ends in its own way when memory is out */
#endif
	run(&f, 2);
	both_died(&f, "too expensive to render");
}

static void time_is_bounded(void **state)
{
	struct fixture f = {.odd = no_end};
	(void)state;
	run(&f, 2);
	both_died(&f, "too expensive to render");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_job_once),
	        cmocka_unit_test(crashes_are_named),
	        cmocka_unit_test(exits_are_named),
	        cmocka_unit_test(no_job_is_lost),
	        cmocka_unit_test(workers_that_cannot_start_are_an_error),
	        cmocka_unit_test(workers_reaped_by_others_are_an_error),
	        cmocka_unit_test(memory_is_bounded),
	        cmocka_unit_test(time_is_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
