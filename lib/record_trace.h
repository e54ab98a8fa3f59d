/*
 * lib/record_trace.h - `trace` records: time stamps from inside the kernels of one call, as
 * kernels/trace.cuh makes them. lib/trace.h makes times of them.
 */
#ifndef LIB_RECORD_TRACE_H
#define LIB_RECORD_TRACE_H

#include "lib/record.h"

/* The clock of an SM against the GPU's timer, before and after a traced call. */
struct run_trace_clock {
	int64_t sm;
	int64_t before_ns, after_ns; /* since the earliest reading of any SM */
	int64_t cycles;              /* from the one reading to the other, > 0 */
};

/* What one role of one block did. Cycles count from the first clock reading of its SM. */
struct run_trace_ring {
	int64_t clock;        /* place of its SM in run_trace.clock */
	int64_t block;        /* number of the block in its kernel's grid */
	int64_t role, member; /* role: place in run_trace.role; member: which of several */
	int64_t begin, end;   /* cycles */
	int64_t stamps;       /* made; as many as run_trace.room were kept on the device */
};

/* The stamps of a ring, in the order in which they were made. */
struct run_trace_stamps {
	size_t ring;                   /* place in run_trace.ring */
	int64_t *cycles, *what, *step; /* what: 3 × event + 0 (begin), 1 (end) or 2 (a moment) */
	size_t n;
};

enum { RECORD_TRACE_BEGIN, RECORD_TRACE_END, RECORD_TRACE_MARK, RECORD_TRACE_KINDS };

/* Time stamps from inside the kernels of one call (kernels/trace.cuh). */
struct run_trace {
	const struct run_case *of;
	const char *unavailable; /* why there are none (nothing below is set); else NULL */
	const char *code_sha256; /* machine code with marks, unlike that of the case; or NULL */
	double error;            /* of the call's output, as in struct run_check */
	int64_t looked_at;
	int64_t *plain_ns, *traced_ns; /* single calls, without marks and with them */
	size_t nplain, ntraced;
	int64_t room;    /* stamps that a ring could keep */
	int64_t tick_ns; /* step of the GPU's timer, as the readings of the clocks saw it */
	const char **role, **event; /* names */
	size_t nroles, nevents;
	struct run_trace_clock *clock;
	size_t nclocks;
	struct run_trace_ring *ring;
	size_t nrings;
	int64_t *count; /* [ring * nevents + event]: how often it began, or happened at once */
	size_t ncounts;
	struct run_trace_stamps
	        *kept; /* of the rings of some blocks (trace_kept() in lib/trace.h) */
	size_t nkept;
};

/* One `trace` record; the reader leaves its case to the caller. */
void record_trace_put(struct sb *to, const struct run_trace *t);
MUST_CHECK bool record_trace_read(struct json v, struct arena *a, struct run_trace *t,
                                  struct err *e);

/* The trace of a case; NULL if there is none. */
const struct run_trace *record_trace(const struct run *r, const struct run_case *c);

#endif
