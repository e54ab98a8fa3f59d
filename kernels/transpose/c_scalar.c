/*
 * transpose/c_scalar - the plain C loop, on one thread.
 *
 * It reads along the rows of in and writes down the columns of out: each write
 * touches another cache line, and by the time the walk comes back to a line, a
 * column later, it may have been evicted.
 */
#include "kernels/kernel.h"

// ANCHOR: inner
static void turn_f32(float *out, const float *in, size_t rows, size_t cols)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++)
            out[c * rows + r] = in[r * cols + c];
}

static void turn_bf16(uint16_t *out, const uint16_t *in, size_t rows,
                      size_t cols)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++)
            out[c * rows + r] = in[r * cols + c];
}
// ANCHOR_END: inner

int transpose_c_scalar(const struct kernel_case *c,
                       const struct kernel_env *env, void *const *buf,
                       void *state)
{
    size_t rows = (size_t)kernel_num(c, "rows");
    size_t cols = (size_t)kernel_num(c, "cols");

    (void)env, (void)state;
    if (c->dtype == KERNEL_F32)
        turn_f32(buf[1], buf[0], rows, cols);
    else
        turn_bf16(buf[1], buf[0], rows, cols);
    return 0;
}
