/*
 * histogram/overlap_vectors - histogram/overlap with fewer and more vectors in
 * flight.
 *
 * A thread asks for this many vectors of 16 bytes before it counts the first.
 * A block of 1024 threads on an SM has 64 registers for each thread, and a
 * vector takes four of them. So twelve vectors leave sixteen registers for all
 * else, and the compiler may load later than the source says.
 */
#define KNOB_FILE "kernels/histogram/overlap.cu"
#include "kernels/histogram/columns.cuh"

#define histogram_overlap KNOB_OWN(histogram_overlap)
#define histogram_overlap_prepare KNOB_OWN(histogram_overlap_prepare)
#define KNOB_0 1
#define KNOB_1 2
#define KNOB_2 4
#define KNOB_3 6
#define KNOB_4 8
#define KNOB_5 10
#define KNOB_6 12
#include "kernels/knob_each.cuh"

KNOB_LAUNCHER(histogram_overlap, "vectors")
KNOB_PREPARE(histogram_overlap_prepare, "vectors")
