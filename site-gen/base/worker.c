#include "site-gen/base/worker.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Reserved address space: a page of memory is used only when it is written. */
static const size_t slot_bytes = (size_t)4 << 30;

enum { POLL_MS = 20 };

/* Shared by the parent and a worker. `job` is the job's number + 1; 0: none. */
struct slot {
	struct arena arena;
	_Atomic size_t job;
};

struct worker_pool {
	int n;
	_Atomic size_t next;
	_Atomic bool *done; /* for each job: a worker finished it */
	size_t mapped;
	struct slot slot[WORKER_MAX + 1];
};

/* The parent's private state of a worker. */
struct watch {
	pid_t pid; /* 0: none */
	size_t job;
	int64_t cpu_ms, wall_ms; /* when the parent first saw that job */
	bool ended;              /* the parent killed it because of its cost */
};

struct worker_pool *worker_pool_new(int n, struct err *e)
{
	if (n < 1)
		n = 1;
	if (n > WORKER_MAX)
		n = WORKER_MAX;
	size_t head = (sizeof(struct worker_pool) + 4095) & ~(size_t)4095;
	size_t size = head + slot_bytes * (size_t)(n + 1);
	char *mem = mmap(NULL, size, PROT_READ | PROT_WRITE,
	                 MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (mem == MAP_FAILED) {
		err_sys(e, "cannot reserve memory for %d workers", n);
		return NULL;
	}
	struct worker_pool *p = (struct worker_pool *)mem;
	p->n = n;
	p->mapped = size;
	mem += head;
	for (int i = 0; i <= n; i++, mem += slot_bytes)
		p->slot[i].arena = arena_over(mem, slot_bytes);
	return p;
}

void worker_pool_free(struct worker_pool *p)
{
	if (p)
		munmap(p, p->mapped);
}

int worker_count(const struct worker_pool *p)
{
	return p->n;
}

struct arena *worker_arena(struct worker_pool *p, int slot)
{
	return &p->slot[slot].arena;
}

/* --- in the worker ----------------------------------------------------------- */

/* Limits the address space to its present size plus the allowance; shared reservations count, too.
 */
static void limit_memory(void)
{
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "re");
	if (!f)
		return;
	if (fscanf(f, "%lu", &pages) == 1) {
		rlim_t max = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) +
		             ((rlim_t)WORKER_MEMORY_MIB << 20);
		setrlimit(RLIMIT_AS, &(struct rlimit){max, max});
	}
	fclose(f);
}

static _Noreturn void work(struct worker_pool *p, const struct worker_work *w, int i,
                           const sigset_t *signals, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* the parent died before the death signal was set */
		_exit(1);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	sigprocmask(SIG_SETMASK, signals, NULL);
#ifndef __SANITIZE_ADDRESS__      /* the sanitizer's own report says more */
	signal(SIGSEGV, SIG_DFL); /* the parent reports the page */
	signal(SIGBUS, SIG_DFL);
#endif
	limit_memory();
	void *worker = w->enter(w->ctx, i);
	for (size_t job; (job = atomic_fetch_add(&p->next, 1)) < w->njobs;) {
		atomic_store(&p->slot[i].job, job + 1);
		w->job(worker, job);
		atomic_store(&p->done[job], true);
		atomic_store(&p->slot[i].job, 0);
	}
	_exit(0);
}

/* --- in the parent ----------------------------------------------------------- */

static int64_t clock_ms(clockid_t id)
{
	struct timespec t;
	if (clock_gettime(id, &t) != 0)
		return 0;
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int64_t cpu_ms(pid_t pid)
{
	clockid_t id;
	return clock_getcpuclockid(pid, &id) == 0 ? clock_ms(id) : 0;
}

/* The parent's state during one worker_run. */
struct shift {
	struct worker_pool *p;
	const struct worker_work *w;
	struct watch watch[WORKER_MAX];
	sigset_t signals; /* the mask to restore */
	int idle_ends;    /* number of workers in a row that ended without a job */
};

static bool start(struct shift *t, int i, struct err *e)
{
	fflush(NULL);
	pid_t parent = getpid(), pid = fork();
	if (pid == 0)
		work(t->p, t->w, i, &t->signals, parent);
	if (pid < 0)
		return err_sys(e, "cannot start a worker");
	t->watch[i] = (struct watch){.pid = pid};
	return true;
}

/* Kills a worker whose job has cost too much since the parent first saw it. */
static void check_cost(struct worker_pool *p, const struct worker_work *w, struct watch *watch,
                       int i)
{
	struct watch *x = &watch[i];
	size_t job = atomic_load(&p->slot[i].job);
	int64_t cpu = cpu_ms(x->pid), wall = clock_ms(CLOCK_MONOTONIC);
	if (job != x->job || job == 0) {
		x->job = job;
		x->cpu_ms = cpu;
		x->wall_ms = wall;
	} else if (cpu - x->cpu_ms > (w->cpu_ms ? w->cpu_ms : WORKER_CPU_MS) ||
	           wall - x->wall_ms > WORKER_WALL_MS) {
		x->ended = true;
		kill(x->pid, SIGKILL);
	}
}

/*
 * Reports the job of a dead worker; false if it had none. A worker that runs out of
 * memory aborts (lib/arena.h), so that, too, means that the job cost too much, as
 * does a kill by the parent or the kernel.
 */
static bool report(struct worker_pool *p, const struct worker_work *w, struct watch *x, int i,
                   int status)
{
	size_t job = atomic_exchange(&p->slot[i].job, 0);
	if (job == 0)
		return false;
	int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	char why[64] = "too expensive to render";
	if (!x->ended && sig != SIGABRT && sig != SIGKILL)
		snprintf(why, sizeof why, "the renderer crashed (%s %d)", sig ? "signal" : "exit",
		         sig ? sig : WEXITSTATUS(status));
	atomic_store(&p->done[job - 1], true);
	w->died(w->ctx, job - 1, why);
	return true;
}

/* Reports jobs that nobody finished: their workers died between taking and announcing them. */
static void report_lost(struct worker_pool *p, const struct worker_work *w)
{
	for (size_t i = 0; i < w->njobs; i++)
		if (!atomic_load(&p->done[i]))
			w->died(w->ctx, i, "the renderer was killed");
}

static bool all_taken(struct worker_pool *p, const struct worker_work *w)
{
	return atomic_load(&p->next) >= w->njobs;
}

/* Replaces a worker that died early, unless workers keep dying before they take a job. */
static void replace(struct shift *t, int i, int status, struct err *e)
{
	enum { MOST_IDLE_ENDS = 2 };
	t->watch[i].pid = 0;
	bool had_job = report(t->p, t->w, &t->watch[i], i, status);
	if (all_taken(t->p, t->w) || e->set)
		return;
	t->idle_ends = had_job ? 0 : t->idle_ends + 1;
	if (t->idle_ends < MOST_IDLE_ENDS)
		start(t, i, e);
	else
		err_set(e, "workers end before they start to work (%s %d); is there enough memory?",
		        WIFSIGNALED(status) ? "signal" : "exit",
		        WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

/* False if the worker has ended; then it has been replaced if necessary. */
static bool is_alive(struct shift *t, int i, struct err *e)
{
	int status;
	pid_t got = waitpid(t->watch[i].pid, &status, WNOHANG);
	if (got == 0)
		return true;
	if (got < 0) { /* another part of the program reaped it, so its status is unknown */
		err_sys(e, "cannot wait for a worker");
		t->watch[i].pid = 0;
	} else {
		replace(t, i, status, e);
	}
	return t->watch[i].pid != 0;
}

/* Reaps and replaces dead workers and watches the others until none is left. */
static void watch_all(struct shift *t, struct err *e)
{
	sigset_t child;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	for (int alive = 1; alive;) {
		alive = 0;
		for (int i = 0; i < t->p->n; i++) {
			if (t->watch[i].pid && is_alive(t, i, e)) {
				alive++;
				check_cost(t->p, t->w, t->watch, i);
			}
		}
		if (alive)
			sigtimedwait(&child, NULL, &(struct timespec){0, POLL_MS * 1000000});
	}
}

static bool run_shift(struct shift *t, struct err *e)
{
	struct worker_pool *p = t->p;
	sigset_t child;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &t->signals);
	atomic_store(&p->next, 0);
	bool ok = true;
	for (int i = 0; i < p->n && ok && (i == 0 || (size_t)i < t->w->njobs); i++)
		ok = start(t, i, e);
	watch_all(t, e);
	sigprocmask(SIG_SETMASK, &t->signals, NULL);
	return !e->set;
}

bool worker_run(struct worker_pool *p, const struct worker_work *w, struct err *e)
{
	struct shift t = {.p = p, .w = w};
	struct err why = ERR_NONE;
	size_t size = (w->njobs + 1) * sizeof *p->done;
	void *done = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (done == MAP_FAILED)
		return err_sys(e, "cannot reserve memory for the workers");
	p->done = done;
	bool ok = run_shift(&t, &why);
	if (ok)
		report_lost(p, w);
	p->done = NULL;
	munmap(done, size);
	return ok || err_set(e, "%s", why.text);
}
