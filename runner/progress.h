/*
 * runner/progress.h - what a person sees on stderr while long work runs: one
 * line that is rewritten on a terminal, one line a launch anywhere else.
 */
#ifndef RUNNER_PROGRESS_H
#define RUNNER_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
	bool terminal;
	int64_t start_ns;
	size_t done, total; /* items over all launches */
	size_t width;       /* of the line shown */
};

struct progress progress_start(size_t total);

/* About to do item `name`, number `at` of n, in launch i of `launches`. */
void progress_item(struct progress *p, const char *name, size_t at, size_t n, int64_t i,
                   int64_t launches);

/* A launch is over. */
void progress_launch(struct progress *p, int64_t i, int64_t launches);

/* Something to keep on screen. */
void progress_say(struct progress *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
