#include "kernels/product.h"

#include <math.h>

#include "kernels/input.h"

enum { STRETCH = 256, MOST = 64 };

int product_unit(const struct kernel_product *p, const struct kernel_buffer *b)
{
    return input_unit(b[p->a.buffer].dtype) + input_unit(b[p->b.buffer].dtype);
}

/* Mean, mean square and greatest size of an element of the grid, in units. */
struct drawn {
    double mean, square, most;
};

static struct drawn drawn_of(enum kernel_dtype t)
{
    /* 1, 2 and 3 of either sign; and n = 256 integers in a row, whose mean
       square around their mean is (n^2 - 1) / 12 */
    return t == KERNEL_E4M3 ? (struct drawn){0, 14 / 3.0, 3}
                            : (struct drawn){-0.5, 65535 / 12.0 + 0.25, 128};
}

bool product_is_exact(const struct kernel_product *p,
                      const struct kernel_buffer *b)
{
    const struct drawn x = drawn_of(b[p->a.buffer].dtype);
    const struct drawn y = drawn_of(b[p->b.buffer].dtype);
    const double n = (double)p->depth, times = (double)p->times;
    const double mean = x.mean * y.mean, most = x.most * y.most * times;
    const double variance = (x.square * y.square - mean * mean) * times * times;
    const double outputs = (double)p->count * (double)p->rows * (double)p->cols;
    const double t = ldexp(1, p->sum_bits) - n * fabs(mean) * times;
    const double chances = outputs * n * 2;

    if (n * most < ldexp(1, p->sum_bits))
        return true; /* no sum of this length can be too large */
    return t > 0 && log(chances) - t * t / (2 * (n * variance + most * t / 3)) <
                        -12 * log(2);
}

/* n elements of a matrix's row, from column k on. */
static void draw(const struct kernel_matrix *m, const struct kernel_buffer *b,
                 uint64_t seed, size_t begin, size_t k, size_t n, double *out)
{
    for (size_t j = 0; j < n; j++)
        out[j] = (double)input_real(b[m->buffer].dtype, seed, m->buffer,
                                    begin + (k + j) * m->col);
}

/* Where an output lies: (t, i, j), and the rows of a and b that make it. */
struct output {
    size_t t, i, j;
};

/* Outputs may have gaps between rows, or be stored by columns. */
static struct output output_at(const struct kernel_product *p, size_t at)
{
    const struct kernel_matrix *o = &p->out;
    const size_t t = p->count > 1 ? at / o->next : 0;
    const size_t rest = at - t * o->next;

    if (o->row >= o->col)
        return (struct output){t, rest / o->row, rest % o->row / o->col};
    return (struct output){t, rest % o->col / o->row, rest / o->col};
}

/* Of the terms of an output: their sum, that of their sizes, that of squares.
 */
struct sums {
    double sum, size, square;
};

/* Outputs of one row of a, at most MOST. The row is drawn once for all. */
static void expect_row(const struct kernel_product *p,
                       const struct kernel_buffer *b, uint64_t seed,
                       const struct output *out, size_t n, struct sums *of)
{
    double x[STRETCH], y[STRETCH];

    for (size_t k = 0; k < p->depth; k += STRETCH) {
        const size_t m = p->depth - k < STRETCH ? p->depth - k : STRETCH;

        draw(&p->a, b, seed, out->t * p->a.next + out->i * p->a.row, k, m, x);
        for (size_t r = 0; r < n; r++) {
            struct sums s = of[r];

            draw(&p->b, b, seed, out->t * p->b.next + out[r].j * p->b.row, k, m,
                 y);
            for (size_t i = 0; i < m; i++) {
                const double term = x[i] * y[i];

                s.sum += term;
                s.size += fabs(term);
                s.square += term * term;
            }
            of[r] = s;
        }
    }
}

/*
 * A double adds up products of 24 bits each, or of any e4m3, with an error that
 * no tolerance here notices: sqrt(n) 2^-53 of their sizes.
 */
void product_expect(const struct kernel_product *p,
                    const struct kernel_buffer *b, uint64_t seed,
                    struct product_error e, const size_t *idx, size_t n,
                    double *value, double *magnitude)
{
    const double times = (double)p->times;

    for (size_t i = 0, m; i < n; i += m) {
        struct sums of[MOST] = {{0}};
        struct output out[MOST] = {output_at(p, idx[i])};

        for (m = 1; m < MOST && i + m < n; m++) {
            out[m] = output_at(p, idx[i + m]);
            if (out[m].t != out[0].t || out[m].i != out[0].i)
                break;
        }
        expect_row(p, b, seed, out, m, of);
        for (size_t r = 0; r < m; r++) {
            const double most = fmin(of[r].size, 5 * sqrt(of[r].square));

            value[i + r] = times * of[r].sum;
            magnitude[i + r] = times * (fabs(of[r].sum) + e.sizes * of[r].size +
                                        e.most * most);
        }
    }
}

double product_rounds(size_t depth, int bits)
{
    return sqrt((double)depth) * ldexp(1, -bits);
}

double product_cuts(size_t depth, size_t promoted, size_t step, int bits)
{
    const size_t part = promoted < depth ? promoted : depth;
    const double steps = ceil((double)part / (double)step);

    return (steps + sqrt(steps * (double)step)) * ldexp(1, -bits);
}
