/*
 * runner/held.h - what a pretended device's memory holds: a step function over
 * addresses. Nothing lies at the addresses themselves.
 */
#ifndef RUNNER_HELD_H
#define RUNNER_HELD_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/kernel.h"
#include "runner/device.h"

enum held_kind {
	HELD_NOTHING, /* whatever was there before */
	HELD_BYTE,    /* the same byte throughout */
	HELD_INPUT,   /* what fill() puts at `base` */
	HELD_RESULT,  /* what a call puts there */
};

/* On what inputs a call was made. */
enum held_of {
	HELD_OF_SEED,    /* on those of `seed`, whole: expect() knows the result */
	HELD_OF_MIX,     /* on those of several seeds, of which `seed` is made */
	HELD_OF_GARBAGE, /* on what no fill() put there */
};

struct held {
	enum held_kind kind;
	int byte;
	uint64_t seed;
	/* HELD_INPUT */
	uintptr_t base;
	enum kernel_dtype dtype;
	enum kernel_draw draw;
	int64_t range;
	unsigned buffer;
	/* HELD_RESULT */
	enum held_of of;
	bool wrong;
	const struct kernel_family *family;
	const struct kernel_case *kcase;
	size_t number; /* of the output at `base` */
};

/* From `from` on to the next one's. */
struct stretch {
	uintptr_t from;
	struct held is;
};

/* Ascending; the last one is the end of the memory. */
struct memory {
	struct stretch *s;
	size_t n, room;
};

void memory_open(struct memory *m, uintptr_t from, size_t bytes);
void memory_free(struct memory *m);

/* Now [p, p + n) holds this. */
void memory_hold(struct memory *m, const void *p, size_t n, struct held is);

/* The guards of a new layout, ascending: what was there and between them is forgotten. */
void memory_lay_out(struct memory *m, const struct zone *guard, size_t n);

/* [to, to + n) holds what [from, from + n) does; the two do not overlap. */
void memory_copy(struct memory *m, const void *to, const void *from, size_t n);

/* The stretch that `p` lies in: an index into m->s. */
size_t memory_find(const struct memory *m, uintptr_t p);

#endif
