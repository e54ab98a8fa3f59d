/*
 * kernels/knob.h - knobs: constants of variants that somebody had to choose,
 * such as how far ahead a kernel loads, and the values that a *sweep* tries.
 *
 * A variant's own cases always have the chosen value. A sweep makes a case of
 * its own of each value: the variant's case with one more parameter, which has
 * the knob's name. `runner run 'stream/ahead:distance=*'` measures them, and
 * `runner check` checks all of them (docs/extending.md).
 *
 * A sweep is compiled apart from its variant, in a file that includes the
 * variant's with other values (kernels/knob.cuh). So it leaves alone what
 * records say of the variant.
 *
 * How to add a knob:
 *   1. in the variant's file, KNOB(value) around the constant, and an #include
 *      of kernels/knob.cuh;
 *   2. beside it, a file that sweeps, such as kernels/stream/ahead_distance.cu;
 *   3. a row in the array NAME_knobs of the family's family.c; its first row
 *      needs one in kernels/knobs.c, too;
 *   4. `runner check` of the variant, and `runner facts`: the variant's machine
 *      code must be the same as before (data/builds/README.md).
 *
 * This header is C17 and C++17 and includes nothing of CUDA.
 */
#ifndef KERNELS_KNOB_H
#define KERNELS_KNOB_H

#include "kernels/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { KERNEL_KNOB_VALUES = 8 /* the most, as in kernels/knob_each.cuh */ };

struct kernel_knob {
    const char *variant; /* whose constant it is; NULL ends an array */
    const char *name;    /* recorded, a parameter of the case: "distance" */
    const char *unit;    /* recorded, what it counts: "bytes", "slots" */
    int64_t chosen;      /* the variant's own value, one of those below */
    int64_t value[KERNEL_KNOB_VALUES]; /* more than 0, ascending; 0 ends */

    /* As in struct kernel_variant. Their cases have the parameter `name`. */
    const char *file;
    size_t (*scratch_bytes)(const struct kernel_case *c,
                            const struct kernel_env *env);
    const char *(*prepare)(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void **state);
    int (*launch)(const struct kernel_case *c, const struct kernel_env *env,
                  void *const *buf, void *state);
};

/* The knob of a variant; NULL if it has none. kernels/knobs.c has the table. */
const struct kernel_knob *kernel_knob_of(const struct kernel_family *f,
                                         const struct kernel_variant *v);

/* How many values a sweep tries. */
int kernel_knob_values(const struct kernel_knob *k);

/*
 * The case with one more parameter, the knob at its value number i. All that
 * the family says of the case holds: the problem is the same. False if the case
 * has no room for it, or has a parameter of that name.
 */
bool kernel_knob_case(const struct kernel_knob *k, const struct kernel_case *c,
                      int i, struct kernel_case *out);

#ifdef __cplusplus
}
#endif
#endif
