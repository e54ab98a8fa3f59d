/*
 * site-gen/numbers/bottleneck.h - the bottleneck of a case, as far as its record tells.
 *
 * Uses the record alone, and tries these limiters in order:
 *
 *   launch    a call takes less than LIMITER_LAUNCHES times as long as an empty
 *             kernel started in the same way in the same run, so at least half
 *             of the time is launch overhead
 *   memory    the case reaches LIMITER_SHARE % or more of the bandwidth of its
 *             memory level, and a smaller share of its arithmetic peak
 *   compute   the same with the two shares exchanged
 *   latency   neither share reaches LIMITER_SHARE %: no unit that we count is
 *             busy, so the kernel waits
 *
 * The two shares and the 60 % follow the "Speed Of Light" section of NVIDIA
 * Nsight Compute, whose rule calls a kernel below 60 % latency-bound
 * (docs.nvidia.com/nsight-compute). Here the shares are bytes and operations of
 * the cost model over the peaks of the data sheet. A comparison counts only if
 * the 95 % intervals decide it; otherwise the answer is open.
 */
#ifndef SITE_GEN_NUMBERS_BOTTLENECK_H
#define SITE_GEN_NUMBERS_BOTTLENECK_H

#include "site-gen/numbers/number.h"

enum { LIMITER_SHARE = 60, LIMITER_LAUNCHES = 2 };

enum limiter {
	LIMITER_NONE, /* not given, or unknown */
	LIMITER_MEMORY,
	LIMITER_COMPUTE,
	LIMITER_LATENCY,
	LIMITER_LAUNCH,
	LIMITER_COUNT,
};

const char *limiter_name(enum limiter l); /* "memory", …; "" for LIMITER_NONE */
/* The limiter of this name; LIMITER_NONE if there is none. */
enum limiter limiter_find(struct str name);

/* The limiter of a case, with the values that decided it. */
struct limiter_finding {
	enum limiter limiter;          /* LIMITER_NONE: open or unknown */
	const char *why_none;          /* the reason for LIMITER_NONE, one clause */
	bool open;                     /* LIMITER_NONE because the intervals leave it open */
	bool has_memory, has_compute;  /* the shares below are known */
	struct number memory, compute; /* % of a theoretical peak */
	double empty;                  /* time of an empty kernel in s; 0: unknown */
};

struct limiter_finding limiter_of(const struct data *d, const struct pick *p);

#endif
