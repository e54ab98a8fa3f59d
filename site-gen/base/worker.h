/*
 * site-gen/base/worker.h - forked worker processes that share a list of jobs. They are
 * not threads, because cmark-gfm is not thread-safe and because a page that costs too
 * much must be able to die alone. Each worker has its own memory limit, and the parent
 * ends a worker whose job takes too long.
 *
 * A worker allocates its results from the arena of its slot. All processes, also
 * workers that start later, see that memory at the same address.
 */
#ifndef SITE_GEN_BASE_WORKER_H
#define SITE_GEN_BASE_WORKER_H

#include "lib/arena.h"
#include "lib/err.h"

enum {
	WORKER_MAX = 64,
	WORKER_MEMORY_MIB = 512, /* allowance beyond the parent's memory */
	WORKER_CPU_MS = 5000,    /* per job, unless the work says otherwise */
	WORKER_WALL_MS = 60000,
};

struct worker_pool;

/* Reserves memory for `n` workers and the parent, whose slot is n. */
MUST_CHECK struct worker_pool *worker_pool_new(int n, struct err *e);
void worker_pool_free(struct worker_pool *p); /* NULL is fine */
int worker_count(const struct worker_pool *p);
struct arena *worker_arena(struct worker_pool *p, int slot);

struct worker_work {
	size_t njobs;
	void *(*enter)(void *ctx, int slot); /* in the worker, before its first job */
	void (*job)(void *worker, size_t i); /* in the worker; `worker` is enter's result */
	/* in the parent: job i did not finish; why: "too expensive to render" or "… crashed" */
	void (*died)(void *ctx, size_t i, const char *why);
	void *ctx;
	int cpu_ms; /* limit of a job's CPU time; 0: WORKER_CPU_MS */
};

/*
 * Does all jobs; free workers take them in the order of their numbers. A dead worker
 * is replaced. Each job is either done or reported to `died`. False if no process can
 * be started, or if two workers in a row end before they take a job.
 */
MUST_CHECK bool worker_run(struct worker_pool *p, const struct worker_work *w, struct err *e);

#endif
