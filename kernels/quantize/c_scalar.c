/*
 * quantize/c_scalar - the plain C loop, on one thread: for each group look for
 * the largest magnitude, then scale and round.
 */
#include "kernels/bf16.h"
#include "kernels/quantize/bytes.h"
#include "kernels/quantize/quantize.h"

#include <math.h>

// ANCHOR: inner
static float quantize(uint8_t *q, const uint16_t *x, size_t n, bool fp8)
{
    const float most = fp8 ? 448 : 127;
    float top = 0, factor;

    for (size_t i = 0; i < n; i++)
        top = fmaxf(top, fabsf(bf16_value(x[i])));
    factor = top > 0 ? most / top : 1;
    for (size_t i = 0; i < n; i++) {
        const float v = bf16_value(x[i]) * factor;

        q[i] = fp8 ? bytes_e4m3(v) : bytes_i8(v);
    }
    return top > 0 ? top / most : 1;
}
// ANCHOR_END: inner

int quantize_c_scalar(const struct kernel_case *c, const struct kernel_env *env,
                      void *const *buf, void *state)
{
    const size_t n = quantize_elements(c), length = quantize_group(c);
    const uint16_t *x = buf[QUANTIZE_X];
    uint8_t *q = buf[QUANTIZE_Q];
    float *scales = buf[QUANTIZE_SCALES];

    (void)env;
    (void)state;
    for (size_t g = 0; g < n / length; g++)
        scales[g] = quantize(q + g * length, x + g * length, length,
                             quantize_is_fp8(c));
    return 0;
}
