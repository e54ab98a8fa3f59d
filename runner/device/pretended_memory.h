/*
 * runner/device/pretended_memory.h - a description of the pretended device's memory: the contents
 * of each stretch of addresses. There are no bytes at the addresses themselves.
 */
#ifndef RUNNER_DEVICE_PRETENDED_MEMORY_H
#define RUNNER_DEVICE_PRETENDED_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/kernel.h"
#include "runner/device/device.h"
#include "runner/device/exact.h"

enum contents_kind {
	CONTENTS_NOTHING, /* unknown bytes */
	CONTENTS_BYTE,    /* one byte, repeated */
	CONTENTS_INPUT,   /* part of the input that fill() wrote at `base` */
	CONTENTS_RESULT,  /* part of an output that a call wrote */
};

/* The inputs of the call that wrote a result. */
enum contents_of {
	CONTENTS_OF_SEED,    /* all inputs come from `seed`: expect() knows the result */
	CONTENTS_OF_MIX,     /* parts come from several seeds; `seed` is derived from them */
	CONTENTS_OF_GARBAGE, /* some part was not written by fill() */
};

struct contents {
	enum contents_kind kind;
	int byte;
	uint64_t seed;
	/* for CONTENTS_INPUT; a result uses `base`, too */
	uintptr_t base;
	enum kernel_dtype dtype;
	enum kernel_draw draw;
	int64_t range;
	unsigned buffer;
	/* for CONTENTS_RESULT */
	enum contents_of of;
	bool wrong;
	bool apart; /* in other bits than on GPU 0 */
	const struct kernel_family *family;
	const struct kernel_case *kcase;
	size_t number; /* of the output element at `base`, counted over all outputs */
};

/* Addresses with the same contents, from `from` up to the next stretch. */
struct stretch {
	uintptr_t from;
	struct contents is;
};

/* Stretches in ascending order; the last one marks the end of the memory. */
struct pretended_memory {
	struct stretch *s;
	size_t n, room;
};

/* The caller may free m->s; a device keeps it until its process ends. */
void pretended_memory_open(struct pretended_memory *m, uintptr_t from, size_t bytes);

/* Sets the contents of [p, p + n). */
void pretended_memory_hold(struct pretended_memory *m, const void *p, size_t n, struct contents is);

/* Sets the guards of a new layout, in ascending order, and forgets all other contents. */
void pretended_memory_lay_out(struct pretended_memory *m, const struct zone *guard, size_t n);

/* Copies the contents of [from, from + n) to [to, to + n), which may not overlap. */
void pretended_memory_copy(struct pretended_memory *m, const void *to, const void *from, size_t n);

/* Number of bytes in [p, p + n) whose contents are not as `is` demands. */
size_t pretended_memory_other(const struct pretended_memory *m, const void *p, size_t n,
                              bool (*is)(const struct contents *h, const struct contents *want),
                              const struct contents *want);

/* For pretended_memory_other(): this byte everywhere; the input that *want describes. */
bool pretended_memory_is_byte(const struct contents *h, const struct contents *want);
bool pretended_memory_is_input(const struct contents *h, const struct contents *want);

/* The stretch that contains `p`, as an index into m->s. */
size_t pretended_memory_find(const struct pretended_memory *m, uintptr_t p);

/* A hash of the result that begins at `at`, equal for equal bits. */
uint64_t pretended_memory_digest(const struct pretended_memory *m, const void *at);

/*
 * Which outputs of a product are not the result of one call on the inputs that are there now.
 * buf[] has the addresses of the case's buffers.
 */
struct exact_found pretended_memory_product(const struct pretended_memory *m,
                                            const struct exact_product *x, void *const *buf);

#endif
