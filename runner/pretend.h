/*
 * runner/pretend.h - the pretended device: a GPU that is not there. It plans,
 * checks, "measures" and records every CUDA case on any machine, also in a
 * build without nvcc, so that all of the runner's GPU path can be tried. It
 * calls no variant's preload(), prepare(), launch(), library() or release(),
 * and everything else of families and variants.
 *
 * $RIDGEPOINT_PRETEND is the one switch:
 *
 *     132                     a pretended GPU like an H200: 132 multiprocessors
 *     84                      a small one: other L2, other memory, other roofs
 *     132:wrong               and every variant goes wrong in this way,
 *     132:wrong@reduce/tree   or the variants that the glob means
 *
 * pretend_faults[] lists the ways. A record of a pretended device has the
 * schema RECORD_PRETENDED_SCHEMA (lib/record.h): no site shows it.
 *
 * Its memory is symbolic: a range of addresses that nobody may touch, and for
 * each stretch what it holds (device_pretended.c). An output holds "the result
 * of a call on inputs of that seed", and the family's expect() says what that is.
 * Where the reference would take long, pretend_expect() stands in for it, on
 * both sides of the comparison: the runner is tried then, not the family.
 */
#ifndef RUNNER_PRETEND_H
#define RUNNER_PRETEND_H

#include "kernels/kernel.h"
#include "lib/err.h"
#include "lib/str.h"
#include "runner/machine.h"

/* How a variant goes wrong on purpose, for tests of the runner. */
enum pretend_fault {
	PRETEND_RIGHT,
	PRETEND_WRONG,      /* the first output of each buffer is another number */
	PRETEND_UNWRITTEN,  /* the last output of each buffer is not written */
	PRETEND_OUTSIDE,    /* a byte behind each output is written */
	PRETEND_INPUT,      /* the first byte of each input is overwritten */
	PRETEND_STALE,      /* the answer to the first input, whatever the input is */
	PRETEND_ERROR,      /* the call returns an error of the device */
	PRETEND_CRASH,      /* the process ends by a signal */
	PRETEND_HANG,       /* the call never returns */
	PRETEND_SLOW,       /* right, but each call takes the host 0.3 s */
	PRETEND_IMPOSSIBLE, /* right, in less time than the roofs allow */
	PRETEND_FAULTS,
};

extern const char *const pretend_faults[PRETEND_FAULTS]; /* "", "wrong", ... */

/* What $RIDGEPOINT_PRETEND says. */
struct pretence {
	size_t shape; /* for pretend_facts() */
	enum pretend_fault fault;
	struct str whose; /* a glob over FAMILY/VARIANT */
};

/* Is a pretended device asked for? */
bool pretend_wanted(void);

/* Reads the switch. False: it names no shape or no fault. */
bool pretend_read(const char *text, struct pretence *out, struct err *e);

/* The facts of a shape. */
void pretend_facts(size_t shape, struct facts *f);

/* expect() of the family, or what stands in for it where inputs are large. */
void pretend_expect(const struct kernel_family *f, const struct kernel_case *c, uint64_t seed,
                    const size_t *idx, size_t n, double *value, double *magnitude);

/* A number in [-1, 1) made of a key and an index. */
double pretend_value(uint64_t key, size_t i);

/* Terms that one case may cost (expected_make()): every process computes them again. */
enum { PRETEND_TERMS = 1 << 18 };

#endif
