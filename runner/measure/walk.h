/*
 * runner/measure/walk.h - the child processes that measure, and how a run survives the crash
 * of one. A launch is one child process that walks over all items in a given order and
 * reports to its parent through a pipe. If
 * the child crashes or falls silent (runner/base/patience.h), the item under way has
 * failed, and a new child continues after it. The parent never starts CUDA.
 */
#ifndef RUNNER_MEASURE_WALK_H
#define RUNNER_MEASURE_WALK_H

#include "lib/err.h"
#include "runner/base/signals.h"
#include "runner/measure/measure.h"

/* A child's report of one item. */
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
	int64_t expect_ns; /* time to compute `expected`, recorded by the first process */
	struct signals *signals;
	/* called in the parent before and after each item */
	void (*begin)(void *ctx, const struct walk *w, size_t at);
	void (*done)(void *ctx, const struct walk *w, const struct step *s);
	void *ctx;
};

/*
 * Walks over the items. False if a signal interrupted it (e is not set; the remaining items
 * were not done), or if no child could open the device (e is set).
 */
MUST_CHECK bool walk_run(const struct walk *w, struct err *e);

#endif
