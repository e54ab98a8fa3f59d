#include "kernels/decode/reference.h"

#include <stdlib.h>

#include "kernels/product.h"

enum { STEP_OF_MMA = 16 }; /* products that a tensor core adds up at once */

struct decode_row decode_row_open(const struct kernel_case *c)
{
    const size_t l = (size_t)kernel_num(c, "l");
    const struct decode_row r = {malloc(l * sizeof *r.p),
                                 malloc(l * sizeof *r.at),
                                 malloc(l * sizeof *r.by),
                                 0,
                                 0,
                                 0};

    if (r.p == NULL || r.at == NULL || r.by == NULL)
        abort();
    return r;
}

void decode_row_close(struct decode_row *r)
{
    free(r->by);
    free(r->at);
    free(r->p);
}

static double stored(const struct cache_shape *s, uint64_t seed,
                     unsigned buffer, size_t i)
{
    return (double)input_real(s->dtype, seed, buffer, i);
}

/* Finds the keys of row n of the queries, and their scales. */
static void find(const struct kernel_case *c, uint64_t seed, size_t n,
                 struct decode_row *r)
{
    const struct cache_shape s = decode_shape(c);
    const int sequence = (int)(n / (size_t)s.heads);
    const int head = (int)(n % (size_t)s.heads) / (s.heads / s.kv);
    const int sharing = scales_keys(c);

    r->keys = cache_length(&s, sequence);
    for (int j = 0; j < r->keys; j++) {
        r->at[j] = cache_at(&s, sequence, head, j);
        r->by[j][0] = r->by[j][1] = 1;
        if (sharing == 0)
            continue;
        for (size_t i = 0; i < 2; i++)
            r->by[j][i] = scales_drawn(
                seed, scales_at(&s, sharing, sequence, head, j) + i);
    }
}

void decode_weigh(const struct kernel_case *c, uint64_t seed, size_t n,
                  struct decode_row *r)
{
    const struct cache_shape s = decode_shape(c);
    const double scale = (double)decode_scale(c);
    double q[CACHE_DEEP], size = 0, top = -INFINITY, sum = 0;

    find(c, seed, n, r);
    r->most = 0;
    for (size_t e = 0; e < CACHE_DEEP; e++) {
        q[e] = (double)cache_query(&s, seed, DECODE_Q, n * CACHE_DEEP + e);
        size += q[e] * q[e];
    }
    for (int j = 0; j < r->keys; j++) {
        const double by = (double)r->by[j][0];
        double score = 0, squares = 0;

        for (size_t e = 0; e < CACHE_DEEP; e++) {
            const double k = stored(&s, seed, DECODE_K, r->at[j] + e);

            score += q[e] * k;
            squares += k * k;
        }
        r->p[j] = scale * by * score;
        r->most = fmax(r->most, by * sqrt(size * squares));
        top = fmax(top, r->p[j]);
    }
    for (int j = 0; j < r->keys; j++)
        sum += r->p[j] = exp(r->p[j] - top);
    for (int j = 0; j < r->keys; j++)
        r->p[j] /= sum;
    r->top = 1 / sum;
}

/* The error of a weight, as a share of it. */
static double of_weights(const struct kernel_case *c,
                         const struct decode_row *r)
{
    const int more = scales_keys(c) > 0; /* roundings */

    return (double)decode_scale(c) * r->most *
               (product_cuts(CACHE_DEEP, CACHE_DEEP, STEP_OF_MMA, 22) +
                (4 + more) * 0x1p-24) +
           12 * 0x1p-22 + more * 0x1p-24 + (double)r->keys / 16 * 0x1p-23;
}

void decode_output(const struct kernel_case *c, uint64_t seed,
                   const struct decode_row *r, size_t e, double *value,
                   double *magnitude)
{
    const struct cache_shape s = decode_shape(c);
    const size_t keys = (size_t)r->keys;
    const double least = s.dtype == KERNEL_E4M3 ? 0x1p-40 * r->top : 0;
    double sum = 0, size = 0, squares = 0, lost = 0;

    for (int j = 0; j < r->keys; j++) {
        const double v = stored(&s, seed, DECODE_V, r->at[j] + e);
        const double w = r->p[j] * (double)r->by[j][1], term = w * v;

        lost += fmin(w, least) * fabs(v);
        sum += term;
        size += fabs(term);
        squares += term * term;
    }
    *value = sum;
    *magnitude = fabs(sum) + fmin(3.5 * sqrt(squares), size) +
                 (2 * of_weights(c, r) * size + lost +
                  product_cuts(keys, keys, STEP_OF_MMA, 22) *
                      fmin(5 * sqrt(squares), size)) /
                     DECODE_ROUNDING;
}
