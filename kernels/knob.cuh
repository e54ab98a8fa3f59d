/*
 * kernels/knob.cuh - marks a constant that was chosen, so that a sweep can try
 * others (kernels/knob.h).
 *
 *     AHEAD = KNOB(3 << 19), // bytes
 *
 * In the variant's own file that is the constant, and its machine code is that
 * of the constant alone. A file that sweeps defines KNOB_FILE before all else,
 * and includes kernels/knob_each.cuh, which sets KNOB_NOW to one value after
 * the other.
 */
#ifndef KERNELS_KNOB_CUH
#define KERNELS_KNOB_CUH

#ifdef KNOB_FILE

#define KNOB(chosen) (KNOB_NOW)

/* Functions with C linkage are the same in all namespaces, so each inclusion
 * of a variant's file has names of its own: f_0, f_1, ... */
#define KNOB_OWN(f) KNOB_NAME(f, KNOB_AT)
#define KNOB_NAME(f, at) KNOB_JOIN(f, at)
#define KNOB_JOIN(f, at) f##_##at

#else

#define KNOB(chosen) (chosen)

#endif
#endif
