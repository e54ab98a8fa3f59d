/* Computing many inputs at once gives the same values as kernels/input.h one at a time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/array.h"
#include "kernels/input.h"
#include "kernels/input_many.h"

enum { BUFFER = 1, MANY = 5000 };

static const uint64_t seeds[] = {0, 7, 0x123456789abcdefull};

/* The sum as reduce and scan define it: units of 2^-23. */
static struct input_sum one_by_one(const struct kernel_buffer *b, uint64_t seed, size_t begin,
                                   size_t end)
{
	struct input_sum s = {0, 0};
	for (size_t i = begin; i < end; i++) {
		const int64_t units = (int64_t)(input_number(b, seed, BUFFER, i) * 0x1p23);
		s.sum += units;
		s.size += units < 0 ? -units : units;
	}
	return s;
}

static void sums_agree(const struct kernel_buffer *b)
{
	static const size_t at[][2] = {{0, 0},           {0, 1},
	                               {3, 10},          {17, 4113},
	                               {100000, 104999}, {1ull << 33, (1ull << 33) + 77}};
	for (size_t s = 0; s < ARRAY_LEN(seeds); s++)
		for (size_t k = 0; k < ARRAY_LEN(at); k++) {
			struct input_sum got = {1, 1};
			struct input_sum want = one_by_one(b, seeds[s], at[k][0], at[k][1]);
			assert_true(input_many_sum(b, seeds[s], BUFFER, at[k][0], at[k][1], &got));
			assert_int_equal(got.sum, want.sum);
			assert_int_equal(got.size, want.size);
		}
}

static void floats_and_keys_add_up(void **state)
{
	(void)state;
	const struct kernel_buffer f32 = kernel_in("x", KERNEL_F32, MANY);
	const struct kernel_buffer keys = kernel_keys("x", KERNEL_I32, MANY, KERNEL_KEYS, 2);
	sums_agree(&f32);
	sums_agree(&keys);
}

/* If elements may be NaN, or are not uniform, the caller must compute each one. */
static void what_is_not_uniform_is_refused(void **state)
{
	(void)state;
	const struct kernel_buffer f32 = kernel_in("x", KERNEL_F32, MANY);
	const struct kernel_buffer bf16 = kernel_in("x", KERNEL_BF16, MANY);
	const struct kernel_buffer zipf = kernel_keys("x", KERNEL_I32, MANY, KERNEL_ZIPF, 2);
	struct input_sum s;
	for (int kind = INPUT_UNIFORM + 1; kind < INPUT_KINDS; kind++)
		assert_false(input_many_sum(&f32, input_seed((enum input_kind)kind, 7), BUFFER, 0,
		                            MANY, &s));
	assert_false(input_many_sum(&bf16, 7, BUFFER, 0, MANY, &s));
	assert_false(input_many_sum(&zipf, 7, BUFFER, 0, MANY, &s));
}

static void keys_are_the_same(void **state)
{
	(void)state;
	static const enum kernel_draw draws[] = {KERNEL_KEYS, KERNEL_ZIPF, KERNEL_ONEKEY};
	static const int64_t ranges[] = {1, 2, 255, 256, 1000, 65536, 2147483647};
	static uint32_t key[MANY];
	for (size_t d = 0; d < 3; d++)
		for (size_t r = 0; r < ARRAY_LEN(ranges); r++)
			for (int kind = 0; kind < INPUT_KINDS; kind++) {
				const struct kernel_buffer b =
				        kernel_keys("k", KERNEL_I32, MANY, draws[d], ranges[r]);
				const uint64_t seed = input_seed((enum input_kind)kind, 99);
				input_many_keys(&b, seed, BUFFER, 13, MANY, key);
				for (size_t i = 0; i < MANY; i++)
					assert_int_equal(key[i], input_key(draws[d], ranges[r],
					                                   seed, BUFFER, 13 + i));
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(floats_and_keys_add_up),
	        cmocka_unit_test(what_is_not_uniform_is_refused),
	        cmocka_unit_test(keys_are_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
