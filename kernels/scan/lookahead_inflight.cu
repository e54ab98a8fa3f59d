/*
 * scan/lookahead_inflight - scan/lookahead with more tiles in flight, and with
 * one.
 *
 * A tile is 32 KiB. With one in flight memory waits for each block between its
 * tiles. With more than two a tile that was drawn takes longer to arrive, and
 * all blocks behind it wait for its sum. So a maximum is expected, not a
 * plateau. The ring has six slots, whose tiles may all be in flight.
 */
#define KNOB_FILE "kernels/scan/lookahead.cu"
#include "kernels/scan/scan.cuh"
#include "kernels/sum.cuh"
#include "kernels/trace.cuh"

#define scan_lookahead KNOB_OWN(scan_lookahead)
#define scan_lookahead_scratch KNOB_OWN(scan_lookahead_scratch)
#define scan_lookahead_prepare KNOB_OWN(scan_lookahead_prepare)
#define KNOB_0 1
#define KNOB_1 2
#define KNOB_2 3
#define KNOB_3 4
#define KNOB_4 5
#define KNOB_5 6
#include "kernels/knob_each.cuh"

KNOB_LAUNCHER(scan_lookahead, "inflight")
KNOB_SCRATCH(scan_lookahead_scratch, "inflight")
KNOB_PREPARE(scan_lookahead_prepare, "inflight")
