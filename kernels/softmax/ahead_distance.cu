/*
 * softmax/ahead_distance - softmax/ahead at other distances.
 *
 * The distance counts in bytes, but a row is asked for as a whole, and 48 rows
 * is the least. So rows of 32 KiB and more come equally far ahead at the short
 * distances. What is sought is the far end: where does the L2 forget a row
 * before its block comes for it? Rows that are written fill the L2, too.
 */
#define KNOB_FILE "kernels/softmax/ahead.cu"
#include "kernels/ptx.cuh"
#include "kernels/softmax/held.cuh"
#include "kernels/trace.cuh"

#define softmax_ahead KNOB_OWN(softmax_ahead)
#define KNOB_0 (1 << 16) /* bytes */
#define KNOB_1 (1 << 18)
#define KNOB_2 (1 << 20)
#define KNOB_3 (3 << 19)
#define KNOB_4 (1 << 22)
#define KNOB_5 (1 << 23)
#define KNOB_6 (1 << 24)
#define KNOB_7 (1 << 25)
#include "kernels/knob_each.cuh"

KNOB_LAUNCHER(softmax_ahead, "distance")
