/*
 * site-gen/numbers/bottleneck.h - what held a case back, as far as its record tells.
 *
 * From the record alone, in this order:
 *
 *   launch    a call takes less than LIMITER_LAUNCHES times what an empty
 *             kernel takes in the same run, started in the same way: at least
 *             half of the time is the launch
 *   memory    the share of the bandwidth of its level of memory is
 *             LIMITER_SHARE % or more, and more than that of its arithmetic
 *   compute   the same the other way round
 *   latency   neither share comes to LIMITER_SHARE %: nothing that can be
 *             counted is busy, so something is waited for
 *
 * The two shares and the 60 % are those of the "Speed Of Light" section of
 * NVIDIA Nsight Compute, whose rule calls a kernel latency-bound below it
 * (docs.nvidia.com/nsight-compute); here they are of bytes and operations of
 * the cost model, over the peaks of the data sheet. Each comparison holds only
 * if the 95 % intervals say so; otherwise the answer is open.
 */
#ifndef SITE_GEN_NUMBERS_BOTTLENECK_H
#define SITE_GEN_NUMBERS_BOTTLENECK_H

#include "site-gen/numbers/number.h"

enum { LIMITER_SHARE = 60, LIMITER_LAUNCHES = 2 };

enum limiter {
	LIMITER_NONE, /* not said, or not to be told */
	LIMITER_MEMORY,
	LIMITER_COMPUTE,
	LIMITER_LATENCY,
	LIMITER_LAUNCH,
	LIMITER_COUNT,
};

const char *limiter_name(enum limiter l); /* "memory", …; of LIMITER_NONE: "" */
/* LIMITER_NONE: no such word. */
enum limiter limiter_find(struct str name);

/* What was found, with what it was found from. */
struct limiter_finding {
	enum limiter limiter;          /* NONE: open, or not to be told */
	const char *why_none;          /* then: one clause */
	bool open;                     /* the intervals leave it open; else it cannot be told */
	bool has_memory, has_compute;  /* the shares below are known */
	struct number memory, compute; /* % of a theoretical peak */
	double empty;                  /* s of an empty kernel; 0: not known */
};

struct limiter_finding limiter_of(const struct data *d, const struct pick *p);

#endif
