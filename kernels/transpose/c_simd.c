/*
 * transpose/c_simd - vectors, cache blocks and threads in C.
 *
 * A vector holds V elements of a row, 16 bytes. V rows of V elements are
 * turned without leaving the registers by log2(V) rounds of a perfect
 * shuffle: row i is interleaved with row i + V/2, and the two halves of the
 * result become rows 2i and 2i+1. After two rounds for V = 4, three for
 * V = 8, rows and columns have changed places.
 *
 * Such blocks are taken from squares of 64×64 elements, so that a cache line
 * of out, once touched, is filled while it is still there; and every core
 * takes a share of the rows.
 */
#include "kernels/kernel.h"
#include "kernels/parallel.h"

#include <string.h>

enum { SQUARE = 64, V_F32 = 4, V_BF16 = 8 };

typedef uint32_t vec32 __attribute__((vector_size(16)));
typedef uint16_t vec16 __attribute__((vector_size(16)));

struct work {
    void *out;
    const void *in;
    size_t rows, cols;
};

/* Rows r…r+V-1 and columns c…c+V-1. */
static void block_f32(const struct work *w, size_t r, size_t c)
{
    const uint32_t *in = (const uint32_t *)w->in + r * w->cols + c;
    uint32_t *out = (uint32_t *)w->out + c * w->rows + r;
    vec32 a[V_F32], b[V_F32];

    for (size_t i = 0; i < V_F32; i++)
        memcpy(&a[i], in + i * w->cols, sizeof a[i]);
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < V_F32 / 2; i++) {
            vec32 x = a[i], y = a[i + V_F32 / 2];

            b[2 * i] = __builtin_shufflevector(x, y, 0, 4, 1, 5);
            b[2 * i + 1] = __builtin_shufflevector(x, y, 2, 6, 3, 7);
        }
        memcpy(a, b, sizeof a);
    }
    for (size_t i = 0; i < V_F32; i++)
        memcpy(out + i * w->rows, &a[i], sizeof a[i]);
}

// ANCHOR: inner
static void block_bf16(const struct work *w, size_t r, size_t c)
{
    const uint16_t *in = (const uint16_t *)w->in + r * w->cols + c;
    uint16_t *out = (uint16_t *)w->out + c * w->rows + r;
    vec16 a[V_BF16], b[V_BF16];

    for (size_t i = 0; i < V_BF16; i++)
        memcpy(&a[i], in + i * w->cols, sizeof a[i]);
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < V_BF16 / 2; i++) {
            vec16 x = a[i], y = a[i + V_BF16 / 2];

            b[2 * i] = __builtin_shufflevector(x, y, 0, 8, 1, 9, 2, 10, 3, 11);
            b[2 * i + 1] =
                __builtin_shufflevector(x, y, 4, 12, 5, 13, 6, 14, 7, 15);
        }
        memcpy(a, b, sizeof a);
    }
    for (size_t i = 0; i < V_BF16; i++)
        memcpy(out + i * w->rows, &a[i], sizeof a[i]);
}
// ANCHOR_END: inner

/* The margins that are too narrow or too low for a block: one element at a
 * time. */
static void edge(const struct work *w, size_t bytes, size_t r0, size_t r1,
                 size_t c0, size_t c1)
{
    for (size_t r = r0; r < r1; r++)
        for (size_t c = c0; c < c1; c++)
            memcpy((char *)w->out + (c * w->rows + r) * bytes,
                   (const char *)w->in + (r * w->cols + c) * bytes, bytes);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Rows r0…r1-1, a square at a time. */
static void band(const struct work *w, size_t bytes, size_t v,
                 void (*block)(const struct work *, size_t, size_t), size_t r0,
                 size_t r1)
{
    for (size_t c0 = 0; c0 < w->cols; c0 += SQUARE) {
        size_t c1 = smaller(c0 + SQUARE, w->cols);
        size_t re = r0 + (r1 - r0) / v * v, ce = c0 + (c1 - c0) / v * v;

        for (size_t c = c0; c < ce; c += v)
            for (size_t r = r0; r < re; r += v)
                block(w, r, c);
        edge(w, bytes, r0, re, ce, c1);
        edge(w, bytes, re, r1, c0, c1);
    }
}

static void part_f32(void *arg, int part, size_t begin, size_t end)
{
    (void)part;
    for (size_t r = begin; r < end; r += SQUARE)
        band(arg, 4, V_F32, block_f32, r, smaller(r + SQUARE, end));
}

static void part_bf16(void *arg, int part, size_t begin, size_t end)
{
    (void)part;
    for (size_t r = begin; r < end; r += SQUARE)
        band(arg, 2, V_BF16, block_bf16, r, smaller(r + SQUARE, end));
}

int transpose_c_simd(const struct kernel_case *c, const struct kernel_env *env,
                     void *const *buf, void *state)
{
    struct work w = {buf[1], buf[0], (size_t)kernel_num(c, "rows"),
                     (size_t)kernel_num(c, "cols")};

    (void)state;
    parallel_for(env->threads, w.rows, SQUARE,
                 c->dtype == KERNEL_F32 ? part_f32 : part_bf16, &w);
    return 0;
}
