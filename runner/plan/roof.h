/*
 * runner/plan/roof.h - physical upper bounds on results, from the device's own facts:
 * the width and clock of its memory bus, its number of SMs and their clock. A
 * result above a bound shows a fault of the cost model, the stopwatch or the cache
 * flush, and is rejected.
 *
 * No datasheet is needed, since a measuring host has none.
 *
 * To add a unit or a compute capability, add a row to roof.c.
 */
#ifndef RUNNER_PLAN_ROOF_H
#define RUNNER_PLAN_ROOF_H

#include "runner/machine/machine.h"
#include "runner/plan/plan.h"

/*
 * Bytes per second that the memory bus can carry: bits / 8 × clock × 2, since data
 * moves on both edges of the clock (JEDEC JESD238, HBM3). 0: unknown.
 */
double roof_memory(const struct facts *f);

/*
 * Bytes per second that all SMs together can load or store: 128 per clock and SM
 * (32 banks of 4 bytes: CUDA C++ Programming Guide, shared memory). No kernel is
 * faster, whatever the caches hold. 0: unknown.
 */
double roof_caches(const struct facts *f);

/*
 * Bytes per second that NVLink can carry to a GPU, and as many from it: 25 GB/s a lane each
 * way (H100 Tensor Core GPU Architecture, fourth-generation NVLink). 0: unknown.
 */
double roof_link(const struct facts *f);

/* True if the model's bytes pass NVLink: level "nvlink" (kernels/kernel.h). */
bool roof_is_link(const struct kernel_model *m);

/*
 * Operations per second of a cost model's unit ("fp32", "bf16", …). If the model names
 * no unit, the rate of the operation that it counts ("power of two"). 0: unknown.
 */
double roof_operations(const struct facts *f, const struct kernel_model *m);

/*
 * True if a call of the item can take as little as `seconds`. Bytes from memory are
 * compared with the memory bus: all bytes if the caches are cold; if they are hot, those
 * that the last cache level cannot hold from the call before. All bytes are compared
 * with what the SMs can load and store. Bytes over NVLink are compared with its lanes, each
 * direction for itself. 1 % is allowed for errors in clock readings.
 * False: `why` says which bound is exceeded, and by how much.
 *
 * `hz` is the clock that an SM counted meanwhile; 0: it did not. It may be above the driver's
 * maximum: on an H100 with 1980 MHz an SM counted 49.09 million cycles for the same work in
 * 24.79 ms and in 24.25 ms, which is 1980 and 2025 MHz. The higher of the two clocks holds.
 */
bool roof_allows(const struct facts *f, const struct item *it, double seconds, double hz, char *why,
                 size_t n);

#endif
