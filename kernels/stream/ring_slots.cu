/*
 * stream/ring_slots - stream/ring with fewer slots, and with one more.
 *
 * A slot is 16 KiB in flight for each SM, and Little's law says how many bytes
 * memory needs in flight. Slots beyond that should gain nothing. Seven are the
 * most for triad, whose slots hold two streams.
 */
#define KNOB_FILE "kernels/stream/ring.cu"
#include "kernels/ptx.cuh"
#include "kernels/stream/direct.cuh"
#include "kernels/sum.cuh"

#define stream_ring KNOB_OWN(stream_ring)
#define stream_ring_prepare KNOB_OWN(stream_ring_prepare)
#define KNOB_0 2
#define KNOB_1 3
#define KNOB_2 4
#define KNOB_3 5
#define KNOB_4 6
#define KNOB_5 7
#include "kernels/knob_each.cuh"

KNOB_LAUNCHER(stream_ring, "slots")
KNOB_PREPARE(stream_ring_prepare, "slots")
