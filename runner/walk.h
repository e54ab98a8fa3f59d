/*
 * runner/walk.h - processes. A launch is one child process that walks all
 * items in a given order; the parent listens at a pipe. A child that crashes
 * or falls silent (runner/patience.h) costs the item under way: a new child goes on after it.
 * The parent never touches CUDA.
 */
#ifndef RUNNER_WALK_H
#define RUNNER_WALK_H

#include "runner/check.h"
#include "runner/device.h"
#include "runner/measure.h"

/* SIGINT and SIGTERM as readable events. */
struct signals {
	int fd;   /* signalfd; -1: not watched */
	int seen; /* how many so far */
};

bool signals_open(struct signals *s, struct err *e);
void signals_close(struct signals *s);
/* Counts those that came. */
void signals_take(struct signals *s);

/* What a child said of one item. */
struct step {
	size_t at; /* position in the order */
	const struct item *item;
	int64_t pid, t_ms; /* since walk.start_ns */
	struct outcome out;
	const char *line; /* WALK_MEASURE: the launch record; NULL if the child died */
	size_t line_n;
};

enum walk_mode { WALK_SURVEY, WALK_CHECK, WALK_MEASURE };

struct walk {
	enum walk_mode mode;
	struct plan *plan;
	const struct expected *expected; /* not for WALK_SURVEY */
	const size_t *order;
	size_t n; /* length of order */
	int64_t launch, start_ns;
	int64_t expect_ns; /* what `expected` took: told by the first process */
	struct signals *signals;
	/* Called in the parent: before an item, and after it. */
	void (*begin)(void *ctx, const struct walk *w, size_t at);
	void (*done)(void *ctx, const struct walk *w, const struct step *s);
	void *ctx;
};

/*
 * Walks. False: interrupted by a signal (e not set), or no child could open
 * the device (e set). Items after the interruption were not done.
 */
bool walk_run(const struct walk *w, struct err *e);

/*
 * Runs `what(out, ctx)` in a child and copies the n bytes it left at out.
 * False if the child died or took more than timeout_s (runner/patience.h).
 */
bool walk_ask(void (*what)(void *out, const void *ctx), const void *ctx, void *out, size_t n,
              int timeout_s, struct err *e);

#endif
