/*
 * tests/unit/help/cheats_products.h - a matrix product as tensor-core kernels do it, on the CPU:
 * tiles of the output, slices of k brought to a swizzled tile, running sums, an epilogue that
 * rounds. The honest variants are right; each other has one fault, most of them in a single tile
 * that no sample of outputs looks at. tests/unit/runner/measure/test_products.c says which check
 * must find each.
 */
#ifndef TESTS_UNIT_HELP_CHEATS_PRODUCTS_H
#define TESTS_UNIT_HELP_CHEATS_PRODUCTS_H

#include <math.h>
#include <string.h>

#include "kernels/product.h"
#include "lib/array.h"
#include "runner/device/element.h"

enum { P_A, P_B, P_OUT };
enum { P_TILE = 16, P_SLICE = 32, P_CHUNK = 8, P_CHUNKS = P_SLICE / P_CHUNK };

/* Sums of FP8 move to f32 after so many products. */
enum { P_PROMOTED = 128 };

/* The tile in the middle of the output, where the faults are. */
enum { P_ROW = 4 * P_TILE, P_COL = 5 * P_TILE };

enum fault {
	HONEST,
	TILE_SKIPPED,  /* not computed, not written */
	TILE_REPEATED, /* written with the sums of the tile beside it */
	SLICE_DROPPED, /* one slice of k is left out */
	STALE_SUMS,    /* begins with the sums of the tile before */
	SWIZZLED,      /* in one corner, two chunks of a row are exchanged */
	TRUNCATES,     /* the epilogue cuts off where it should round */
	TAIL_READ,     /* the last slice has what follows in memory, not zeros */
	SHORT_SUMS,    /* FP8: sums keep 8 bits, not 13; bf16: sums are in bf16 */
	EARLY_READ,    /* reads a slice before it has come: it is that of the call before */
};

static struct kernel_product product_of(const struct kernel_case *c)
{
	const size_t m = (size_t)kernel_num(c, "m"), n = (size_t)kernel_num(c, "n"),
	             k = (size_t)kernel_num(c, "k");
	return (struct kernel_product){.a = product_rows(P_A, m, k),
	                               .b = product_rows(P_B, n, k),
	                               .out = product_rows(P_OUT, m, n),
	                               .count = 1,
	                               .rows = m,
	                               .cols = n,
	                               .depth = k,
	                               .times = 1,
	                               .sum_bits = c->dtype == KERNEL_E4M3 ? 13 : 23};
}

/* A slice of a matrix: chunk j of row i is at place j ^ (i mod P_CHUNKS), as the TMA puts it. */
struct slice {
	float at[P_TILE][P_SLICE];
};

static size_t swizzle(size_t i, size_t k, bool wrong)
{
	size_t chunk = k / P_CHUNK ^ i % P_CHUNKS;
	return (wrong ? chunk ^ 1 : chunk) * P_CHUNK + k % P_CHUNK;
}

static void bring(struct slice *s, enum kernel_dtype t, const void *p, size_t row, size_t rows,
                  size_t k, size_t depth, enum fault fault)
{
	for (size_t i = 0; i < P_TILE; i++)
		for (size_t j = 0; j < P_SLICE; j++) {
			const bool inside = row + i < rows && k + j < depth;
			const bool beyond =
			        fault == TAIL_READ && (row + i) * depth + k + j < rows * depth;
			const bool corner = fault == SWIZZLED && i < 4 && j >= P_SLICE / 2;
			s->at[i][swizzle(i, j, corner)] =
			        inside || beyond
			                ? (float)element_get(t, p, (row + i) * depth + k + j)
			                : 0;
		}
}

/* x without what lies below 2^-bits of `most`. */
static double cut_off(double x, double most, int bits)
{
	int e;
	frexp(most, &e);
	const double unit = ldexp(1, e - 1 - bits);
	return trunc(x / unit) * unit;
}

/* As a tensor core adds up FP8: all terms and the sum aligned to the largest. */
static float add_cutting(float sum, const float *term, size_t n, int bits)
{
	double most = fabs((double)sum), total;
	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs((double)term[i]));
	if (most == 0)
		return sum;
	total = cut_off((double)sum, most, bits);
	for (size_t i = 0; i < n; i++)
		total += cut_off((double)term[i], most, bits);
	return (float)total;
}

static float to_bf16(float v, bool truncates)
{
	uint32_t bits;
	memcpy(&bits, &v, sizeof bits);
	bits += truncates ? 0 : 0x7fff + (bits >> 16 & 1);
	bits &= 0xffff0000;
	memcpy(&v, &bits, sizeof v);
	return v;
}

static void add_slice(float sum[P_TILE][P_TILE], const struct slice *a, const struct slice *b,
                      enum kernel_dtype t, enum fault fault)
{
	for (size_t i = 0; i < P_TILE; i++)
		for (size_t j = 0; j < P_TILE; j++) {
			float term[P_SLICE];
			for (size_t k = 0; k < P_SLICE; k++)
				term[k] = a->at[i][swizzle(i, k, false)] *
				          b->at[j][swizzle(j, k, false)];
			if (t == KERNEL_E4M3)
				sum[i][j] = add_cutting(sum[i][j], term, P_SLICE,
				                        fault == SHORT_SUMS ? 8 : 13);
			for (size_t k = 0; k < P_SLICE && t != KERNEL_E4M3; k++) {
				sum[i][j] += term[k];
				if (fault == SHORT_SUMS)
					sum[i][j] = to_bf16(sum[i][j], false);
			}
		}
}

/* Adds the sums of one part to the whole, and begins the next part. */
static void promote(float sum[P_TILE][P_TILE], float part[P_TILE][P_TILE])
{
	for (size_t i = 0; i < P_TILE; i++)
		for (size_t j = 0; j < P_TILE; j++) {
			sum[i][j] += part[i][j];
			part[i][j] = 0;
		}
}

static void put_tile(uint16_t *out, const float sum[P_TILE][P_TILE], const struct kernel_product *p,
                     size_t row, size_t col, bool truncates)
{
	for (size_t i = 0; i < P_TILE && row + i < p->rows; i++)
		for (size_t j = 0; j < P_TILE && col + j < p->cols; j++) {
			const float v = to_bf16(sum[i][j], truncates);
			uint32_t bits;
			memcpy(&bits, &v, sizeof bits);
			out[(row + i) * p->cols + col + j] = (uint16_t)(bits >> 16);
		}
}

static int multiply(const struct kernel_case *c, void *const *buf, enum fault fault)
{
	static float sum[P_TILE][P_TILE], part[P_TILE][P_TILE];
	static struct slice kept;
	const struct kernel_product p = product_of(c);
	for (size_t row = 0; row < p.rows; row += P_TILE)
		for (size_t col = 0; col < p.cols; col += P_TILE) {
			const bool here = row == P_ROW && col == P_COL;
			const enum fault now = here || fault == TRUNCATES || fault == TAIL_READ ||
			                                       fault == SHORT_SUMS
			                               ? fault
			                               : HONEST;
			if (now == TILE_SKIPPED)
				continue;
			if (now != STALE_SUMS && now != TILE_REPEATED)
				memset(sum, 0, sizeof sum);
			for (size_t k = 0; k < p.depth && now != TILE_REPEATED; k += P_SLICE) {
				struct slice a, b;
				bring(&a, c->dtype, buf[P_A], row, p.rows, k, p.depth, now);
				bring(&b, c->dtype, buf[P_B], col, p.cols, k, p.depth,
				      now == TAIL_READ ? TAIL_READ : HONEST);
				if (now == SLICE_DROPPED && k == P_SLICE)
					continue;
				if (now == EARLY_READ && k == 0) {
					const struct slice late = a;
					a = kept;
					kept = late;
				}
				add_slice(part, &a, &b, c->dtype, now);
				if (c->dtype != KERNEL_E4M3 || (k + P_SLICE) % P_PROMOTED == 0)
					promote(sum, part);
			}
			promote(sum, part);
			put_tile(buf[P_OUT], sum, &p, row, col, now == TRUNCATES);
		}
	return 0;
}

#define PRODUCT_RUN(name, fault)                                                         \
	static int run_##name(const struct kernel_case *c, const struct kernel_env *env, \
	                      void *const *buf, void *state)                             \
	{                                                                                \
		(void)env, (void)state;                                                  \
		return multiply(c, buf, fault);                                          \
	}
PRODUCT_RUN(honest, HONEST)
PRODUCT_RUN(tile_skipped, TILE_SKIPPED)
PRODUCT_RUN(tile_repeated, TILE_REPEATED)
PRODUCT_RUN(slice_dropped, SLICE_DROPPED)
PRODUCT_RUN(stale_sums, STALE_SUMS)
PRODUCT_RUN(swizzled, SWIZZLED)
PRODUCT_RUN(truncates, TRUNCATES)
PRODUCT_RUN(tail_read, TAIL_READ)
PRODUCT_RUN(short_sums, SHORT_SUMS)
PRODUCT_RUN(early_read, EARLY_READ)

#define PRODUCT_ROW(name)                                                           \
	{                                                                           \
		.id = #name, .title = #name, .idea = "a test", .where = KERNEL_CPU, \
		.file = "kernels/cheat/" #name ".c", .launch = run_##name           \
	}

static const struct kernel_variant product_variants[] = {
        PRODUCT_ROW(honest),        PRODUCT_ROW(tile_skipped), PRODUCT_ROW(tile_repeated),
        PRODUCT_ROW(slice_dropped), PRODUCT_ROW(stale_sums),   PRODUCT_ROW(swizzled),
        PRODUCT_ROW(truncates),     PRODUCT_ROW(tail_read),    PRODUCT_ROW(short_sums),
        PRODUCT_ROW(early_read),
};

#define PRODUCT_CASE(type, m, n, k)                                                  \
	{                                                                            \
		{{"m", m, NULL}, {"n", n, NULL}, {"k", k, NULL}}, 3, type,           \
		        KERNEL_CHECK | KERNEL_MEASURE_CPU | KERNEL_HOT | KERNEL_FULL \
	}

/* Ragged in all directions. The sums of FP8 need more bits than the output has. */
static const struct kernel_case product_cases[] = {
        PRODUCT_CASE(KERNEL_BF16, 120, 200, 148),
        PRODUCT_CASE(KERNEL_E4M3, 88, 120, 1316),
};

static size_t product_buffers(const struct kernel_case *c, struct kernel_buffer b[])
{
	const struct kernel_product p = product_of(c);
	b[P_A] = kernel_in("a", c->dtype, p.rows * p.depth);
	b[P_B] = kernel_in("b", c->dtype, p.cols * p.depth);
	b[P_OUT] = kernel_out("out", KERNEL_BF16, p.rows * p.cols);
	return 3;
}

static void product_model(const struct kernel_case *c, struct kernel_model *m)
{
	const struct kernel_product p = product_of(c);
	*m = (struct kernel_model){.flop = (int64_t)(2 * p.rows * p.cols * p.depth),
	                           .bytes_read = (int64_t)((p.rows + p.cols) * p.depth),
	                           .bytes_written = (int64_t)(2 * p.rows * p.cols),
	                           .formula = "2 per term",
	                           .unit = "bf16",
	                           .level = "hbm"};
}

static void product_expected(const struct kernel_case *c, uint64_t seed, const size_t *idx,
                             size_t n, double *value, double *magnitude)
{
	const struct kernel_product p = product_of(c);
	const bool fp8 = c->dtype == KERNEL_E4M3;
	const struct product_error e = {
	        .sizes = fp8 ? 0 : product_rounds(p.depth, 24) * 0x1p8,
	        .most = fp8 ? product_cuts(p.depth, P_PROMOTED, P_SLICE, 13) * 0x1p8 : 0};
	struct kernel_buffer b[KERNEL_MAX_BUFFERS];
	product_buffers(c, b);
	product_expect(&p, b, seed, e, idx, n, value, magnitude);
}

static size_t product_terms(const struct kernel_case *c)
{
	return (size_t)kernel_num(c, "k");
}

static double product_tolerance(const struct kernel_case *c, const char **why)
{
	(void)c;
	*why = "2^-8 for the rounding to bf16, and what the sum may err by";
	return 0x1p-8;
}

static const struct kernel_family product_family = {
        .id = "product",
        .title = "Product",
        .problem = "Multiply.",
        .metric = "throughput",
        .file = "kernels/cheat/product.c",
        .cases = product_cases,
        .ncases = ARRAY_LEN(product_cases),
        .variants = product_variants,
        .nvariants = ARRAY_LEN(product_variants),
        .buffers = product_buffers,
        .model = product_model,
        .expect = product_expected,
        .terms = product_terms,
        .tolerance = product_tolerance,
        .finite_only = "a test",
};

#endif
