/*
 * runner/measure.h - one item, in a child process: check it, and if it is
 * right, time it and check it again.
 */
#ifndef RUNNER_MEASURE_H
#define RUNNER_MEASURE_H

#include "runner/check.h"
#include "runner/nvml.h"

enum {
	WARMUP_KEPT = 64, /* warm-up samples stored */
	STATUS_SIZE = 24,
};

/* What came of an item. */
struct outcome {
	char status[STATUS_SIZE]; /* as in struct run_launch */
	char why[240];            /* for people; empty if status is "ok" */
	bool lost;                /* the device is unusable: the process must end */
	int64_t call_ns;          /* survey: rough time of a call */
	double moved;             /* launch: warm_moved() of it */
	char library[160];        /* what kernel_variant.library says; empty: nothing */
	struct verdict before, after;
};

/* kernel_env.kept of a variant. */
struct kept {
	const struct kernel_variant *of;
	void *p;
};

/* What a child carries from item to item. */
struct bench {
	struct device dev;
	const struct plan *plan;
	const struct expected *expected;
	struct nvml *nvml;
	struct watch watch;
	struct arena arena; /* reset for each item */
	struct kept *kept;  /* as many as the plan has items */
	size_t nkept;
	void (*alive)(void *ctx); /* says that this process goes on; NULL: to nobody */
	void *alive_ctx;
	int64_t alive_ns; /* when it was said last */
	/* host time by parts since the last record, and until when it is counted */
	int64_t spent_ns[RUN_PARTS], counted_ns;
};

/* Between two steps of what may take long: this process goes on. Said five times a second at most. */
void measure_alive(struct bench *b);

/* The host's time since it was last counted goes to part `p`. */
void measure_count(struct bench *b, enum run_part p);

/* Is it available, and how long does a call take? `why` says why not. */
void measure_survey(struct bench *b, const struct item *it, struct outcome *o);

/* Correctness only: the calls that the table in measure.c lists, settings.check_calls at most. */
void measure_check(struct bench *b, const struct item *it, struct outcome *o);

/*
 * One call for a profiler to look at, after a first one. All of the output must
 * be written and nothing else; what it should be is not computed, nothing is timed.
 */
void measure_profile(struct bench *b, const struct item *it, struct outcome *o);

/*
 * The whole measurement. Fills l except case, position, pid and time, which
 * the caller knows; arrays live in b->arena until the next item.
 */
void measure_launch(struct bench *b, const struct item *it, struct outcome *o,
                    struct run_launch *l);

#endif
