/*
 * runner/machine/pretend.h - the pretended device, a GPU that does not exist. It lets the
 * whole GPU path of the runner be tried on any machine, even in a build without nvcc: it
 * plans, checks, "measures" and records every CUDA case. It never calls a variant's
 * preload(), prepare(), launch(), library() or release(), but all other functions of
 * families and variants.
 *
 * $RIDGEPOINT_PRETEND is the one switch:
 *
 *     132                     a GPU like an H200, with 132 SMs
 *     84                      a small one: other L2, other memory, other roofs
 *     132x2                   two of them, joined by NVLink; at most KERNEL_MAX_GPUS
 *     132+84                  two that differ, which no case can use together
 *     132:wrong               every variant has the fault "wrong"
 *     132:wrong@reduce/tree   only the variants that the glob matches have it
 *
 * faults[] in pretend.c lists the faults. Records of a pretended device have the schema
 * RECORD_PRETENDED_SCHEMA (lib/record.h), and no site shows them.
 *
 * Its memory is symbolic: a range of addresses that nobody may touch, with a
 * description of the contents of each stretch (runner/device/pretended.c). An output
 * contains "the result of a call on inputs of that seed", and the family's expect()
 * gives its numbers. Where the reference would take long, pretend_expect() stands in
 * for it on both sides of the comparison; that tests the runner, not the family.
 */
#ifndef RUNNER_MACHINE_PRETEND_H
#define RUNNER_MACHINE_PRETEND_H

#include "kernels/kernel.h"
#include "lib/err.h"
#include "lib/str.h"
#include "runner/machine/machine.h"

/* A fault that a variant has on purpose, to test the runner. */
enum pretend_fault {
	PRETEND_RIGHT,
	PRETEND_WRONG,       /* the first output of each buffer is another number */
	PRETEND_UNWRITTEN,   /* the last output of each buffer is not written */
	PRETEND_OUTSIDE,     /* a byte behind each output is written */
	PRETEND_INPUT,       /* the first byte of each input is overwritten */
	PRETEND_STALE,       /* every input gets the answer to the first one */
	PRETEND_ERROR,       /* the call returns a device error */
	PRETEND_CRASH,       /* a signal ends the process */
	PRETEND_HANG,        /* the call never returns */
	PRETEND_SLOW,        /* correct, but each call takes the host 0.3 s */
	PRETEND_IMPOSSIBLE,  /* correct, but faster than the roofs allow */
	PRETEND_HIDDEN,      /* correct, but half of the work escapes the stopwatch */
	PRETEND_INTERRUPTED, /* correct, but the host is away for 30 ms in one group of samples */
	/* the following need several GPUs */
	PRETEND_LATE,   /* a peer's data arrive after the call */
	PRETEND_SILENT, /* a peer never answers, until the deadline */
	PRETEND_APART,  /* right, but a peer has other bits than GPU 0 */
	PRETEND_FAULTS,
};

/* The parsed value of $RIDGEPOINT_PRETEND. */
struct pretence {
	size_t shape; /* for pretend_facts() */
	int gpus;     /* of that shape */
	bool other;   /* the last of them is of another shape */
	enum pretend_fault fault;
	struct str whose; /* a glob over FAMILY/VARIANT */
};

/* True if $RIDGEPOINT_PRETEND asks for a pretended device. */
bool pretend_wanted(void);

/* True if this build can call the variant: it is linked, or its device is pretended. */
bool pretend_calls(const struct kernel_variant *v);

/* Parses the switch. False if it names an unknown shape or fault. */
MUST_CHECK bool pretend_read(const char *text, struct pretence *out, struct err *e);

/* Fills in the facts of the pretended GPUs, of as many as `gpus` of them. */
void pretend_facts(const struct pretence *as, int gpus, struct facts *f);

/* The family's expect(); pretend_value() stands in for it where that would take long. */
void pretend_expect(const struct kernel_family *f, const struct kernel_case *c, uint64_t seed,
                    const size_t *idx, size_t n, double *value, double *magnitude);

/* A number in [-1, 1) that depends on a key and an index only. */
double pretend_value(uint64_t key, size_t i);

/* What a library chooses that tries what is fastest: at random, by a key. */
void pretend_choose(uint64_t key, char choice[KERNEL_CHOICE]);

/* Terms that one case may cost (expected_make()). It is small, since each process computes them. */
enum { PRETEND_TERMS = 1 << 18 };

#endif
