/*
 * stream/c_simd - vectors and threads in C.
 *
 * One core rarely fills a memory bus, so every core takes a share of the
 * pages; and four sums side by side, four floats each, free `read` from
 * waiting for its own last addition. Vectors are those of GCC and clang
 * (vector_size), so no instruction set is named.
 */
#include "kernels/parallel.h"
#include "kernels/stream/stream.h"

#include <string.h>

enum { WIDTH = 4, CHAINS = 4, STEP = WIDTH * CHAINS };

typedef float vec __attribute__((vector_size(WIDTH * sizeof(float))));

struct work {
    enum stream_op op;
    float *out;
    const float *b, *c;
};

static vec load(const float *p)
{
    vec v;

    memcpy(&v, p, sizeof v);
    return v;
}

static void triad(const struct work *w, size_t begin, size_t end)
{
    size_t i = begin;

    for (; i + WIDTH <= end; i += WIDTH) {
        const vec v = load(w->b + i) + STREAM_SCALE * load(w->c + i);

        memcpy(w->out + i, &v, sizeof v);
    }
    for (; i < end; i++)
        w->out[i] = w->b[i] + STREAM_SCALE * w->c[i];
}

// ANCHOR: inner
static float page_sum(const float *b, size_t n)
{
    vec part[CHAINS] = {{0}};
    float sum = 0;
    size_t i = 0;

    for (; i + STEP <= n; i += STEP)
        for (int k = 0; k < CHAINS; k++)
            part[k] += load(b + i + (size_t)k * WIDTH);
    for (; i < n; i++)
        sum += b[i];
    part[0] = (part[0] + part[1]) + (part[2] + part[3]);
    return sum + ((part[0][0] + part[0][1]) + (part[0][2] + part[0][3]));
}
// ANCHOR_END: inner

/* A part begins at the start of a page: STREAM_PAGE is the grain. */
static void do_part(void *arg, int part, size_t begin, size_t end)
{
    const struct work *w = arg;

    (void)part;
    switch (w->op) {
    case STREAM_COPY:
        memcpy(w->out + begin, w->b + begin, (end - begin) * sizeof *w->out);
        break;
    case STREAM_TRIAD:
        triad(w, begin, end);
        break;
    case STREAM_READ:
        for (size_t i = begin; i < end; i += STREAM_PAGE)
            w->out[i / STREAM_PAGE] = page_sum(
                w->b + i, end - i < STREAM_PAGE ? end - i : STREAM_PAGE);
        break;
    }
}

int stream_c_simd(const struct kernel_case *c, const struct kernel_env *env,
                  void *const *buf, void *state)
{
    struct work w = {.op = stream_op_of(c), .out = buf[0], .b = buf[1]};

    (void)state;
    if (w.op == STREAM_TRIAD)
        w.c = buf[2];
    parallel_for(env->threads, (size_t)kernel_num(c, "n"), STREAM_PAGE, do_part,
                 &w);
    return 0;
}
