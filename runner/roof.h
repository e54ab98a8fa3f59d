/*
 * runner/roof.h - what no measurement can exceed, from what the device says of
 * itself: the width and clock of its memory bus, its multiprocessors and their
 * highest clock. A result above it is a fault of the model, the stopwatch or
 * the flush, and no result.
 *
 * Datasheets are not asked: a host that measures has none.
 *
 * How to add a unit or a compute capability: a row in roof.c.
 */
#ifndef RUNNER_ROOF_H
#define RUNNER_ROOF_H

#include "runner/machine.h"
#include "runner/plan.h"

/*
 * Bytes per second that the memory's bus can carry: bits / 8 × clock × 2, as
 * data moves on both edges of the clock (JEDEC JESD238, HBM3). 0: not known.
 */
double roof_memory(const struct facts *f);

/*
 * Bytes per second that all multiprocessors together can load or store: 128 a
 * clock each (32 banks of 4 bytes: CUDA C++ Programming Guide, shared memory).
 * No kernel is faster whatever the cache holds. 0: not known.
 */
double roof_caches(const struct facts *f);

/*
 * Operations per second of the unit of a cost model ("fp32", "bf16", …), or of what it
 * counts where it has none ("power of two"); 0: not known.
 */
double roof_operations(const struct facts *f, const struct kernel_model *m);

/*
 * Can a call of the item take only `seconds`? What comes from memory is held
 * against its bus: all of it if it is cold, and if it is hot what the last cache
 * cannot have kept from the call before. All is held against what the
 * multiprocessors take in; 1 % is forgiven for readings of clocks. False: `why`
 * says what is exceeded, by what.
 */
bool roof_allows(const struct facts *f, const struct item *it, double seconds, char *why, size_t n);

#endif
