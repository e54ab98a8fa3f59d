/*
 * runner/measure/bench.h - the state that a child process keeps from item to item, and the
 * outcome of an item.
 */
#ifndef RUNNER_MEASURE_BENCH_H
#define RUNNER_MEASURE_BENCH_H

#include "runner/machine/nvml.h"
#include "runner/measure/check.h"

enum {
	WARMUP_KEPT = 64, /* warm-up samples stored */
	STATUS_SIZE = 24,
};

/* The outcome of an item. */
struct outcome {
	char status[STATUS_SIZE];   /* as in struct run_launch */
	char why[240];              /* for people; empty if status is "ok" */
	bool lost;                  /* the device is unusable: the process must end */
	int64_t call_ns;            /* from a survey: rough time of a call */
	double moved;               /* from a launch: warm_moved() */
	char library[160];          /* from kernel_variant.library(); empty: none */
	char choice[KERNEL_CHOICE]; /* from kernel_variant.chosen(); empty: none */
	uint64_t digest;            /* from a check: check_digest() of the first call */
	bool captured;              /* from a survey of several GPUs: graphs of the call work */
	struct verdict before, after;
};

/* A variant's kernel_env.kept. */
struct kept {
	const struct kernel_variant *of;
	void *p;
};

/* The state that a child process keeps from item to item. */
struct bench {
	struct device dev;
	const struct plan *plan;
	const struct expected *expected;
	struct nvml *nvml;
	struct watch watch;
	int64_t heavy_ns;   /* when the last heavy case with load=steady ended; 0: none so far */
	struct arena arena; /* reset for each item */
	struct kept *kept;  /* as many as the plan has items */
	size_t nkept;
	void (*alive)(void *ctx); /* tells the parent that this process is alive; may be NULL */
	void *alive_ctx;
	int64_t alive_ns; /* time of the last such message */
	/* host time by parts since the last record, and the time up to which it is counted */
	int64_t spent_ns[RUN_PARTS], counted_ns;
};

/* Call between steps of long work: tells the parent that this process is alive, at most 5 Hz. */
void bench_alive(struct bench *b);

/* Counts the host's time since the last call as spent on part `p`. */
void bench_count(struct bench *b, enum run_part p);

#endif
