/*
 * runner/shard_run.h - `runner run --plan FILE --shard K`: one part of a plan,
 * into one run file.
 */
#ifndef RUNNER_SHARD_RUN_H
#define RUNNER_SHARD_RUN_H

#include "runner/session.h"

/*
 * Measures the launches of shard `shard` that no earlier file of it in `out`
 * has whole: what an attempt that was killed has measured is not measured
 * again. Returns the exit status.
 */
int shard_run(const char *plan, long shard, const char *out, long timeout_s, struct session *s,
              const struct invocation *inv);

#endif
