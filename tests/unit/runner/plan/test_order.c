/* The order of a process: cases at random, then blocks of those with load=steady. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "lib/array.h"
#include "runner/plan/order.h"

static const struct kernel_family one, other;

#define SHAPE(n)                                                              \
	{                                                                     \
		.param = {{"n", n, NULL}}, .nparams = 1, .dtype = KERNEL_BF16 \
	}
/* the second row has the shape of the first */
static const struct kernel_case shapes[] = {SHAPE(4096), SHAPE(4096), SHAPE(8192)};

static struct item steady(const struct kernel_family *f, size_t shape)
{
	return (struct item){
	        .family = f, .kcase = &shapes[shape], .way = {.cold = true, .load = WAY_STEADY}};
}

enum { BURSTS = 20, ITEMS = BURSTS + 12 };

/* Bursts, then three blocks of four items each, mixed. */
static void fill(struct item *it)
{
	for (size_t i = 0; i < BURSTS; i++)
		it[i] = (struct item){.family = &one, .kcase = &shapes[i % 3]};
	it[0].way.load = WAY_SUSTAINED;
	for (size_t i = BURSTS; i < ITEMS; i++)
		it[i] = i % 3 == 0   ? steady(&one, i % 2)
		        : i % 3 == 1 ? steady(&one, 2)
		                     : steady(&other, 0);
	it[ITEMS - 1].null = 1; /* a null control belongs to its block */
	it[ITEMS - 2].way.input = INPUT_ZEROS;
}

static void blocks_stay_together(void **state)
{
	(void)state;
	struct item it[ITEMS];
	struct plan p = {.item = it, .n = ITEMS, .set = {.seed = 7}};
	size_t order[ITEMS], before[ITEMS] = {0}, moved = 0, first_of[3] = {0};
	fill(it);
	for (int64_t launch = 0; launch < 200; launch++) {
		size_t seen[ITEMS] = {0}, blocks = 1;
		order_of(&p, launch, order);
		for (size_t i = 0; i < ITEMS; i++)
			assert_int_equal(seen[order[i]]++, 0);
		for (size_t i = 0; i < BURSTS; i++)
			assert_true(order[i] < BURSTS);
		for (size_t i = BURSTS + 1; i < ITEMS; i++)
			blocks += !order_same_block(&it[order[i - 1]], &it[order[i]]);
		assert_int_equal(blocks, 3);
		first_of[order[BURSTS] % 3]++;
		moved += launch > 0 && memcmp(order, before, sizeof order) != 0;
		memcpy(before, order, sizeof order);
	}
	assert_int_equal(moved, 199);
	for (size_t b = 0; b < 3; b++) /* each block is the first about as often */
		assert_in_range(first_of[b], 40, 95);
}

/* Every item of a block comes to every place in it. */
static void a_block_is_in_random_order(void **state)
{
	(void)state;
	struct item it[4] = {steady(&one, 0), steady(&one, 1), steady(&one, 0), steady(&one, 1)};
	struct plan p = {.item = it, .n = 4, .set = {.seed = 3}};
	size_t order[4], at[4][4] = {{0}};
	for (int64_t launch = 0; launch < 400; launch++) {
		order_of(&p, launch, order);
		for (size_t i = 0; i < 4; i++)
			at[order[i]][i]++;
	}
	for (size_t i = 0; i < 4; i++)
		for (size_t k = 0; k < 4; k++)
			assert_in_range(at[i][k], 70, 130);
}

static void a_block_is_one_shape(void **state)
{
	(void)state;
	struct item x = steady(&one, 0), y = steady(&one, 1);
	assert_true(order_same_block(&x, &y));
	y.way.input = INPUT_ZEROS;
	y.null = 1;
	assert_true(order_same_block(&x, &y));
	y.way.cold = false;
	assert_false(order_same_block(&x, &y));
	y = steady(&one, 2);
	assert_false(order_same_block(&x, &y));
	y = steady(&other, 0);
	assert_false(order_same_block(&x, &y));
	y = x;
	y.way.load = WAY_SUSTAINED;
	assert_false(order_same_block(&x, &y) || order_same_block(&y, &y));
}

/* Without load=steady it is what it always was, and so is the text in the record. */
static void nothing_else_changes(void **state)
{
	(void)state;
	struct item it[ITEMS];
	struct plan p = {.item = it, .n = BURSTS, .set = {.seed = 7}};
	size_t order[BURSTS], plain[BURSTS];
	fill(it);
	order_of(&p, 5, order);
	order_shuffle(7, 5, plain, BURSTS);
	assert_memory_equal(order, plain, sizeof order);
	assert_string_equal(order_text(&p), "random within each launch");
	p.n = ITEMS;
	assert_non_null(strstr(order_text(&p), "; load=steady after the others"));
	assert_true(order_is(order_text(&p)) && order_is("random within each launch"));
	assert_false(order_is("A, B, null control"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(blocks_stay_together),
	        cmocka_unit_test(a_block_is_in_random_order),
	        cmocka_unit_test(a_block_is_one_shape),
	        cmocka_unit_test(nothing_else_changes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
