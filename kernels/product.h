/*
 * kernels/product.h - matrix products (struct kernel_product): their reference
 * in fp64, when their sums are exact, and how much rounding may change them.
 *
 * There are two checks, since each input shows what the other hides.
 *
 * On the grid (INPUT_GRID) elements are small integers times a power of two, so
 * a sum of products is an integer in units of product_unit(). While it stays
 * below 2^sum_bits units every partial sum is exact, in any order, split in any
 * way. Only the output is rounded, once. So the runner computes the integers
 * itself and compares all outputs bit for bit. It finds a skipped tile, a lost
 * slice of k, an old accumulator, a misplaced element: whatever is in a wrong
 * place or not there.
 *
 * On full inputs sums round, and a kernel may round too much: it adds up in
 * bf16, or cuts off where it should round. That is the same all over the
 * output, so a few thousand outputs show it. product_expect() gives the right
 * ones, product_tolerance() how far off they may be.
 */
#ifndef KERNELS_PRODUCT_H
#define KERNELS_PRODUCT_H

#include "kernels/kernel.h"

/* The number of elements from one row to the next in a matrix without gaps. */
static inline struct kernel_matrix product_rows(unsigned buffer, size_t rows,
                                                size_t cols)
{
    const struct kernel_matrix m = {buffer, rows * cols, cols, 1};

    return m;
}

/*
 * Rows that are dealt out to groups, each of which has a matrix of b of its
 * own: kernel_product() then describes the products of all rows with all
 * matrices, of which only those are made whose row belongs to the group. Output
 * (t, i, j) is there if begin[t] <= i < begin[t + 1], and lies where out says,
 * whatever t is. It is made of row `row[i]` of a, or of row i if `row` is NULL.
 */
struct kernel_groups {
    const int32_t *begin; /* count + 1 of them, from 0 to the number of rows */
    const int32_t *row;
    unsigned begin_buffer, row_buffer; /* that hold them */
};

/* Describes the groups of such a case. Returns false if it has none. */
bool kernel_groups(const struct kernel_family *f, const struct kernel_case *c,
                   struct kernel_groups *g);

/* The group of row i. */
size_t groups_of_row(const struct kernel_groups *g, size_t i);

/* Describe cases of the families that kernels/products.c lists. */
bool gemv_product(const struct kernel_case *c, struct kernel_product *p);
bool gemm32_product(const struct kernel_case *c, struct kernel_product *p);
bool gemmtf32_product(const struct kernel_case *c, struct kernel_product *p);
bool gemm16_product(const struct kernel_case *c, struct kernel_product *p);
bool gemm8_product(const struct kernel_case *c, struct kernel_product *p);
bool epilogue_product(const struct kernel_case *c, struct kernel_product *p);
bool splitk_product(const struct kernel_case *c, struct kernel_product *p);
bool grouped_product(const struct kernel_case *c, struct kernel_product *p);
bool grouped_groups(const struct kernel_case *c, struct kernel_groups *g);
bool ceiling_tensor_product(const struct kernel_case *c,
                            struct kernel_product *p);
bool ceiling_fed_product(const struct kernel_case *c, struct kernel_product *p);
bool ceiling_width_product(const struct kernel_case *c,
                           struct kernel_product *p);

/* The power of two that a sum of products on the grid counts. b[] are the
   case's buffers, here as below. */
int product_unit(const struct kernel_product *p, const struct kernel_buffer *b);

/*
 * True if all sums on the grid are exact: the probability that any running sum
 * of any output reaches 2^sum_bits units is below 2^-12, and if one did, a
 * right kernel would be called wrong, never a wrong one right. Elements are
 * drawn independently, with mean m and variance v, at most M in size, in units.
 * By Bernstein's inequality (Boucheron, Lugosi and Massart, Concentration
 * Inequalities, 2013, corollary 2.11) a sum of n products, whose variance is V
 * and whose size is at most M^2, exceeds its mean n m^2 by t with probability
 * at most exp(-t^2 / (2 (n V + M^2 t / 3))), and falls below it likewise. There
 * are depth running sums for each output, for one order of the terms.
 */
bool product_is_exact(const struct kernel_product *p,
                      const struct kernel_buffer *b);

/* What summing up may err by: shares of S and of M, which product_expect()
 * finds. */
struct product_error {
    double sizes, most;
};

/*
 * expect() of a family (kernels/kernel.h) for a case that is a product. The
 * magnitude is |y| + e.sizes S + e.most M.
 *
 * S is the sum of |a b|: no running sum, in any order, is larger. M is what
 * hardly any running sum exceeds: 5 times the root R of the sum of (a b)^2, or
 * S where that is less. Terms of full inputs have either sign with equal
 * probability, so a running sum of some of them has a standard deviation of at
 * most R, and the largest of all running sums exceeds 5 R with a probability of
 * 10^-6 (Lévy's inequality: twice that of the last one).
 */
void product_expect(const struct kernel_product *p,
                    const struct kernel_buffer *b, uint64_t seed,
                    struct product_error e, const size_t *idx, size_t n,
                    double *value, double *magnitude);

/* The same for a product of groups; idx[] number its outputs as they lie. */
void groups_expect(const struct kernel_product *p,
                   const struct kernel_groups *g, const struct kernel_buffer *b,
                   uint64_t seed, struct product_error e, const size_t *idx,
                   size_t n, double *value, double *magnitude);

/*
 * How much a sum of `depth` products may err if additions round: as a share of
 * S. Each of n additions rounds its result to nearest, by at most 2^-bits of
 * it. As roundings go up as often as down, their sum is at most about sqrt(n)
 * 2^-bits S (Higham and Mary, SIAM J. Sci. Comput. 41(5), 2019, doi
 * 10.1137/18M1226312, theorem 2.4, where lambda = 1).
 */
double product_rounds(size_t depth, int bits);

/*
 * The same as a share of M if additions cut off, as tensor cores do in FP8. An
 * instruction aligns `step` products and the running sum to the largest of them
 * and drops what lies below 2^-bits of that (Fasi, Higham, Mikaitis and
 * Pranesh, PeerJ Comput. Sci. 7:e330, 2021; Hopper has 32 products and 13 bits
 * in FP8, DeepSeek-V3 technical report, arXiv 2412.19437, section 3.3.2). The
 * running sum always loses, one 2^-bits of M in each of n = depth / step steps.
 * The products have either sign, so what they lose adds up like roundings: the
 * root of n step.
 *
 * A sum that moves to f32 every `promoted` products does so with fewer steps.
 * What such parts lose has either sign, too, and a part of K' of K products has
 * an M that is smaller by the root of K' / K. Both together make the loss of
 * one part, as a share of the whole's M, the loss of all. `promoted` is at
 * least `depth` if the sum never moves.
 */
double product_cuts(size_t depth, size_t promoted, size_t step, int bits);

#endif
