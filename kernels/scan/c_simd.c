/*
 * scan/c_simd - vectors and threads in C.
 *
 * To start in the middle, one must know the sum of what comes before. So
 * every core first adds up its share, then the few sums are scanned, then
 * every core scans its share from there: the input is read twice, and two
 * cores are needed to win anything at all. Within a vector of four, two
 * shifted additions replace a chain of four.
 *
 * Floats are summed in pages of 4096, and the pages in a double: the chains
 * stay short, and so does the rounding error, however long the input.
 */
#include "kernels/parallel.h"
#include "kernels/scan/scan.h"

#include <string.h>

enum { WIDTH = 4, PAGE = 4096 };

typedef float vec __attribute__((vector_size(WIDTH * sizeof(float))));

struct work {
    const void *x;
    void *y;
    double sum[PARALLEL_MAX]; /* of each part, then of all before it */
    int32_t isum[PARALLEL_MAX];
};

// ANCHOR: inner
/* Scans a page of at most PAGE elements from `before` on; returns its sum. */
static float scan_page(float *y, const float *x, size_t n, float before)
{
    const vec none = {0};
    float sum = 0;
    size_t i = 0;

    for (; i + WIDTH <= n; i += WIDTH) {
        vec v, s;

        memcpy(&v, x + i, sizeof v);
        s = v + __builtin_shufflevector(none, v, 0, 4, 5, 6);
        s += __builtin_shufflevector(none, s, 0, 0, 4, 5);
        v = __builtin_shufflevector(none, s, 0, 4, 5, 6) + (before + sum);
        memcpy(y + i, &v, sizeof v);
        sum += s[WIDTH - 1];
    }
    for (; i < n; i++) {
        y[i] = before + sum;
        sum += x[i];
    }
    return sum;
}
// ANCHOR_END: inner

static float page_sum(const float *x, size_t n)
{
    vec chain = {0}, v;
    float sum = 0;
    size_t i = 0;

    for (; i + WIDTH <= n; i += WIDTH) {
        memcpy(&v, x + i, sizeof v);
        chain += v;
    }
    for (; i < n; i++)
        sum += x[i];
    return sum + ((chain[0] + chain[1]) + (chain[2] + chain[3]));
}

static void sum_f32(void *arg, int part, size_t begin, size_t end)
{
    struct work *w = arg;
    const float *x = w->x;
    double sum = 0;

    for (size_t i = begin; i < end; i += PAGE)
        sum += (double)page_sum(x + i, scan_min(PAGE, end - i));
    w->sum[part] = sum;
}

static void scan_f32(void *arg, int part, size_t begin, size_t end)
{
    struct work *w = arg;
    const float *x = w->x;
    float *y = w->y;
    double sum = w->sum[part];

    for (size_t i = begin; i < end; i += PAGE)
        sum += (double)scan_page(y + i, x + i, scan_min(PAGE, end - i),
                                 (float)sum);
}

static void sum_i32(void *arg, int part, size_t begin, size_t end)
{
    struct work *w = arg;
    const int32_t *x = w->x;
    int32_t sum = 0;

    for (size_t i = begin; i < end; i++)
        sum += x[i];
    w->isum[part] = sum;
}

static void scan_i32(void *arg, int part, size_t begin, size_t end)
{
    struct work *w = arg;
    const int32_t *x = w->x;
    int32_t *y = w->y, sum = w->isum[part];

    for (size_t i = begin; i < end; i++) {
        y[i] = sum;
        sum += x[i];
    }
}

/* The sums of the parts become the sums of all parts before. */
static void scan_parts(struct work *w, int parts)
{
    double sum = 0;
    int32_t isum = 0;

    for (int i = 0; i < parts; i++) {
        const double part = w->sum[i];
        const int32_t ipart = w->isum[i];

        w->sum[i] = sum;
        w->isum[i] = isum;
        sum += part;
        isum += ipart;
    }
}

int scan_c_simd(const struct kernel_case *c, const struct kernel_env *env,
                void *const *buf, void *state)
{
    const bool floats = c->dtype == KERNEL_F32;
    struct work w = {.x = buf[1], .y = buf[0]};
    const size_t n = scan_length(c);
    const int parts =
        parallel_for(env->threads, n, PAGE, floats ? sum_f32 : sum_i32, &w);

    (void)state;
    scan_parts(&w, parts);
    parallel_for(env->threads, n, PAGE, floats ? scan_f32 : scan_i32, &w);
    return 0;
}
