/*
 * runner/base/progress.h - progress messages on stderr during long work. A terminal
 * gets one line that is rewritten; anything else gets one line per process.
 */
#ifndef RUNNER_BASE_PROGRESS_H
#define RUNNER_BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
	bool terminal;
	int64_t start_ns;
	size_t done, total; /* items over all processes */
	size_t width;       /* of the line on the terminal */
};

struct progress progress_start(size_t total);

/* Announces item `name`, number `at` of n, in process i of `launches`. */
void progress_item(struct progress *p, const char *name, size_t at, size_t n, int64_t i,
                   int64_t launches);

/* Process i of `launches` has ended. */
void progress_launch(struct progress *p, int64_t i, int64_t launches);

/* Prints a message that stays on the screen. */
void progress_say(struct progress *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
