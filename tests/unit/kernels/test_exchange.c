/* Routings of the family `exchange`, its cost and its reference. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/exchange/exchange.h"
#include "kernels/input.h"

extern const struct kernel_family exchange_family;

enum { PARTS = 5 };

static struct kernel_case case_of(int64_t gpus, const char *part, int64_t t, int64_t hidden,
                                  const char *routing)
{
	return (struct kernel_case){{{"gpus", gpus, NULL},
	                             {"part", 0, part},
	                             {"t", t, NULL},
	                             {"hidden", hidden, NULL},
	                             {"routing", 0, routing}},
	                            PARTS,
	                            KERNEL_BF16,
	                            0};
}

static const struct exchange *routed(int gpus, int t, const char *routing)
{
	const struct kernel_case c = case_of(gpus, "dispatch", t, 8, routing);
	return exchange_of(&c);
}

/* True if a token of all GPUs has an expert at GPU `at`. */
static bool wants(const struct exchange *e, int token, int at)
{
	const int each = EXCHANGE_EXPERTS / e->gpus;
	for (int k = 0; k < EXCHANGE_TOP; k++)
		if (e->chosen[token * EXCHANGE_TOP + k] / each == at)
			return true;
	return false;
}

/* Experts of a token differ; its row is once at each GPU that has one of them, in order. */
static void assert_sound(const struct exchange *e)
{
	for (int token = 0; token < e->gpus * e->t; token++)
		for (int k = 0; k < EXCHANGE_TOP; k++) {
			const int32_t *all = e->chosen + token * EXCHANGE_TOP;
			assert_in_range(all[k], 0, EXCHANGE_EXPERTS - 1);
			for (int i = 0; i < k; i++)
				assert_int_not_equal(all[i], all[k]);
		}
	for (int at = 0; at < e->gpus; at++) {
		int n = 0;
		for (int token = 0; token < e->gpus * e->t; token++) {
			if (token % e->t == 0)
				assert_int_equal(exchange_begin(e, at, token / e->t), n);
			if (wants(e, token, at))
				assert_int_equal(e->row[at][n++], token);
		}
		assert_int_equal(exchange_begin(e, at, e->gpus), n);
		assert_true(n <= e->most);
	}
}

static void a_row_is_once_at_each_gpu(void **state)
{
	(void)state;
	static const char *const words[] = {"uniform", "pair", "one", "home"};
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		assert_sound(routed(2, 37, words[i]));
		assert_sound(routed(4, 50, words[i]));
	}
	assert_ptr_equal(routed(4, 50, "pair"), routed(4, 50, "pair"));
}

static void routings_are_what_they_say(void **state)
{
	(void)state;
	const struct exchange *one = routed(4, 10, "one"), *home = routed(4, 10, "home");
	const struct exchange *all = routed(4, 1000, "uniform"), *pair = routed(4, 1000, "pair");
	assert_int_equal(exchange_begin(one, 0, 4), 0);
	assert_int_equal(exchange_begin(one, 3, 4), 40);
	assert_int_equal(exchange_rows(home, 2, 2), 10);
	assert_int_equal(exchange_rows(home, 2, 1), 0);
	/* 1 - C(192, 8) / C(256, 8) is 0.903; of two of eight groups one is here or both: 0.464 */
	assert_in_range(exchange_begin(all, 1, 4), 3500, 3720);
	assert_in_range(exchange_begin(pair, 1, 4), 1700, 2010);
}

static void the_model_counts_rows_between_gpus(void **state)
{
	(void)state;
	struct kernel_case out = case_of(4, "dispatch", 10, 64, "one");
	struct kernel_case back = case_of(4, "combine", 10, 64, "one");
	struct kernel_model m;
	exchange_family.model(&out, &m);
	assert_int_equal(m.bytes_read, 30 * (64 + EXCHANGE_MARK) * 2);
	assert_int_equal(m.bytes_written, 0);
	exchange_family.model(&back, &m);
	assert_int_equal(m.bytes_read, 0);
	assert_int_equal(m.bytes_written, 30 * 64 * 2);
	assert_string_equal(m.level, "nvlink");
}

/* Outputs are numbered through those of GPU 0, then GPU 1: what lies at (row, col) of a GPU. */
static double arrives(const struct kernel_case *c, const struct exchange *e, int at, int row,
                      int col)
{
	const size_t pitch = (size_t)kernel_num(c, "hidden") + EXCHANGE_MARK;
	double value, magnitude;
	for (int g = 0; g < at; g++)
		row += exchange_begin(e, g, e->gpus);
	const size_t i = (size_t)row * pitch + (size_t)col;
	exchange_family.expect(c, 7, &i, 1, &value, &magnitude);
	return value;
}

static void a_row_arrives_with_its_marks(void **state)
{
	(void)state;
	const struct kernel_case c = case_of(2, "dispatch", 300, 16, "pair");
	const struct exchange *e = exchange_of(&c);
	const int row = exchange_begin(e, 1, 2) - 1, token = e->row[1][row];
	assert_true(token >= 300 + 256); /* else the test sees less than it should */
	for (int k = 0; k < EXCHANGE_TOP; k++) {
		const int expert = e->chosen[token * EXCHANGE_TOP + k];
		assert_true(arrives(&c, e, 1, row, 16 + k) ==
		            (expert < 128 ? 0 : expert - 128 + 1));
	}
	assert_true(arrives(&c, e, 1, row, 16 + 8) == 1);
	assert_true(arrives(&c, e, 1, row, 16 + 9) == token - 300 - 256);
	assert_true(arrives(&c, e, 1, row, 16 + 10) == 1);
	assert_true(arrives(&c, e, 1, row, 16 + 15) == 0);
	assert_true(arrives(&c, e, 1, row, 5) ==
	            (double)input_bf16(7, kernel_gpu_input(1, EXCHANGE_X),
	                               (size_t)(token - 300) * 16 + 5));
}

static void results_are_weighted_and_added(void **state)
{
	(void)state;
	const struct kernel_case c = case_of(2, "combine", 9, 8, "uniform");
	const struct exchange *e = exchange_of(&c);
	const int token = 9 + 4; /* of GPU 1 */
	const size_t i = (size_t)token * 8 + 3;
	double value, magnitude, sum = 0;
	for (int h = 0; h < 2; h++)
		for (int row = 0; row < exchange_begin(e, h, 2); row++)
			if (e->row[h][row] == token)
				sum += (double)input_bf16(7, kernel_gpu_input(h, EXCHANGE_Y),
				                          (size_t)row * 8 + 3) *
				       (double)input_f32(7, kernel_gpu_input(1, EXCHANGE_WEIGHT),
				                         (size_t)(4 * 2 + h));
	exchange_family.expect(&c, 7, &i, 1, &value, &magnitude);
	assert_true(fabs(value - sum) < 1e-12);
	assert_true(magnitude >= fabs(value));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_row_is_once_at_each_gpu),
	        cmocka_unit_test(routings_are_what_they_say),
	        cmocka_unit_test(the_model_counts_rows_between_gpus),
	        cmocka_unit_test(a_row_arrives_with_its_marks),
	        cmocka_unit_test(results_are_weighted_and_added),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
