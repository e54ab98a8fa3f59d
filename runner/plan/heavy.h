/*
 * runner/plan/heavy.h - heavy cases: those that the GPU's power limit reaches. A large product on
 * tensor cores draws more power than the GPU may, so the limiter lowers its clock. It allows such a
 * case a budget first, some 25 ms of load at nearly the full clock. A tenth of a second of idleness
 * restores the budget. So the burst of a heavy case is a pause, a short warm-up, and all samples
 * within the budget (runner/measure/timing.c). docs/measuring.md has the reasons and the figures.
 */
#ifndef RUNNER_PLAN_HEAVY_H
#define RUNNER_PLAN_HEAVY_H

#include "runner/plan/plan.h"

enum {
	HEAVY_CALL_NS = 100000,      /* shorter calls are timed in graphs, as ever */
	HEAVY_BURST_NS = 2000000,    /* a longer call has no burst: too few fit into the budget */
	HEAVY_WARM_UP_CALLS = 1 + 3, /* the first after a pause is 12 % slow; then a warm-up */
};

/*
 * True if a surveyed item is heavy: a tensor unit of a CUDA device does the operations of its cost
 * model, a call takes HEAVY_CALL_NS or more, and it reaches a quarter of the unit's roof. Where the
 * roof is unknown, the unit and the time decide.
 */
bool heavy_is(const struct facts *f, const struct item *it);

/* True if the item is timed in the burst of a heavy case, not for its load or its host's part. */
bool heavy_bursts(const struct item *it);

/* Why a heavy item has no burst, in the arena; NULL if it has one. */
const char *heavy_refuses(const struct item *it, struct arena *a);

/*
 * Calls per sample of a heavy burst: about a millisecond of them, but so few that the warm-up and
 * settings_default.min_samples samples fit into settings_default.burst_ms.
 */
int64_t heavy_batch(int64_t call_ns);

#endif
