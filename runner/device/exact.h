/*
 * runner/device/exact.h - the exact check of a matrix product (kernels/product.h), in host
 * and device code: the integers of inputs on the grid, and the one right bits of an output.
 */
#ifndef RUNNER_DEVICE_EXACT_H
#define RUNNER_DEVICE_EXACT_H

#include "kernels/product.h"
#include "runner/device/element.h"

/* A product whose inputs are on the grid, and the buffers' types. */
struct exact_product {
	struct kernel_product p;
	enum kernel_dtype a, b, out;
	int unit; /* a sum counts 2^unit */
	/*
	 * If `grouped`, rows are dealt out to groups, at most `most` to one. Both matrices a and
	 * out are the same for all groups: their `next` is 0.
	 */
	bool grouped;
	struct kernel_groups g;
	size_t most;
};

/* The outcome: outputs that are not right, and the place of the first in its buffer. */
struct exact_found {
	unsigned long long wrong, first;
};

/*
 * Describes a case that is a product of inputs on the grid, all of whose sums are exact. Returns
 * false if it is none. Products that several GPUs make together are not checked in this way.
 */
bool exact_of(const struct kernel_family *f, const struct kernel_case *c, struct exact_product *x);

/* How many outputs there are. */
size_t exact_outputs(const struct exact_product *x);

/* Output number `at` of a seed in fp64. b[] are the case's buffers. */
double exact_value(const struct exact_product *x, const struct kernel_buffer *b, uint64_t seed,
                   size_t at);

/* The elements of inputs on the grid, in words. */
const char *exact_inputs(enum kernel_dtype t);

/* The integer of an element that is one of input_grid(). */
INPUT_FN int exact_integer(enum kernel_dtype t, uint32_t bits)
{
	float x;
	if (t == KERNEL_E4M3) {
		const int exponent = (int)(bits >> 3 & 15), whole = 8 + (int)(bits & 7);
		const int size = exponent < 8 ? whole >> (8 - exponent) : whole << (exponent - 8);
		return bits & 0x80 ? -size : size;
	}
	bits = t == KERNEL_BF16 ? bits << 16 : bits;
	memcpy(&x, &bits, sizeof x);
	x = x * 128 + 12582912.0f; /* 1.5 * 2^23: the last bits of the sum are the integer */
	memcpy(&bits, &x, sizeof bits);
	return (int8_t)(bits & 0xff);
}

/* v to `bits` significant bits, to nearest and ties to even; v is below 2^62 in size. */
INPUT_FN double exact_rounded(int64_t v, int bits)
{
	const uint64_t size = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
	int shift = 0;
	while (size >> shift >> bits)
		shift++;
	const double rounded = (double)(e4m3_round(size, shift) << shift);
	return v < 0 ? -rounded : rounded;
}

/* The bits of an output whose sum is so many units. */
INPUT_FN uint32_t exact_bits(enum kernel_dtype t, int64_t sum, int unit)
{
	enum { F32_BITS = 24, BF16_BITS = 8 };
	uint32_t bits;
	if (t == KERNEL_E4M3 && unit > E4M3_LEAST)
		return e4m3_nearest(sum * (1 << (unit - E4M3_LEAST)), E4M3_LEAST);
	if (t == KERNEL_E4M3)
		return e4m3_nearest(sum, unit);
	if (t != KERNEL_F32 && t != KERNEL_BF16)
		return (uint32_t)sum; /* integers */
	const float v =
	        (float)ldexp(exact_rounded(sum, t == KERNEL_BF16 ? BF16_BITS : F32_BITS), unit);
	memcpy(&bits, &v, sizeof bits);
	return t == KERNEL_BF16 ? bits >> 16 : bits;
}

/* True if the output's bits are right. Zero may have either sign. */
INPUT_FN bool exact_right(enum kernel_dtype t, uint32_t got, int64_t sum, int unit)
{
	const uint32_t sign = t == KERNEL_F32    ? 0x80000000u
	                      : t == KERNEL_BF16 ? 0x8000u
	                      : t == KERNEL_E4M3 ? 0x80u
	                                         : 0;
	return got == exact_bits(t, sum, unit) || (sum == 0 && sign && got == sign);
}

/* The rows of product t: from the first of them up to `*end`. */
INPUT_FN size_t exact_rows(const struct exact_product *x, size_t t, size_t *end)
{
	*end = x->grouped ? (size_t)x->g.begin[t + 1] : x->p.rows;
	return x->grouped ? (size_t)x->g.begin[t] : 0;
}

/* The row of a that output row i is made of. */
INPUT_FN size_t exact_row_of_a(const struct exact_product *x, size_t i)
{
	return x->grouped && x->g.row ? (size_t)x->g.row[i] : i;
}

/* Element (i, k) of matrix t. */
INPUT_FN size_t exact_at(const struct kernel_matrix *m, size_t t, size_t i, size_t k)
{
	return t * m->next + i * m->row + k * m->col;
}

#endif
