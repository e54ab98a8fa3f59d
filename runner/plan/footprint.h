/*
 * runner/plan/footprint.h - the device memory that an item needs: its buffers, its scratch,
 * and the guards around them.
 */
#ifndef RUNNER_PLAN_FOOTPRINT_H
#define RUNNER_PLAN_FOOTPRINT_H

#include "runner/plan/plan.h"

enum {
	/*
	 * Guards lie on both sides of every buffer. An input's guards are NaN in every
	 * element type, so that a kernel that reads there gets a NaN in its result. The
	 * guards of outputs and scratch are huge numbers: a copy that runs over the end
	 * of both its operands then changes the bytes in the output's guard.
	 */
	GUARD_BYTES = 1024,
	GUARD_BYTE = 0x7f,
	GUARD_IN_BYTE = 0xff,
	ALIGN_BYTES = 256,
	/*
	 * One more guard lies behind all sets of an item, because a kernel that is off by
	 * a row or a tile writes beyond the guards of a buffer.
	 */
	FAR_BYTES = 256 << 10,
};

/* Bytes of a buffer's elements. */
size_t footprint_buffer(const struct kernel_buffer *b);

/* Bytes of a zone with n bytes of data: guard, aligned data, guard up to the next aligned byte. */
size_t footprint_zone(size_t n);

/* Bytes of one set: its buffers alone; and including guards, scratch and alignment. */
size_t footprint_data(const struct item *it);
size_t footprint_set(const struct item *it);

/* Bytes of all of an item's sets and of the guard behind them. */
size_t footprint_item(const struct item *it);

#endif
