/*
 * lib/trace.h - what the stamps of a trace say: times, and which block stands for all.
 *
 * A stamp is a number of cycles since the first reading of its SM's clock. Two readings enclose
 * the call, each with the GPU's timer. Between them the clock is taken to be even:
 *
 *   ns = before_ns + cycles × (after_ns − before_ns) / cycles between the readings
 *
 * A reading is taken when the timer steps, so times of different SMs agree within a few hundredths
 * of a microsecond, however coarse the timer is.
 */
#ifndef LIB_TRACE_H
#define LIB_TRACE_H

#include "lib/record_trace.h"

/* Time in ns of a stamp of this ring, since the earliest reading of a clock. */
double trace_ns(const struct run_trace *t, size_t ring, int64_t cycles);

/* The time at which the first ring begins, and that at which the last one ends. */
double trace_begin(const struct run_trace *t);
double trace_end(const struct run_trace *t);

/*
 * Numbers the kernels of a call that run one after the other: the rings of one block, role and
 * member, in the order of their beginnings, are those of kernel 0, 1, and so on. The array has an
 * entry for each ring, in the arena; *n gets the number of kernels.
 */
size_t *trace_kernels(const struct run_trace *t, size_t *n, struct arena *a);

/*
 * The block in the middle, by the stamps that its rings made in the first kernel, and by its number
 * where these are equal. Needs a ring.
 */
int64_t trace_median_block(const struct run_trace *t, struct arena *a);

enum { TRACE_KEPT = 3 };

/* The blocks whose stamps are kept: the median one, the first and the last. Needs a ring. */
void trace_kept(const struct run_trace *t, struct arena *a, int64_t block[TRACE_KEPT]);

/* The place of an event in t->event; t->nevents if there is none of this name. */
size_t trace_event(const struct run_trace *t, struct str name);

/* An interval of a ring, from a begin to the end of the same event and step; or a moment. */
struct trace_span {
	size_t ring, event;
	int64_t step;
	double from, to; /* ns; of a moment equal */
	bool moment;
};

/*
 * The intervals and moments of a kept ring, by their beginnings, in the arena. A begin without its
 * end is left out, and so is an end without its begin.
 */
struct trace_span *trace_spans(const struct run_trace *t, const struct run_trace_stamps *s,
                               size_t *n, struct arena *a);

/* Time with marks over time without, by medians of single calls; 0 if one was not timed. */
double trace_slowdown(const struct run_trace *t, struct arena *a);

#endif
