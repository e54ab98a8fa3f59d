/*
 * runner/base/program.h - another program, run once from its start to its end, and timed.
 *
 * Its output goes to files, so that nobody who reads it slows it down.
 */
#ifndef RUNNER_BASE_PROGRAM_H
#define RUNNER_BASE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"

/* What a program printed, and how it ended. */
struct program_end {
	int64_t ns; /* from before the fork until the runner saw its end */
	pid_t pid;
	int status; /* as waitpid() has it */
	bool timed_out, interrupted;
	struct str out;    /* what it printed on its standard output, up to `most` bytes */
	bool cut;          /* it printed more */
	const char *first; /* first line on its standard error, "" without one */
};

/*
 * Runs argv (NULL-terminated; the program is looked for in $PATH) with the text `in` as its
 * standard input, at most timeout_s seconds and until stop_fd can be read. Then its process group
 * is killed. False, with an error, only if it could not be started, or if its end or its output
 * could not be read.
 */
MUST_CHECK bool program_run(const char *const *argv, struct str in, int timeout_s, int stop_fd,
                            size_t most, struct arena *a, struct program_end *out, struct err *e);

/* "ok", "exit:1", "signal:11" or "timeout", in the arena. */
const char *program_status(const struct program_end *p, struct arena *a);

#endif
