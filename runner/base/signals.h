/*
 * runner/base/signals.h - SIGINT, SIGTERM and SIGHUP as events on a descriptor, so that
 * the work under way can end in order.
 */
#ifndef RUNNER_BASE_SIGNALS_H
#define RUNNER_BASE_SIGNALS_H

#include <stdbool.h>

#include "lib/err.h"

struct signals {
	int fd;   /* a signalfd; -1: not watching */
	int seen; /* signals counted so far */
};

/* Blocks the signals and watches for them from now on; also ignores SIGPIPE. */
MUST_CHECK bool signals_open(struct signals *s, struct err *e);
void signals_close(struct signals *s);
/* Adds the signals that have arrived to s->seen; does not wait. */
void signals_take(struct signals *s);

#endif
