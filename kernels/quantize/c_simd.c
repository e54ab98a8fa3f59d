/*
 * quantize/c_simd - vectors and threads in C.
 *
 * Read as integers, the magnitudes of bf16 are in the order of their values,
 * and the maximum of integers is a loop that compilers make vectors of, as
 * they do of conversions without branches. Groups are shared among the cores;
 * a tensor that has one scale is shared in two rounds.
 */
#include "kernels/bf16.h"
#include "kernels/parallel.h"
#include "kernels/quantize/bytes.h"
#include "kernels/quantize/quantize.h"

enum { GRAIN = 4096 }; /* elements of a tensor that stay together */

struct work {
    const uint16_t *x;
    uint8_t *q;
    float *scales;
    size_t group;
    bool fp8;
    uint16_t top; /* of a tensor: bits of its largest magnitude */
    uint16_t part[PARALLEL_MAX];
};

// ANCHOR: inner
static uint16_t largest(const uint16_t *x, size_t n)
{
    uint16_t top = 0;

    for (size_t i = 0; i < n; i++) {
        const uint16_t size = x[i] & 0x7fff;

        top = size > top ? size : top;
    }
    return top;
}

static void convert(uint8_t *q, const uint16_t *x, size_t n, float factor,
                    bool fp8)
{
    if (fp8)
        for (size_t i = 0; i < n; i++)
            q[i] = bytes_e4m3(bf16_value(x[i]) * factor);
    else
        for (size_t i = 0; i < n; i++)
            q[i] = bytes_i8(bf16_value(x[i]) * factor);
}
// ANCHOR_END: inner

static float most(const struct work *w)
{
    return w->fp8 ? 448 : 127;
}

static float factor_of(const struct work *w, uint16_t top)
{
    return top ? most(w) / bf16_value(top) : 1;
}

static float scale_of(const struct work *w, uint16_t top)
{
    return top ? bf16_value(top) / most(w) : 1;
}

static void do_groups(void *arg, int part, size_t begin, size_t end)
{
    const struct work *w = arg;

    (void)part;
    for (size_t g = begin; g < end; g++) {
        const size_t at = g * w->group;
        const uint16_t top = largest(w->x + at, w->group);

        w->scales[g] = scale_of(w, top);
        convert(w->q + at, w->x + at, w->group, factor_of(w, top), w->fp8);
    }
}

static void look_part(void *arg, int part, size_t begin, size_t end)
{
    struct work *w = arg;

    w->part[part] = largest(w->x + begin, end - begin);
}

static void convert_part(void *arg, int part, size_t begin, size_t end)
{
    const struct work *w = arg;

    (void)part;
    convert(w->q + begin, w->x + begin, end - begin, factor_of(w, w->top),
            w->fp8);
}

static void do_tensor(struct work *w, int threads)
{
    const int parts = parallel_for(threads, w->group, GRAIN, look_part, w);

    w->top = largest(w->part, (size_t)parts);
    w->scales[0] = scale_of(w, w->top);
    parallel_for(threads, w->group, GRAIN, convert_part, w);
}

int quantize_c_simd(const struct kernel_case *c, const struct kernel_env *env,
                    void *const *buf, void *state)
{
    struct work w = {.x = buf[QUANTIZE_X],
                     .q = buf[QUANTIZE_Q],
                     .scales = buf[QUANTIZE_SCALES],
                     .group = quantize_group(c),
                     .fp8 = quantize_is_fp8(c)};

    (void)state;
    if (quantize_scale_of(c) == QUANTIZE_TENSOR)
        do_tensor(&w, env->threads);
    else
        parallel_for(env->threads, quantize_elements(c) / w.group, 1, do_groups,
                     &w);
    return 0;
}
