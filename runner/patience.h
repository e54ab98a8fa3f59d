/*
 * runner/patience.h - how long a process may say nothing. Only time that it had counts: while
 * it waits for a processor, since the machine is busy with something else, no time passes.
 */
#ifndef RUNNER_PATIENCE_H
#define RUNNER_PATIENCE_H

#include <stdint.h>
#include <sys/types.h>

struct patience {
	pid_t pid;
	int64_t limit_ns, since_ns, waited_ns;
};

/* Begins: with each word of the process anew. */
void patience_begin(struct patience *p, pid_t pid, int64_t limit_ns);

/* What is left of it, ns; 0 or less: it has been silent for too long. */
int64_t patience_left(const struct patience *p);

/* The same in ms for poll(), at most a second: then it is to be asked again. */
int patience_poll_ms(const struct patience *p);

#endif
