/*
 * kernels/step/reference.h - the logits of a small case, in fp64 on the host.
 *
 * Every number has a standard deviation with it: what roundings to bf16 of all
 * that it comes from add up to, if they are independent. A rounding is off by
 * half a unit in the last place at most, 2^-8 of the number, and as likely up
 * as down: a deviation of 2^-8 / sqrt(3).
 */
#ifndef KERNELS_STEP_REFERENCE_H
#define KERNELS_STEP_REFERENCE_H

#include "kernels/step/step.h"

struct step_logits {
    double value, deviation;
};

/* The logits of all sequences. They are computed once for a shape and a seed,
 * and last as long as the process. Thread-safe. */
const struct step_logits *step_logits_of(const struct step_shape *s,
                                         uint64_t seed);

#endif
