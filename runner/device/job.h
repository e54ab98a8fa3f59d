/*
 * runner/device/job.h - an item in device memory: its buffer sets with their guards,
 * its scratch, and the state that its variant prepared.
 */
#ifndef RUNNER_DEVICE_JOB_H
#define RUNNER_DEVICE_JOB_H

#include "lib/arena.h"
#include "runner/device/device.h"
#include "runner/plan/footprint.h"

struct job {
	const struct item *it;
	struct device *d;
	struct kernel_buffer buf[KERNEL_MAX_BUFFERS];
	size_t nbuf;
	int gpus; /* that the case uses */
	size_t sets;
	/* [set * gpus + gpu][buffer]; scratch comes last */
	void *(*ptr)[KERNEL_GPU_BUFFERS];
	void **state;    /* [set] */
	size_t prepared; /* sets whose state must be released */
	size_t calls;    /* made so far; the next call uses set calls % sets */
	struct zone *guard;
	size_t nguard;
};

/* A buffer of a set on a GPU; NULL if that GPU does not have it. */
static inline void *job_buffer(const struct job *j, size_t set, int gpu, size_t buffer)
{
	return j->ptr[set * (size_t)j->gpus + (size_t)gpu][buffer];
}

/* Lays out `sets` sets, writes the guards and zeroes scratch. The job lives in the arena. */
int job_place(struct job *j, struct device *d, const struct item *it, size_t sets, struct arena *a);

/* Fills the inputs of a set from a seed: whole, or only the first half of each. */
int job_fill(struct job *j, size_t set, uint64_t seed);
int job_fill_head(struct job *j, size_t set, uint64_t seed);

/* Copies the inputs of set `from` to set `to`, which is cheaper than filling again. */
int job_copy(struct job *j, size_t to, size_t from);

/*
 * Poisons the outputs of one set, or of all sets, and what a prepared variant owns of its
 * result (struct kernel_result).
 */
int job_poison(struct job *j, size_t set);
int job_poison_all(struct job *j);

/* Calls prepare() on every set. Returns NULL, or why the variant is not available. */
const char *job_prepare(struct job *j);
/* What the first set's prepare() uses (kernel_variant.chosen); NULL: nothing was chosen. */
const char *job_chosen(const struct job *j);
/* Calls release() on every prepared set. */
void job_release(struct job *j);

/*
 * Between calls and work on their buffers: waits for all GPUs if nothing else keeps them in
 * order. On one GPU the stream does, and with KERNEL_MEETS the calls do.
 */
int job_settle(struct job *j);

/*
 * Between calls and a look at the outputs of a set: settles, and has a variant that owns its
 * result copy that to the outputs.
 */
int job_collect(struct job *j, size_t set);

/* Enqueues one call on the next set. */
int job_call(struct job *j);

/* Counts the input elements of a set that differ from what job_fill() wrote. */
int job_changed(struct job *j, size_t set, uint64_t seed, size_t *elements);

/* Arranges that the last of the next n calls uses `set`. */
void job_end_on(struct job *j, size_t set, int64_t n);

/* The set that the last call used. Requires at least one call. */
size_t job_last_set(const struct job *j);

#endif
