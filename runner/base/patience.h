/*
 * runner/base/patience.h - a limit on a child process's silence. Time during which the child was
 * ready to run but waited for a CPU does not count, so a busy machine kills nothing.
 */
#ifndef RUNNER_BASE_PATIENCE_H
#define RUNNER_BASE_PATIENCE_H

#include <stdint.h>
#include <sys/types.h>

struct patience {
	pid_t pid;
	int64_t limit_ns, since_ns, waited_ns;
};

/* Starts the limit. Call it again after each message from the process. */
void patience_begin(struct patience *p, pid_t pid, int64_t limit_ns);

/*
 * The time left in ms, as a timeout for poll(): 0 once the process has been silent for too long.
 * At most one second: poll again after that.
 */
int patience_poll_ms(const struct patience *p);

#endif
