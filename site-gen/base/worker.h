/*
 * site-gen/base/worker.h - forked workers that share out a list of jobs. Processes,
 * not threads: cmark-gfm is not thread-safe, and a page that costs too much
 * must be able to die alone. Each has its own memory limit, and the parent
 * ends one whose job takes too long.
 *
 * What a worker leaves for the parent and for later workers it allocates from
 * the arena of its slot, in memory that all processes see at one address.
 */
#ifndef SITE_GEN_BASE_WORKER_H
#define SITE_GEN_BASE_WORKER_H

#include "lib/arena.h"
#include "lib/err.h"

enum {
	WORKER_MAX = 64,
	WORKER_MEMORY_MIB = 512, /* beyond what the parent has */
	WORKER_CPU_MS = 5000,    /* per job, unless the work says otherwise */
	WORKER_WALL_MS = 60000,
};

struct worker_pool;

/* Memory for `n` workers and the parent, whose slot is n. */
struct worker_pool *worker_pool_new(int n, struct err *e);
void worker_pool_free(struct worker_pool *p); /* NULL is fine */
int worker_count(const struct worker_pool *p);
struct arena *worker_arena(struct worker_pool *p, int slot);
/* A second one for bulk, so that what everybody looks at stays close together. */
struct arena *worker_bulk(struct worker_pool *p, int slot);

struct worker_work {
	size_t njobs;
	void *(*enter)(void *ctx, int slot); /* in the worker, before its first job */
	void (*job)(void *worker, size_t i); /* in the worker; `worker` is what enter returned */
	/* in the parent: job i was ended, "too expensive to render" or "… crashed" */
	void (*died)(void *ctx, size_t i, const char *why);
	void *ctx;
	int cpu_ms; /* what a job may cost; 0: WORKER_CPU_MS */
};

/*
 * Does all jobs, in order of their number as workers get free. A dead worker
 * is replaced; each job is done or `died` is called for it. False if workers
 * cannot be made: no process, or two in a row that end before they took a job.
 */
bool worker_run(struct worker_pool *p, const struct worker_work *w, struct err *e);

#endif
