/* Fork and join: every item exactly once, in runs of whole grains. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "kernels/parallel.h"

struct tally {
	unsigned char *count; /* visits of each item */
	size_t begin[PARALLEL_MAX], end[PARALLEL_MAX];
};

static void visit(void *arg, int part, size_t begin, size_t end)
{
	struct tally *t = arg;
	t->begin[part] = begin;
	t->end[part] = end;
	for (size_t i = begin; i < end; i++)
		t->count[i]++;
}

static int split(int threads, size_t n, size_t grain, struct tally *t)
{
	t->count = calloc(n + 1, 1);
	assert_non_null(t->count);
	int parts = parallel_for(threads, n, grain, visit, t);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(t->count[i], 1);
	free(t->count);
	for (int p = 0; p < parts; p++) {
		assert_int_equal(t->begin[p], p ? t->end[p - 1] : 0);
		assert_int_equal(t->begin[p] % grain, 0);
	}
	assert_int_equal(t->end[parts - 1], n);
	return parts;
}

static void every_item_once(void **state)
{
	(void)state;
	static const size_t lengths[] = {1, 2, 7, 63, 64, 65, 1000, 4097, 100003};
	static const size_t grains[] = {1, 16, 4096};
	struct tally t;
	for (size_t l = 0; l < ARRAY_LEN(lengths); l++)
		for (size_t g = 0; g < ARRAY_LEN(grains); g++)
			for (int threads = 1; threads <= 9; threads++)
				assert_true(split(threads, lengths[l], grains[g], &t) <= threads);
}

static void parts_are_bounded(void **state)
{
	(void)state;
	struct tally t;
	assert_int_equal(split(4, 100, 1, &t), 4);
	assert_int_equal(split(4, 3, 1, &t), 3);
	assert_int_equal(split(4, 4096, 4096, &t), 1);
	assert_int_equal(split(0, 10, 1, &t), 1);
	assert_int_equal(split(1000, 1000, 1, &t), PARALLEL_MAX);
	assert_int_equal(split(3, 0, 16, &t), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_item_once),
	        cmocka_unit_test(parts_are_bounded),
	};
	return cmocka_run_group_tests_name("parallel", tests, NULL, NULL);
}
