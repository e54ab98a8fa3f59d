/*
 * stream/ahead_distance - stream/ahead at other distances.
 *
 * How far ahead is far enough? Each block asks the L2 for a tile that another
 * block needs later. If that is too soon, the tile is still on its way when the
 * block comes for it. If it is too late, other tiles have pushed it out of the
 * L2, and memory is read twice. In between the distance should not matter, and
 * this sweep shows how wide that range is.
 */
#define KNOB_FILE "kernels/stream/ahead.cu"
#include "kernels/ptx.cuh"
#include "kernels/stream/direct.cuh"
#include "kernels/sum.cuh"

#define stream_ahead KNOB_OWN(stream_ahead)
#define KNOB_0 (1 << 16) /* bytes */
#define KNOB_1 (1 << 18)
#define KNOB_2 (1 << 19)
#define KNOB_3 (1 << 20)
#define KNOB_4 (3 << 19)
#define KNOB_5 (1 << 22)
#define KNOB_6 (1 << 24)
#define KNOB_7 (1 << 26)
#include "kernels/knob_each.cuh"

KNOB_LAUNCHER(stream_ahead, "distance")
