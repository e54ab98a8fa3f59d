/*
 * site-gen/build/jobs.h - the jobs of a build's worker processes: load each page, then write it.
 *
 * Each worker, and the parent, has its own list of problems in site->workers. A
 * worker adds its problems to its list; only a template that hits a limit stops the others.
 */
#ifndef SITE_GEN_BUILD_JOBS_H
#define SITE_GEN_BUILD_JOBS_H

#include "lib/err.h"

struct maker;
struct page;
struct problems;
struct site;
struct str;

/*
 * Makes the pool of workers and the memory that they share. Sets options.jobs to the
 * number of workers; below 1, that is one for each processor.
 */
MUST_CHECK bool jobs_start(struct site *s, struct err *e);

/* Loads all pages that are not loaded yet. Fails only if the workers cannot run. */
MUST_CHECK bool jobs_load(struct site *s, struct err *e);

/* Reads the bodies that were left out of kept pages (site/source.h). Fails likewise. */
MUST_CHECK bool jobs_complete(struct site *s, struct err *e);

/*
 * Renders all pages whose output is not reused, writes them unpublished, and audits them if
 * the options ask for it. Fails only if the workers cannot run.
 */
MUST_CHECK bool jobs_write(struct site *s, struct err *e);

/*
 * Renders one page in a worker, and writes nothing; the markup is in shared memory. False: it
 * cannot be made, and jobs_write() says why.
 */
MUST_CHECK bool jobs_render(struct site *s, struct page *p, struct str *html);

/* True if a problem was reported, or a warning where options.werror makes it one. */
bool jobs_failed(const struct site *s);

/* The parent's list of problems. */
struct problems *jobs_problems(struct site *s);

/* A new state for the parent to make pages with; the caller frees its `scratch`. */
struct maker *jobs_parent(struct site *s);

#endif
