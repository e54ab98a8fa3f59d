/*
 * runner/timing.h - how a placed item that has passed its check is timed:
 * waits for full clocks, warms up, takes samples until the stop rule is content
 * while the device is watched, and judges whether they can be true.
 * docs/measuring.md has the reasons.
 */
#ifndef RUNNER_TIMING_H
#define RUNNER_TIMING_H

#include "runner/measure.h"

/* The samples of one item, in the arena of its bench. */
struct timing {
	struct bench *b;
	struct job *j;
	const struct settings *set;
	int64_t *ns, wall_ns, sum_ns;
	double *work;
	size_t n, group;
};

struct timing timing_of(struct bench *b, struct job *j, const struct settings *set);

/*
 * Leaves the device's session open, so that what was timed can be called again.
 * Returns a device error or 0; a result that cannot be is told in *o.
 */
int timing_run(struct timing *t, struct run_launch *l, struct outcome *o);

#endif
