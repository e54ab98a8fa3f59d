/* kernels/grouped/gated.c - the reference of SwiGLU behind experts. */
#include "kernels/grouped/gated.h"

#include <math.h>
#include <string.h>

bool gated_is(const struct kernel_case *c)
{
    return strstr(kernel_word(c, "layer"), "swiglu") != NULL;
}

static const double ROUNDING = 0x1p-8; /* to bf16, which has 8 bits */
static const double SPARE = 9 / 8.0;   /* for f32 between two roundings */
static const double BY_TANH = 0x1p-12; /* (1 + tanh) / 2, in shares of v */
static const double HALF_BENT = 0.25;  /* half of the greatest second
                                          derivative of silu: 1/2, at 0 */

void gated_output(struct gated_sum gate, struct gated_sum up, double *value,
                  double *magnitude)
{
    const double s = 1 / (1 + exp(-gate.v)), silu = gate.v * s;
    const double slope = s + silu * (1 - s);
    const double off = fabs(slope) * gate.off +
                       HALF_BENT * gate.off * gate.off + BY_TANH * fabs(gate.v);

    *value = silu * up.v;
    *magnitude =
        fabs(*value) + (off * (fabs(up.v) + up.off) + fabs(silu) * up.off) /
                           (ROUNDING * SPARE);
}

double gated_tolerance(const char **why)
{
    *why = "9/8 of 2^-8 of |C| for the rounding to bf16; what the gate and the "
           "up may be off, as products and by a rounding to bf16 each, times "
           "the slope of silu; and 2^-12 of the gate for 1 + tanh";
    return ROUNDING * SPARE;
}
