/*
 * quantize/ahead_distance - quantize/ahead at other distances.
 *
 * Trials of two distances found the prefetch slower than none. This sweep looks
 * for a distance at which it is not, and has quantize/row beside it.
 */
#define KNOB_FILE "kernels/quantize/ahead.cu"
#include "kernels/ptx.cuh"
#include "kernels/quantize/row.cuh"

#define quantize_ahead KNOB_OWN(quantize_ahead)
#define KNOB_0 (1 << 16) /* bytes */
#define KNOB_1 (1 << 18)
#define KNOB_2 (1 << 20)
#define KNOB_3 (3 << 19)
#define KNOB_4 (1 << 22)
#define KNOB_5 (1 << 24)
#include "kernels/knob_each.cuh"

KNOB_LAUNCHER(quantize_ahead, "distance")
