/*
 * stream/c_scalar - the plain C loop, on one thread.
 *
 * This is the loop of the textbook. The compiler may make vectors of it, and
 * for copy even a call of memcpy. For read it may not, because it must not
 * change the order of float additions, so each waits for the one before.
 */
#include "kernels/stream/stream.h"

// ANCHOR: inner
static void copy(float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] = b[i];
}

static void triad(float *a, const float *b, const float *c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] = b[i] + STREAM_SCALE * c[i];
}

static void read_pages(float *sums, const float *b, size_t n)
{
    for (size_t page = 0; page * STREAM_PAGE < n; page++) {
        float sum = 0;

        for (size_t i = page * STREAM_PAGE;
             i < n && i < (page + 1) * STREAM_PAGE; i++)
            sum += b[i];
        sums[page] = sum;
    }
}
// ANCHOR_END: inner

int stream_c_scalar(const struct kernel_case *c, const struct kernel_env *env,
                    void *const *buf, void *state)
{
    const size_t n = (size_t)kernel_num(c, "n");

    (void)env;
    (void)state;
    switch (stream_op_of(c)) {
    case STREAM_COPY:
        copy(buf[0], buf[1], n);
        break;
    case STREAM_TRIAD:
        triad(buf[0], buf[1], buf[2], n);
        break;
    case STREAM_READ:
        read_pages(buf[0], buf[1], n);
        break;
    }
    return 0;
}
