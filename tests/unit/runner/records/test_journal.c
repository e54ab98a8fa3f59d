/*
 * kill -9 at random times: a run of three launches is killed a thousand times, anywhere
 * between its first line and its final name. No file may be corrupt, and no launch that
 * was reported as done may be lost.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>

#include <cmocka.h>

#include "lib/file.h"
#include "lib/record_file.h"
#include "runner/base/clock.h"
#include "runner/base/rng.h"
#include "runner/measure/session.h"
#include "tests/unit/help/faulty.h"

#ifdef __SANITIZE_ADDRESS__
enum { KILLS = 100 };
#else
enum { KILLS = 1000 };
#endif
enum { LAUNCHES = 3, AT_ONCE = 8, MOST_KILLS = 20 * KILLS };

static const struct facts machine = {.usable = true,
                                     .slug = "test",
                                     .name = "test",
                                     .cache_bytes = 65536,
                                     .free_bytes = 1 << 30,
                                     .threads = 1};

/* A folder in memory if possible: thousands of syncs take long on a disk, for no gain. */
static char memory[] = "/dev/shm/ridgepoint-kill-XXXXXX", disk[] = "/tmp/ridgepoint-kill-XXXXXX";
static char *folder = memory;
static char *arguments[] = {"runner", "run"};
static const struct invocation typed = {2, arguments};

static int make_folder(void **state)
{
	(void)state;
	if (mkdtemp(folder))
		return 0;
	folder = disk;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	char command[64];
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command);
}

static void must(bool ok)
{
	if (!ok)
		_exit(1);
}

/* The run under test, as short as possible; writes a byte to `done` for each durable launch. */
static _Noreturn void measure(const char *out, int done, int go)
{
	struct err e = ERR_NONE;
	struct session *s = session_new(&e);
	struct selector sel;
	struct session_about about = {.out = out, .inv = &typed};
	must(freopen("/dev/null", "w", stderr) != NULL);
	must(select_parse("faulty/good:cache=hot", &sel, &e) &&
	     plan_make(KERNEL_CPU, PLAN_MEASURE, &machine, &sel, 1, &s->arena, &s->plan, &e));
	s->plan.set.launches = LAUNCHES;
	s->plan.set.warmup_ms = 0;
	s->plan.set.cap_ms = s->plan.set.window_ms = 1;
	char c;
	must(session_survey(s, 1) && write(done, "s", 1) == 1 && read(go, &c, 1) == 1);
	must(session_begin(s, &about, LAUNCHES));
	for (int64_t i = 0; i < LAUNCHES; i++)
		must(session_launch(s, i, NULL) && write(done, "l", 1) == 1);
	must(session_end(s, true) && write(done, "e", 1) == 1);
	_exit(0);
}

struct victim {
	char out[64];
	pid_t pid;
	int done, go;
	int64_t kill_at_ns;
};

/* Outcomes, counted by how far the run had come. */
struct toll {
	size_t nothing, parts, whole, begun[LAUNCHES + 1];
};

static void start(struct victim *v, int number)
{
	int fd[2], go[2];
	snprintf(v->out, sizeof v->out, "%s/%d", folder, number);
	assert_true(pipe(fd) == 0 && pipe(go) == 0);
	fflush(NULL);
	v->pid = fork();
	assert_true(v->pid >= 0);
	if (v->pid == 0)
		measure(v->out, fd[1], go[0]);
	close(fd[1]);
	close(go[0]);
	v->done = fd[0];
	v->go = go[1];
}

static size_t records_of(const struct run *r)
{
	return r->nlaunches + r->nnull_launches;
}

/* The one file below v->out, a record or a part; NULL if there is none. */
static const char *only_file(const struct victim *v, struct arena *a)
{
	struct err ignored = ERR_NONE;
	struct file_entry *entry;
	size_t n = 0;
	const char *dir = arena_printf(a, "%s/test", v->out), *found = NULL;
	if (!file_list(dir, a, &entry, &n, &ignored))
		return NULL;
	for (size_t i = 0; i < n; i++) { /* the part stays until the record has its name */
		bool packed = entry[i].name[0] == '.' && str_ends(str_of(entry[i].name), ".gz");
		if (!packed && (!found || entry[i].name[0] != '.'))
			found = arena_printf(a, "%s/%s", dir, entry[i].name);
	}
	return found;
}

static void inspect(const struct victim *v, size_t launches, bool ended, struct toll *t)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct str bytes;
	struct run r;
	const char *path = only_file(v, &a);
	t->begun[launches]++;
	if (!path || (record_file_read(path, &a, &bytes, &e) && bytes.n == 0)) {
		assert_int_equal(launches, 0);
		t->nothing++;
	} else {
		bool record = record_file_is(str_of(path));
		/* the file can be read, whatever the moment */
		if (e.set || !record_read(bytes, path, &a, &r, &e)) {
			/* except if its head is incomplete; then there is no launch */
			if (record || launches > 0 || memchr(bytes.p, '\n', bytes.n))
				fail_msg("%s", e.text);
			t->nothing++;
		} else {
			if (record && (!r.whole || strcmp(r.status, "complete") != 0))
				fail_msg("%s: %s", path, r.why_not_whole);
			assert_true(records_of(&r) >= 2 * launches);
			assert_true(!ended || record);
			t->parts += !record;
			t->whole += record;
		}
	}
	arena_free(&a);
}

/* Waits until all have done their survey, and lets them continue at the same time. */
static void let_go(struct victim *v)
{
	char c = 0;
	for (int k = 0; k < AT_ONCE; k++)
		assert_true(read(v[k].done, &c, 1) == 1 && c == 's');
	for (int k = 0; k < AT_ONCE; k++) {
		assert_int_equal(write(v[k].go, "g", 1), 1);
		close(v[k].go);
	}
}

static int by_time(const void *a, const void *b)
{
	const struct victim *x = a, *y = b;
	return (x->kill_at_ns > y->kill_at_ns) - (x->kill_at_ns < y->kill_at_ns);
}

/* Kills a run at its time, and counts the launches that it had reported. */
static void kill_one(struct victim *v, struct toll *t)
{
	char c;
	size_t launches = 0;
	bool ended = false;
	int64_t left = v->kill_at_ns - clock_ns();
	struct timespec wait = {left / 1000000000, left % 1000000000};
	if (left > 0)
		nanosleep(&wait, NULL);
	kill(v->pid, SIGKILL);
	assert_true(waitpid(v->pid, NULL, 0) == v->pid);
	while (read(v->done, &c, 1) == 1) {
		launches += c == 'l';
		ended = c == 'e';
	}
	close(v->done);
	inspect(v, launches, ended, t);
}

/* Time that undisturbed parallel runs take after their survey, plus a quarter. `number`: the first
 * run's folder. */
static int64_t span_ns(int number)
{
	struct victim v[AT_ONCE];
	char c = 0;
	for (int k = 0; k < AT_ONCE; k++)
		start(&v[k], number + k);
	let_go(v);
	int64_t from = clock_ns();
	for (int k = 0; k < AT_ONCE; k++) {
		while (read(v[k].done, &c, 1) == 1)
			;
		assert_true(c == 'e' && waitpid(v[k].pid, NULL, 0) == v[k].pid);
		close(v[k].done);
	}
	return (clock_ns() - from) / 4 * 5;
}

/* True if every state was reached. */
static bool all_met(const struct toll *t)
{
	bool met = t->parts > KILLS / 10 && t->whole > 0;
	for (size_t i = 0; i <= LAUNCHES; i++)
		met = met && t->begun[i] > 0;
	return met;
}

static void nothing_is_lost_but_the_launch_under_way(void **state)
{
	(void)state;
	struct toll t = {0};
	struct victim v[AT_ONCE];
	uint64_t rng = 20260101;
	int64_t span = span_ns(MOST_KILLS + KILLS);
	int i = 0;
	/* if the machine's load changes, times change, and a few more kills are needed */
	for (; i < KILLS || (!all_met(&t) && i < MOST_KILLS); i += AT_ONCE) {
		if (i > 0 && i % (KILLS / 4) < AT_ONCE)
			span = span_ns(MOST_KILLS + KILLS + i);
		for (int k = 0; k < AT_ONCE; k++)
			start(&v[k], i + k);
		let_go(v);
		for (int k = 0; k < AT_ONCE; k++)
			v[k].kill_at_ns = clock_ns() + (int64_t)rng_below(&rng, (size_t)span);
		qsort(v, AT_ONCE, sizeof *v, by_time);
		for (int k = 0; k < AT_ONCE; k++)
			kill_one(&v[k], &t);
	}
	print_message("%d kills: %zu before a head, %zu left a part, %zu a record; after", i,
	              t.nothing, t.parts, t.whole);
	for (size_t k = 0; k <= LAUNCHES; k++)
		print_message(" %zu", t.begun[k]);
	print_message(" of 0 to %d launches\n", LAUNCHES);
	assert_true(all_met(&t));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(nothing_is_lost_but_the_launch_under_way),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
