/*
 * runner/shard_plan.h - a plan that several machines measure in shards: the
 * file that `runner plan` writes, `runner run --plan` follows and `runner
 * collect` puts together again. One JSON object, written once; its SHA-256 is
 * its name in every record. docs/cluster.md explains it for users.
 *
 * By launch (the default), shard k of N measures launches k-1, k-1+N, … of all
 * cases, so every shard has seen every case. By family, it measures all
 * launches of its families. Either way the cases of a family that share a
 * launch number ran in one process, and pair up.
 */
#ifndef RUNNER_SHARD_PLAN_H
#define RUNNER_SHARD_PLAN_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/record.h"

#define SHARD_PLAN_SCHEMA "ridgepoint-plan/1.0"

enum { SHARD_MAX_LAUNCHES = 1000 };

struct shard_plan {
	char sha256[65];
	const char *device; /* "cuda" or "cpu": not which model, a plan may run on many */
	const char *reason; /* may be NULL */
	bool by_family;
	int64_t shards, launches, seed;
	const char **selector, **id, **null; /* ids of the cases, and of those measured twice */
	size_t nselectors, ncases, nnulls;
};

/* Writes the file; one that is there is an error. */
bool shard_plan_write(const char *path, const struct shard_plan *p, struct err *e);

/* Reads it, into the arena, and says what is wrong with it. */
bool shard_plan_read(const char *path, struct arena *a, struct shard_plan *out, struct err *e);

/* Is launch i of a case in this shard's part? Shards count from 1. */
bool shard_plan_has(const struct shard_plan *p, int64_t shard, int64_t launch);
bool shard_plan_has_case(const struct shard_plan *p, int64_t shard, const char *id);

/* How many families the plan's cases are of. */
size_t shard_plan_families(const struct shard_plan *p);

/* Records of launch i in a run, and whether every case that can run has one. */
size_t shard_launch_records(const struct run *r, int64_t i);
bool shard_launch_whole(const struct run *r, int64_t i);

#endif
