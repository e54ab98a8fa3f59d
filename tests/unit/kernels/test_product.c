/* Products: their reference, when their sums are exact, FP8, and what the exact check takes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernels/product.h"
#include "runner/device/exact.h"

/* Every number of the type, found by looking at all: the nearest, and of two the even one. */
static unsigned nearest_by_search(double v)
{
	unsigned best = 0;
	for (unsigned bits = 0; bits < E4M3_NAN; bits++) {
		double off = fabs(e4m3_value(bits) - fabs(v)),
		       least = fabs(e4m3_value(best) - fabs(v));
		if (off < least || (off == least && bits % 2 == 0))
			best = bits;
	}
	return v < 0 ? best | 0x80 : best;
}

static void fp8_is_rounded_to_the_nearest(void **state)
{
	(void)state;
	assert_true(e4m3_value(0x7e) == 448 && e4m3_value(0x38) == 1 && isnan(e4m3_value(0xff)));
	for (int i = 0; i < 20000; i++) {
		uint64_t z = input_bits(5, 0, (size_t)i);
		int64_t v = (int64_t)(z >> (24 + z % 38)) * (z & 1 ? -1 : 1);
		assert_int_equal(e4m3_nearest(v, -30), nearest_by_search(ldexp((double)v, -30)));
	}
	for (unsigned bits = 0; bits < E4M3_NAN; bits++)
		assert_int_equal(e4m3_nearest((int64_t)(e4m3_value(bits) * 512), -9), bits);
}

/* Full FP8 inputs reach the ends of the range, and use all three bits of the mantissa. */
static void fp8_inputs_are_what_they_are_called(void **state)
{
	(void)state;
	enum { N = 1 << 15 };
	size_t bit[3] = {0}, most = 0, small = 0;
	double sum = 0;
	const uint64_t full = input_seed(INPUT_FULL, 77), grid = input_seed(INPUT_GRID, 77),
	               plain = input_seed(INPUT_UNIFORM, 77);
	for (size_t i = 0; i < N; i++) {
		const unsigned x = input_e4m3(full, 1, i);
		const double g = (double)input_real(KERNEL_E4M3, grid, 1, i) * 4,
		             u = (double)input_real(KERNEL_E4M3, plain, 1, i) * 8;
		assert_true((x & 0x7f) != E4M3_NAN);
		assert_true(fabs(g) == 1 || fabs(g) == 2 || fabs(g) == 3);
		assert_true(u == floor(u) && u >= -8 && u < 8);
		most += e4m3_value(x) == 448;
		small += fabs(e4m3_value(x)) < 1;
		sum += e4m3_value(x) / N;
		for (int b = 0; b < 3; b++)
			bit[b] += x >> b & 1;
		assert_int_equal(exact_integer(KERNEL_E4M3, input_e4m3(grid, 1, i)), (int)g);
	}
	assert_true(most > N / 200 && small > 0 && small < N / 200 && fabs(sum) < 5);
	for (int b = 0; b < 3; b++)
		assert_in_range(bit[b], N / 3, N * 2 / 3);
	for (size_t i = 0; i < INPUT_FIRST; i++) {
		const uint64_t odd = input_seed(INPUT_INF, 0);
		assert_int_equal((input_e4m3(odd, 0, i) & 0x7f) == E4M3_NAN,
		                 input_is_special(odd, 0, i));
	}
	assert_int_equal(input_e4m3(input_seed(INPUT_ZEROS, 0), 0, 0), 0);
}

static void the_grid_is_made_of_integers(void **state)
{
	(void)state;
	const uint64_t seed = input_seed(INPUT_GRID, 3);
	bool least = false, most = false;
	for (size_t i = 0; i < 4096; i++) {
		const float x = input_real(KERNEL_F32, seed, 0, i);
		uint32_t bits;
		memcpy(&bits, &x, sizeof bits);
		assert_true(x == input_real(KERNEL_BF16, seed, 0, i));
		assert_int_equal(exact_integer(KERNEL_F32, bits), (int)(x * 128));
		assert_int_equal(exact_integer(KERNEL_BF16, bits >> 16), (int)(x * 128));
		assert_int_equal(input_grid(KERNEL_BF16, seed, 0, i), (int)(x * 128));
		least |= x == -1;
		most |= x == 127 / 128.0f;
	}
	assert_true(least && most);
}

/* The right bits are those of the sum, rounded once. */
static void one_rounding_is_right(void **state)
{
	(void)state;
	const float third = 0x1.555556p-3f;
	uint32_t bits;
	memcpy(&bits, &third, sizeof bits);
	assert_int_equal(exact_bits(KERNEL_F32, 0xaaaaab, -26), bits);
	assert_int_equal(exact_bits(KERNEL_BF16, 257, 0), 0x4380); /* a tie: to even, 256 */
	assert_int_equal(exact_bits(KERNEL_BF16, 259, 0), 0x4382); /* a tie: to even, 260 */
	assert_int_equal(exact_bits(KERNEL_BF16, -259, 0), 0xc382);
	/* above a tie by the last of 31 bits: a detour through f32 would make a tie of it */
	assert_int_equal(exact_bits(KERNEL_BF16, (257ll << 22) + 1, -22), 0x4381);
	assert_int_equal(exact_bits(KERNEL_E4M3, 17, -4), nearest_by_search(17 / 16.0));
	assert_int_equal(exact_bits(KERNEL_E4M3, 3, 2), nearest_by_search(12));
	assert_int_equal(exact_bits(KERNEL_I32, -5, 0), (uint32_t)-5);
	assert_true(exact_right(KERNEL_BF16, 0x8000, 0, -14)); /* either zero */
	assert_false(exact_right(KERNEL_BF16, 0x8000, 1, -14));
	assert_false(exact_right(KERNEL_I32, 0x80000000, 0, 0));
	assert_false(exact_right(KERNEL_BF16, 0x4381, 257, 0));
}

static const struct kernel_buffer bf16[] = {{.name = "a", .dtype = KERNEL_BF16},
                                            {.name = "b", .dtype = KERNEL_BF16}};
static const struct kernel_buffer e4m3[] = {{.name = "a", .dtype = KERNEL_E4M3},
                                            {.name = "b", .dtype = KERNEL_E4M3}};

static bool exact(const struct kernel_buffer *b, size_t depth, int64_t times, int bits)
{
	struct kernel_product p = {.a.buffer = 0,
	                           .b.buffer = 1,
	                           .count = 1,
	                           .rows = 8192,
	                           .cols = 8192,
	                           .depth = depth,
	                           .times = times,
	                           .sum_bits = bits};
	return product_is_exact(&p, b);
}

static void sums_are_exact_while_they_are_short(void **state)
{
	(void)state;
	assert_true(exact(bf16, 8192, 1, 23));
	assert_true(exact(bf16, 28672, 1, 23));
	assert_false(exact(bf16, 1 << 17, 1, 23));
	assert_false(exact(bf16, 8192, 1, 20));
	assert_true(exact(bf16, 512, 1, 23)); /* no sum of 2^9 products of 2^14 can be larger */
	assert_true(exact(bf16, 16, 3, 23));
	assert_false(exact(bf16, 16, 4096, 23));
	assert_true(exact(e4m3, 16384, 1, 13));
	assert_false(exact(e4m3, 1 << 17, 1, 13));
}

/* The reference follows the strides: here b lies by columns, and so does the output. */
static void the_reference_follows_the_strides(void **state)
{
	(void)state;
	const size_t rows = 5, cols = 3, depth = 7;
	const struct kernel_product p = {.a = {0, rows * depth, depth, 1},
	                                 .b = {1, cols * depth, 1, cols},
	                                 .out = {2, rows * cols, 1, rows},
	                                 .count = 2,
	                                 .rows = rows,
	                                 .cols = cols,
	                                 .depth = depth,
	                                 .times = 3,
	                                 .sum_bits = 23};
	const uint64_t seed = input_seed(INPUT_FULL, 11);
	for (size_t at = 0; at < 2 * rows * cols; at++) {
		const size_t t = at / (rows * cols), i = at % rows, j = at / rows % cols;
		double sum = 0, size = 0, square = 0, value, magnitude;
		for (size_t k = 0; k < depth; k++) {
			const double term =
			        (double)input_bf16(seed, 0, t * rows * depth + i * depth + k) *
			        (double)input_bf16(seed, 1, t * cols * depth + k * cols + j);
			sum += term;
			size += fabs(term);
			square += term * term;
		}
		product_expect(&p, bf16, seed, (struct product_error){0.5, 0.25}, &at, 1, &value,
		               &magnitude);
		const double most = fmin(size, 5 * sqrt(square));
		assert_true(fabs(value - 3 * sum) < 1e-12);
		assert_true(fabs(magnitude - 3 * (fabs(sum) + 0.5 * size + 0.25 * most)) < 1e-12);
	}
}

static void bounds_are_those_of_their_derivation(void **state)
{
	(void)state;
	assert_true(product_rounds(4096, 24) == 64 * 0x1p-24);
	assert_true(product_cuts(8192, 8192, 32, 13) == (256 + sqrt(8192)) * 0x1p-13);
	assert_true(product_cuts(8192, 128, 32, 13) == (4 + sqrt(128)) * 0x1p-13);
	assert_true(product_cuts(64, 128, 32, 13) == (2 + sqrt(64)) * 0x1p-13);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(fp8_is_rounded_to_the_nearest),
	        cmocka_unit_test(fp8_inputs_are_what_they_are_called),
	        cmocka_unit_test(the_grid_is_made_of_integers),
	        cmocka_unit_test(one_rounding_is_right),
	        cmocka_unit_test(sums_are_exact_while_they_are_short),
	        cmocka_unit_test(the_reference_follows_the_strides),
	        cmocka_unit_test(bounds_are_those_of_their_derivation),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
