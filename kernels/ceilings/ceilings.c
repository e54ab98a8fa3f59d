/* kernels/ceilings/ceilings.c - the table of ceilings, and what they share. */
#include "kernels/ceilings/ceilings.h"

#include <math.h>

#include "kernels/input.h"

static const struct kernel_family *const families[] = {
    &ceiling_memory, &ceiling_l2,      &ceiling_latency,    &ceiling_flight,
    &ceiling_fma,    &ceiling_special, &ceiling_tensor,     &ceiling_wgmma,
    &ceiling_width,  &ceiling_fed,     &ceiling_wgmma_int8, &ceiling_shared,
    &ceiling_atomic, &ceiling_grid,    &ceiling_peer,       &ceiling_peer_sms,
    &ceiling_flag,
};

const struct kernel_family *const *kernel_ceilings(size_t *n)
{
    *n = sizeof families / sizeof families[0];
    return families;
}

/* Multiples of 2^-23: a double adds 2^29 of them without an error. */
void ceiling_sum(uint64_t seed, unsigned buffer, size_t n, double passes,
                 double *value, double *magnitude)
{
    double sum = 0, size = 0;

    for (size_t i = 0; i < n; i++) {
        const double x = (double)input_f32(seed, buffer, i);

        sum += x;
        size += fabs(x);
    }
    *value = passes * sum;
    *magnitude = passes * size;
}
