/*
 * runner/commands/shard_run.h - `runner run --plan FILE --shard K`: measures one shard of a
 * plan into one run file.
 */
#ifndef RUNNER_COMMANDS_SHARD_RUN_H
#define RUNNER_COMMANDS_SHARD_RUN_H

#include "runner/measure/session.h"

/* A shard of a plan, from 1, and the folders that it writes to. */
struct shard_task {
	const char *plan;
	long shard;
	const char *out;
	const char *choices; /* that shards share (runner/records/choices.h); NULL: out */
	long timeout_s;
};

/*
 * Measures the launches of a shard, except those that an earlier file of this shard in `out`
 * has complete, so that a killed attempt's work is not repeated. Returns the exit status.
 */
int shard_run(const struct shard_task *t, struct session *s, const struct invocation *inv);

#endif
