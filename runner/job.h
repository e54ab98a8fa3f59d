/*
 * runner/job.h - one item placed in device memory: its buffer sets with
 * guard zones, its private scratch, and what its variant prepared.
 */
#ifndef RUNNER_JOB_H
#define RUNNER_JOB_H

#include "lib/arena.h"
#include "runner/device.h"

struct job {
	const struct item *it;
	struct device *d;
	struct kernel_buffer buf[KERNEL_MAX_BUFFERS];
	size_t nbuf;
	size_t sets;
	void *(*ptr)[KERNEL_MAX_BUFFERS + 1]; /* [set][buffer]; scratch comes last */
	void **state;                         /* [set] */
	size_t prepared;                      /* sets whose state must be released */
	size_t calls;                         /* made so far: the next uses set calls % sets */
	struct zone *guard;
	size_t nguard;
};

/* Bytes of one set's buffers; and with guards, scratch and alignment. */
size_t job_data_bytes(const struct item *it);
size_t job_set_bytes(const struct item *it);

/*
 * Bytes of all of an item's sets, and FAR_BYTES behind them that are one more guard:
 * a kernel that goes wrong by a row or a tile misses the guards of a buffer.
 */
enum { FAR_BYTES = 256 << 10 };
size_t job_bytes(const struct item *it);

/* Lays out `sets` sets, writes the guards, zeroes scratch. Arena-owned. */
int job_place(struct job *j, struct device *d, const struct item *it, size_t sets, struct arena *a);

/* Fills the inputs of a set from its seed; the first half of each alone. */
int job_fill(struct job *j, size_t set, uint64_t seed);
int job_fill_head(struct job *j, size_t set, uint64_t seed);

/* Copies the inputs of set `from` to set `to`: cheaper than filling again. */
int job_copy(struct job *j, size_t to, size_t from);

/* Poisons the outputs of a set; of every set. */
int job_poison(struct job *j, size_t set);
int job_poison_all(struct job *j);

/* prepare() on every set. NULL, or why the variant is not available. */
const char *job_prepare(struct job *j);
void job_release(struct job *j);

/* Enqueues one call on the next set. */
int job_call(struct job *j);

/* Counts the input elements of a set that are not what job_fill() wrote. */
int job_changed(struct job *j, size_t set, uint64_t seed, size_t *elements);

/* Makes `set` the last that the next n calls use. */
void job_end_on(struct job *j, size_t set, int64_t n);

/* The set the last call used; at least one call was made. */
size_t job_last_set(const struct job *j);

#endif
