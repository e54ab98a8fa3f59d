/*
 * kernels/groups.c - the reference of products whose rows are dealt out to
 * groups.
 */
#include "kernels/product.h"

size_t groups_of_row(const struct kernel_groups *g, size_t i)
{
    size_t t = 0;

    while ((size_t)g->begin[t + 1] <= i)
        t++;
    return t;
}

enum { AT_ONCE = 64 };

/*
 * product_expect() knows t products of all rows, one behind the other, so it is
 * told of the outputs as if all of them were made.
 */
void groups_expect(const struct kernel_product *p,
                   const struct kernel_groups *g, const struct kernel_buffer *b,
                   uint64_t seed, struct product_error e, const size_t *idx,
                   size_t n, double *value, double *magnitude)
{
    struct kernel_product all = *p;
    size_t at[AT_ONCE];

    all.out.next = p->rows * p->cols;
    all.out.row = p->cols;
    all.out.col = 1;
    for (size_t from = 0, m; from < n; from += m) {
        m = n - from < AT_ONCE ? n - from : AT_ONCE;
        for (size_t k = 0; k < m; k++) {
            const size_t i = idx[from + k] / p->out.row;
            const size_t row = g->row ? (size_t)g->row[i] : i;

            at[k] = groups_of_row(g, i) * all.out.next + row * p->cols +
                    idx[from + k] % p->out.row;
        }
        product_expect(&all, b, seed, e, at, m, value + from, magnitude + from);
    }
}
