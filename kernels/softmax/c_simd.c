/*
 * softmax/c_simd - vectors and threads in C.
 *
 * expf() is what a plain loop spends its time in, and it is a call for each
 * element. 2^t needs none: the whole part of t goes into the exponent of a
 * float by a shift, and for the rest, at most a half, the first terms of the
 * series of 2^f are good to a unit in the last place. Those are additions and
 * multiplications, four lanes wide. A row is turned into floats in a buffer on
 * the stack, piece by piece; every core takes a share of the rows.
 */
#include "kernels/bf16.h"
#include "kernels/parallel.h"
#include "kernels/softmax/softmax.h"

#include <math.h>

enum { WIDTH = 4, PIECE = 1024 /* elements */ };

typedef float vec __attribute__((vector_size(WIDTH * sizeof(float))));
typedef uint32_t words __attribute__((vector_size(WIDTH * sizeof(float))));

struct work {
    enum kernel_dtype dtype;
    const void *x;
    void *y;
    size_t cols;
    float steep; /* log2(e) times the scale */
};

/* Up to PIECE elements of x from `begin` on, as floats, and -infinity up to
 * the next whole vector; how many vectors that makes. */
static size_t piece_load(const struct work *w, size_t begin, size_t n,
                         vec piece[PIECE / WIDTH])
{
    const size_t vectors = (n + WIDTH - 1) / WIDTH;

    piece[vectors - 1] = (vec){0} - INFINITY;
    if (w->dtype == KERNEL_F32) {
        memcpy(piece, (const float *)w->x + begin, n * sizeof(float));
        return vectors;
    }
    for (size_t i = 0; i < n; i++)
        piece[i / WIDTH][i % WIDTH] =
            bf16_value(((const uint16_t *)w->x)[begin + i]);
    return vectors;
}

static void piece_store(const struct work *w, size_t begin, size_t n,
                        const vec piece[PIECE / WIDTH])
{
    if (w->dtype == KERNEL_F32) {
        memcpy((float *)w->y + begin, piece, n * sizeof(float));
        return;
    }
    for (size_t i = 0; i < n; i++)
        ((uint16_t *)w->y)[begin + i] = bf16_round(piece[i / WIDTH][i % WIDTH]);
}

/* a where the mask is set, else b. */
static vec choose(words mask, vec a, vec b)
{
    return (vec)((mask & (words)a) | (~mask & (words)b));
}

// ANCHOR: inner
/* 2^t for t up to 0; 2^-126 for all that is less. To add 1.5 * 2^23 rounds t
 * to a whole number, which is then in the last bits of the sum. */
static vec power_of_two(vec t)
{
    const vec magic = (vec){0} + 0x1.8p23f, least = (vec){0} - 126.0f;
    const vec small = choose((words)(t < least), least, t);
    const vec whole = small + magic;
    const vec f = (small - (whole - magic)) * 0x1.62e43p-1f; /* ln 2 */
    vec p = (vec){0} + 1.0f / 5040;

    p = p * f + 1.0f / 720;
    p = p * f + 1.0f / 120;
    p = p * f + 1.0f / 24;
    p = p * f + 1.0f / 6;
    p = p * f + 0.5f;
    p = p * f + 1.0f;
    p = p * f + 1.0f;
    return p * (vec)(((words)whole << 23) + 0x3f800000u);
}
// ANCHOR_END: inner

static float row_top(const struct work *w, size_t begin)
{
    vec piece[PIECE / WIDTH], top = (vec){0} - INFINITY;
    float most = -INFINITY;

    for (size_t i = 0; i < w->cols; i += PIECE) {
        const size_t n = w->cols - i < PIECE ? w->cols - i : PIECE;
        const size_t vectors = piece_load(w, begin + i, n, piece);

        for (size_t k = 0; k < vectors; k++)
            top = choose((words)(piece[k] > top), piece[k], top);
    }
    for (int k = 0; k < WIDTH; k++)
        most = top[k] > most ? top[k] : most;
    return most;
}

static double row_sum(const struct work *w, size_t begin, float top)
{
    vec piece[PIECE / WIDTH];
    double sum = 0;

    for (size_t i = 0; i < w->cols; i += PIECE) {
        const size_t n = w->cols - i < PIECE ? w->cols - i : PIECE;
        const size_t vectors = piece_load(w, begin + i, n, piece);
        vec part = {0};

        for (size_t k = 0; k < vectors; k++)
            part += power_of_two((piece[k] - top) * w->steep);
        for (int k = 0; k < WIDTH; k++)
            sum += (double)part[k];
    }
    return sum;
}

static void row_write(const struct work *w, size_t begin, float top, float by)
{
    vec piece[PIECE / WIDTH];

    for (size_t i = 0; i < w->cols; i += PIECE) {
        const size_t n = w->cols - i < PIECE ? w->cols - i : PIECE;
        const size_t vectors = piece_load(w, begin + i, n, piece);

        for (size_t k = 0; k < vectors; k++)
            piece[k] = power_of_two((piece[k] - top) * w->steep) * by;
        piece_store(w, begin + i, n, piece);
    }
}

static void do_rows(void *arg, int part, size_t begin, size_t end)
{
    const struct work *w = arg;

    (void)part;
    for (size_t r = begin; r < end; r++) {
        const float top = row_top(w, r * w->cols);

        row_write(w, r * w->cols, top,
                  (float)(1 / row_sum(w, r * w->cols, top)));
    }
}

int softmax_c_simd(const struct kernel_case *c, const struct kernel_env *env,
                   void *const *buf, void *state)
{
    struct work w = {c->dtype, buf[SOFTMAX_X], buf[SOFTMAX_Y],
                     (size_t)softmax_cols(c),
                     (float)(softmax_scale(c) * 1.4426950408889634)};

    (void)state;
    parallel_for(env->threads, (size_t)softmax_rows(c), 1, do_rows, &w);
    return 0;
}
