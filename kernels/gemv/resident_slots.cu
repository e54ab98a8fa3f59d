/*
 * gemv/resident_slots - gemv/resident with shorter and longer rings.
 *
 * A slot holds 16 KiB of weights, eight rows of 2 KiB. The tokens take 65 KiB
 * of the shared memory, and nine slots fill the rest. If weights come at the
 * pace of memory, slots beyond those in flight should gain nothing.
 */
#define KNOB_FILE "kernels/gemv/resident.cu"
#include "kernels/gemv/linear.cuh"

#define gemv_resident KNOB_OWN(gemv_resident)
#define gemv_resident_scratch KNOB_OWN(gemv_resident_scratch)
#define KNOB_0 2
#define KNOB_1 3
#define KNOB_2 4
#define KNOB_3 5
#define KNOB_4 6
#define KNOB_5 7
#define KNOB_6 8
#define KNOB_7 9
#include "kernels/knob_each.cuh"

KNOB_LAUNCHER(gemv_resident, "slots")
KNOB_SCRATCH(gemv_resident_scratch, "slots")
