/*
 * softmax/ring_slots - softmax/ring with shorter rings, and with one slot more.
 *
 * A slot holds a chunk of 16 KiB, and a row of 131072 columns in bf16 is two
 * chunks in each of eight blocks. So twelve slots hold six rows: one that is
 * written, one that is summed, the others on their way. Where does a ring hold
 * too few rows to keep all three kinds of warps at work? Thirteen slots are the
 * most that fit. Five are the fewest: a block has up to four chunks of a row,
 * and the slot of the chunk that was stored last is free only after the next
 * store. With four slots the last chunk of a row would wait for its own row.
 */
#define KNOB_FILE "kernels/softmax/ring.cu"
#include "kernels/ptx.cuh"
#include "kernels/softmax/packed.cuh"
#include "kernels/tickets.cuh"
#include "kernels/trace.cuh"

#define softmax_ring KNOB_OWN(softmax_ring)
#define softmax_ring_scratch KNOB_OWN(softmax_ring_scratch)
#define KNOB_0 5
#define KNOB_1 6
#define KNOB_2 8
#define KNOB_3 10
#define KNOB_4 12
#define KNOB_5 13
#include "kernels/knob_each.cuh"

KNOB_LAUNCHER(softmax_ring, "slots")
KNOB_SCRATCH(softmax_ring_scratch, "slots")
