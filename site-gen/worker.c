#include "site-gen/worker.h"

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

/* Reserved, not used: memory is taken page by page as it is written. */
static const size_t slot_bytes = (size_t)4 << 30;

enum { POLL_MS = 20, AHEAD_BYTES = 2 << 20 };

/* What the parent and a worker share. `job` is its number + 1; 0: none. */
struct slot {
	struct arena arena, bulk;
	_Atomic size_t job;
};

struct worker_pool {
	int n;
	_Atomic size_t next;
	size_t mapped;
	struct slot slot[WORKER_MAX + 1];
};

/* What the parent alone knows of a worker. */
struct watch {
	pid_t pid; /* 0: none */
	size_t job;
	int64_t cpu_ms, wall_ms; /* when the parent first saw that job */
	bool ended;              /* by the parent, for its cost */
};

struct worker_pool *worker_pool_new(int n, struct err *e)
{
	if (n < 1)
		n = 1;
	if (n > WORKER_MAX)
		n = WORKER_MAX;
	size_t head = (sizeof(struct worker_pool) + 4095) & ~(size_t)4095;
	size_t size = head + 2 * slot_bytes * (size_t)(n + 1);
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
	for (int i = 0; i <= n; i++, mem += 2 * slot_bytes) {
		p->slot[i].arena = arena_over(mem, slot_bytes);
		p->slot[i].bulk = arena_over(mem + slot_bytes, slot_bytes);
	}
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

struct arena *worker_bulk(struct worker_pool *p, int slot)
{
	return &p->slot[slot].bulk;
}

/* --- in the worker ----------------------------------------------------------- */

/* The address space in use now plus the allowance: shared reservations count, too. */
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

/* Takes memory for results many pages at a time: a fault for each page costs more. */
static char *get_ahead(const struct arena *a, char *ready)
{
	if (ready - a->p > AHEAD_BYTES / 2 || a->end - ready < AHEAD_BYTES)
		return ready;
	if (ready < a->p) /* a large result went past it */
		ready += (a->p - ready) / 4096 * 4096;
	madvise(ready, AHEAD_BYTES, MADV_POPULATE_WRITE); /* if it cannot, faults will do */
	return ready + AHEAD_BYTES;
}

static _Noreturn void work(struct worker_pool *p, const struct worker_work *w, int i,
                           const sigset_t *signals, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* it died before it could be told */
		_exit(1);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	sigprocmask(SIG_SETMASK, signals, NULL);
	limit_memory();
	void *worker = w->enter(w->ctx, i);
	char *ready = p->slot[i].bulk.end - slot_bytes;
	for (size_t job; (job = atomic_fetch_add(&p->next, 1)) < w->njobs;) {
		atomic_store(&p->slot[i].job, job + 1);
		ready = get_ahead(&p->slot[i].bulk, ready);
		w->job(worker, job);
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

static bool start(struct worker_pool *p, const struct worker_work *w, struct watch *watch, int i,
                  const sigset_t *signals, struct err *e)
{
	fflush(NULL);
	pid_t parent = getpid(), pid = fork();
	if (pid == 0)
		work(p, w, i, signals, parent);
	if (pid < 0)
		return err_sys(e, "cannot start a worker");
	watch[i] = (struct watch){.pid = pid};
	return true;
}

/* Ends a worker whose job has cost too much since the parent first saw it. */
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
 * A worker that is out of memory aborts (lib/arena.h); one that the parent or
 * the kernel killed cost too much as well.
 */
static void report(struct worker_pool *p, const struct worker_work *w, struct watch *x, int i,
                   int status)
{
	size_t job = atomic_exchange(&p->slot[i].job, 0);
	if (job == 0)
		return;
	int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	char why[64] = "too expensive to render";
	if (!x->ended && sig != SIGABRT && sig != SIGKILL)
		snprintf(why, sizeof why, "the renderer crashed (%s %d)", sig ? "signal" : "exit",
		         sig ? sig : WEXITSTATUS(status));
	w->died(w->ctx, job - 1, why);
}

static bool all_taken(struct worker_pool *p, const struct worker_work *w)
{
	return atomic_load(&p->next) >= w->njobs;
}

/* Reaps and replaces dead workers, watches the others, until none is left. */
static bool watch_all(struct worker_pool *p, const struct worker_work *w, struct watch *watch,
                      const sigset_t *signals, struct err *e)
{
	sigset_t child;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	bool ok = true;
	for (int alive = 1; alive;) {
		alive = 0;
		for (int i = 0; i < p->n; i++) {
			int status;
			if (!watch[i].pid)
				continue;
			pid_t got = waitpid(watch[i].pid, &status, WNOHANG);
			if (got == watch[i].pid) {
				watch[i].pid = 0;
				report(p, w, &watch[i], i, status);
				if (status != 0 && !all_taken(p, w) && ok)
					ok = start(p, w, watch, i, signals, e);
			}
			if (watch[i].pid) {
				alive++;
				check_cost(p, w, watch, i);
			}
		}
		if (alive)
			sigtimedwait(&child, NULL, &(struct timespec){0, POLL_MS * 1000000});
	}
	return ok;
}

bool worker_run(struct worker_pool *p, const struct worker_work *w, struct err *e)
{
	struct watch watch[WORKER_MAX] = {{0}};
	sigset_t child, signals;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &signals);
	atomic_store(&p->next, 0);
	bool ok = true;
	for (int i = 0; i < p->n && ok && (i == 0 || (size_t)i < w->njobs); i++)
		ok = start(p, w, watch, i, &signals, e);
	if (!watch_all(p, w, watch, &signals, e))
		ok = false;
	sigprocmask(SIG_SETMASK, &signals, NULL);
	return ok;
}
