/*
 * site-gen/numbers/stamps.h - what time stamps from inside a kernel say (lib/trace.h), as numbers
 * of a page. docs/tracing.md says how they are made.
 *
 * A number has the key "trace <run> <case> <what>", so it stays what it is when a newer trace
 * comes. The audit derives it again (audit/stamps.h). <what> is
 *
 *   slowdown            time of a call with marks over that without
 *   span                seconds from the first ring's beginning to the last one's end
 *   blocks, median      blocks of a kernel; number of the median block
 *   EVENT.time          mean seconds of an event in the median block
 *   EVENT.sum           how often it happened in all blocks
 *   EVENT.mean, EVENT.sd, EVENT.least, EVENT.most    the same by SM; EVENT.sms counts these
 *   kernels             that ran one after the other
 *   step, gap, lead, ramp, drain    medians over them, in seconds: from one's beginning to the next
 * one's; from its last block's end to the next one's beginning; that the other way round, where
 * kernels overlap; from its first block's beginning to its last block's; the same of the ends
 */
#ifndef SITE_GEN_NUMBERS_STAMPS_H
#define SITE_GEN_NUMBERS_STAMPS_H

#include "lib/trace.h"
#include "site-gen/numbers/number.h"

struct stamps {
	const struct data_run *file;
	const struct run_trace *t;
	const struct run_case *of;
	struct pick not_of; /* the case as it was measured, if its machine code is another */
};

/* The newest trace of this case, with stamps. False: there is none. */
bool stamps_of(const struct data *d, const struct pick *p, struct stamps *out);

/* The first beginnings and last ends of the kernels of a call, in ns since the first beginning. */
struct stamps_kernel {
	double first_begin, last_begin, first_end, last_end;
};
struct stamps_kernel *stamps_kernels(const struct run_trace *t, size_t *n, struct arena *a);

/* How often an event happened on each SM: sm[i] is its number, times[i] how often. */
size_t stamps_by_sm(const struct run_trace *t, size_t event, struct arena *a, int64_t **sm,
                    double **times);

/* A number by its name. False: there is none of this name, or nothing to take it from. */
bool stamps_value(const struct run_trace *t, struct str what, struct arena *a, double *out);

/*
 * Records the number as a fact of the page and returns its markup, span.num.drawn[data-n]. NULL if
 * there is no such number.
 */
const char *stamps_fact(struct expand_ctx *ctx, const struct stamps *s, const char *what);

#endif
