/* The family `allnorm`: what its reference expects, and that no fault hides in its tolerance. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernels/allnorm/allnorm.h"
#include "kernels/bf16.h"
#include "kernels/input.h"
#include "kernels/made.h"

extern const struct kernel_family allnorm_family;

enum { TOKENS = 3, HIDDEN = 64, COUNT = TOKENS * HIDDEN, SEED = 5 };

static struct kernel_case case_of(int64_t gpus, int64_t tokens, int64_t hidden)
{
	return (struct kernel_case){
	        {{"gpus", gpus, NULL}, {"tokens", tokens, NULL}, {"hidden", hidden, NULL}},
	        3,
	        KERNEL_BF16,
	        0};
}

static double made(const struct kernel_case *c, unsigned buffer, size_t i)
{
	struct kernel_buffer b[KERNEL_MAX_BUFFERS];
	allnorm_family.buffers(c, b);
	const uint32_t pair = (uint32_t)kernel_made_is(&b[buffer])[i / 2];
	return (double)(i % 2 ? bf16_second(pair) : bf16_first(pair));
}

static double part(uint64_t seed, int gpu, size_t i)
{
	return (double)input_bf16(seed, kernel_gpu_input(gpu, ALLNORM_X), i);
}

/* h and y of all rows, as allnorm.h has them; `gpus` parts, and the residual unless it is lost. */
static void compute(const struct kernel_case *c, uint64_t seed, int gpus, bool residual, double *h,
                    double *y)
{
	for (size_t row = 0; row < TOKENS; row++) {
		double squares = 0;
		for (size_t i = row * HIDDEN; i < (row + 1) * HIDDEN; i++) {
			h[i] = residual ? made(c, ALLNORM_R, i) : 0;
			for (int g = 0; g < gpus; g++)
				h[i] += part(seed, g, i);
			h[i] = (double)bf16_value(bf16_round((float)h[i]));
			squares += h[i] * h[i];
		}
		for (size_t i = row * HIDDEN; i < (row + 1) * HIDDEN; i++)
			y[i] = h[i] / sqrt(squares / HIDDEN + (double)ALLNORM_EPS) *
			       made(c, ALLNORM_W, i % HIDDEN);
	}
}

/* How many of these outputs of a GPU, h or y, are not what the family expects. */
static size_t wrong(const struct kernel_case *c, uint64_t seed, size_t first, const double *got)
{
	const char *why;
	const double tolerance = allnorm_family.tolerance(c, &why);
	size_t n = 0;
	for (size_t i = 0; i < COUNT; i++) {
		const size_t at = first + i;
		double value, magnitude;
		allnorm_family.expect(c, seed, &at, 1, &value, &magnitude);
		n += !(fabs(got[i] - value) <= tolerance * magnitude);
	}
	return n;
}

static void every_gpu_gets_the_sum_and_its_norm(void **state)
{
	(void)state;
	double h[COUNT], y[COUNT];
	for (int gpus = 2; gpus <= 4; gpus++)
		for (int kind = 0; kind < 2; kind++) {
			const struct kernel_case c = case_of(gpus, TOKENS, HIDDEN);
			const uint64_t seed = input_seed(kind ? INPUT_FULL : INPUT_UNIFORM, SEED);
			compute(&c, seed, gpus, true, h, y);
			for (size_t g = 0; g < (size_t)gpus; g++) {
				assert_int_equal(wrong(&c, seed, 2 * g * COUNT, h), 0);
				assert_int_equal(wrong(&c, seed, (2 * g + 1) * COUNT, y), 0);
			}
		}
}

static void two_gpus_have_one_right_residual(void **state)
{
	(void)state;
	const struct kernel_case c = case_of(2, TOKENS, HIDDEN);
	for (size_t i = 0; i < COUNT; i++) {
		double value, magnitude;
		allnorm_family.expect(&c, SEED, &i, 1, &value, &magnitude);
		assert_true(magnitude == 0);
	}
}

static void what_is_left_out_shows(void **state)
{
	(void)state;
	double h[COUNT], y[COUNT];
	for (int gpus = 2; gpus <= 4; gpus += 2) {
		const struct kernel_case c = case_of(gpus, TOKENS, HIDDEN);
		compute(&c, SEED, gpus - 1, true, h, y);
		assert_true(wrong(&c, SEED, 0, h) > COUNT * 9 / 10);
		assert_true(wrong(&c, SEED, COUNT, y) > COUNT * 8 / 10);
		compute(&c, SEED, gpus, false, h, y);
		assert_true(wrong(&c, SEED, 0, h) > COUNT * 9 / 10);
		assert_true(wrong(&c, SEED, COUNT, y) > COUNT * 8 / 10);
	}
}

static void cases_fit_the_kernels(void **state)
{
	(void)state;
	struct kernel_buffer b[KERNEL_MAX_BUFFERS];
	for (size_t i = 0; i < allnorm_family.ncases; i++) {
		const struct kernel_case *c = &allnorm_family.cases[i];
		assert_int_equal(allnorm_family.buffers(c, b), ALLNORM_SCRATCH);
		assert_true(b[ALLNORM_W].count <= KERNEL_MADE_MOST);
		assert_true(b[ALLNORM_R].count <= KERNEL_MADE_MOST);
		assert_int_equal(allnorm_hidden(c) % 8, 0);
		assert_true(allnorm_hidden(c) <= ALLNORM_MOST);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_gpu_gets_the_sum_and_its_norm),
	        cmocka_unit_test(two_gpus_have_one_right_residual),
	        cmocka_unit_test(what_is_left_out_shows),
	        cmocka_unit_test(cases_fit_the_kernels),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
