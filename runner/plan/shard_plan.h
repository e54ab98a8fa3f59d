/*
 * runner/plan/shard_plan.h - the plan file, by which several machines share one run.
 * `runner plan` writes it, `runner run --plan` measures one shard of it, and `runner
 * collect` joins the shards. The file is one JSON object and never changes; records
 * refer to it by its SHA-256. docs/cluster.md explains it for users.
 *
 * By launch (the default), shard k of N measures launches k-1, k-1+N, … of all cases,
 * so every shard measures every case. By family, it measures all launches of its
 * families. In both, cases of one family with the same launch number ran in one
 * process, so their times can be compared in pairs.
 */
#ifndef RUNNER_PLAN_SHARD_PLAN_H
#define RUNNER_PLAN_SHARD_PLAN_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/record.h"

#define SHARD_PLAN_SCHEMA "ridgepoint-plan/1.0"

struct shard_plan {
	char sha256[65];
	const char *device; /* "cuda" or "cpu"; no model, since a plan may run on several */
	const char *reason; /* may be NULL */
	bool by_family;
	int64_t shards, launches, seed;
	const char **selector, **id, **null; /* case ids: of all, and of those with null controls */
	size_t nselectors, ncases, nnulls;
};

/* Writes the file; it is an error if it exists. */
MUST_CHECK bool shard_plan_write(const char *path, const struct shard_plan *p, struct err *e);

/* Reads the file into the arena and checks it. */
MUST_CHECK bool shard_plan_read(const char *path, struct arena *a, struct shard_plan *out,
                                struct err *e);

/* True if this shard (from 1) measures this launch; true if it measures the case with this id. */
bool shard_plan_has(const struct shard_plan *p, int64_t shard, int64_t launch);
bool shard_plan_has_case(const struct shard_plan *p, int64_t shard, const char *id);

/* Number of families among the plan's cases. */
size_t shard_plan_families(const struct shard_plan *p);

/* Records of launch i in a run; true if every case that can run has one. */
size_t shard_plan_records(const struct run *r, int64_t i);
bool shard_plan_whole(const struct run *r, int64_t i);

#endif
