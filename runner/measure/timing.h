/*
 * runner/measure/timing.h - timing an item that is in memory and has passed its check.
 * It waits for full clocks, warms up, takes samples until the stop rule is satisfied,
 * watches the device meanwhile, and judges whether the samples are plausible.
 * docs/measuring.md has the reasons.
 */
#ifndef RUNNER_MEASURE_TIMING_H
#define RUNNER_MEASURE_TIMING_H

#include "runner/measure/bench.h"

/* The samples of one item, in the arena of its bench. */
struct timing {
	struct bench *b;
	struct job *j;
	const struct settings *set;
	int64_t *ns, wall_ns, sum_ns;
	int64_t worst_wall_ns, worst_sum_ns; /* of the group whose wall time exceeds its sum most */
	int64_t load_ns;                     /* of a heavy case's warm-up */
	int64_t warm_ms;                     /* least time of the warm-up */
	double *work;
	size_t n, group; /* samples so far; in a group, at most */
	size_t groups;   /* taken since the warm-up */
};

struct timing timing_of(struct bench *b, struct job *j, const struct settings *set);

/*
 * Times the item. Leaves the device's timing session open, so that exactly what was timed
 * can run again. Returns a device error or 0; *o tells of an implausible result.
 */
int timing_run(struct timing *t, struct run_launch *l, struct outcome *o);

#endif
