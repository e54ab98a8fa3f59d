/* Selectors, and the plans that they make. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runner/plan/plan.h"
#include "runner/plan/select.h"
#include "runner/plan/method.h"
#include "runner/plan/order.h"
#include "tests/unit/help/faulty.h"

static void expect_error(const char *text, const char *want)
{
	struct err e = ERR_NONE;
	struct selector s;
	assert_false(select_parse(text, &s, &e));
	assert_string_equal(e.text, want);
}

static void names_must_exist(void **state)
{
	(void)state;
	expect_error("falty",
	             "selector 'falty': no family 'falty' in kernels/families.c; nearest: faulty");
	expect_error("faulty/god", "selector 'faulty/god': no variant 'god' in "
	                           "kernels/faulty/family.c; nearest: good, gone, gpu");
	expect_error("faulty:m=3", "selector 'faulty:m=3': no parameter 'm' in "
	                           "kernels/faulty/family.c; nearest: n, op, dtype");
}

static void malformed_selectors(void **state)
{
	(void)state;
	expect_error("faulty/", "selector 'faulty/': expected family/variant:param=value,...");
	expect_error("n=5", "selector 'n=5': expected family/variant:param=value,...");
	expect_error("faulty:", "selector 'faulty:': expected family/variant:param=value,...");
	expect_error("faulty:n", "selector 'faulty:n': expected name=value, not 'n'");
	expect_error("faulty:n=", "selector 'faulty:n=': expected name=value, not 'n='");
}

static bool means(const char *text, const char *variant, int which, bool cold)
{
	struct err e = ERR_NONE;
	struct selector s;
	assert_true(select_parse(text, &s, &e));
	return select_matches(&s, &faulty_family, kernel_variant_find(&faulty_family, variant),
	                      &faulty_cases[which], &(struct way){.cold = cold});
}

static void what_a_selector_means(void **state)
{
	(void)state;
	assert_true(means("faulty", "good", 0, false));
	assert_true(means("f*/g*", "good", 0, false));
	assert_false(means("faulty/g*", "wrong", 0, false));
	assert_true(means("faulty/{good,wrong}:n=2^12,op=tw*", "wrong", 1, false));
	assert_true(means("faulty:n=4Ki", "good", 1, false));
	assert_false(means("faulty:n=4Ki", "good", 0, false));
	assert_true(means("faulty:n={5,2^12}", "good", 1, false));
	assert_false(means("faulty:n={5,6,2^13}", "good", 1, false));
	assert_true(means("faulty:n=4*", "good", 1, false));
	assert_true(means("faulty:cache=cold", "good", 1, true));
	assert_false(means("faulty:cache=cold", "good", 1, false));
	assert_true(means("faulty:dtype=f32", "good", 0, false));
	assert_false(means("faulty:dtype=bf16", "good", 0, false));
	assert_true(means("faulty:op={once,twice}", "good", 0, false));
}

static bool means_way(const char *text, struct way w)
{
	struct err e = ERR_NONE;
	struct selector s;
	assert_true(select_parse(text, &s, &e));
	return select_matches(&s, &faulty_family, kernel_variant_find(&faulty_family, "good"),
	                      &faulty_cases[1], &w);
}

static void ways_are_keys(void **state)
{
	(void)state;
	const struct way usual = {0}, host = {.host = true}, long_load = {.load = WAY_SUSTAINED},
	                 zeros = {.input = INPUT_ZEROS};
	assert_true(means_way("faulty:side=host", host));
	assert_false(means_way("faulty:side=host", usual));
	assert_true(means_way("faulty:side=device,load=burst", usual));
	assert_true(means_way("faulty:load=sus*", long_load));
	assert_false(means_way("faulty:load=burst", long_load));
	assert_false(means_way("faulty:input=zeros", usual));
	assert_true(means_way("faulty:input={zeros,full}", zeros));
}

/* The id of a recorded case matches only that case, measured in that way. */
static void an_id_means_one_case_of_a_record(void **state)
{
	(void)state;
	struct run_case c = {.family = "faulty",
	                     .variant = "good",
	                     .param = {{"n", NULL, 5}},
	                     .nparams = 1,
	                     .dtype = "f32",
	                     .cache = "hot"};
	struct run_case host = c;
	struct err e = ERR_NONE;
	struct selector id, host_id, open;
	host.param[host.nparams++] = (struct run_pair){.name = "side", .word = "host"};
	assert_true(select_read("faulty/good:n=5,dtype=f32,cache=hot", &id, &e) &&
	            select_read("faulty/good:n=5,side=host,dtype=f32,cache=hot", &host_id, &e) &&
	            select_read("faulty/good:n=5", &open, &e));
	assert_true(select_means(&id, &c) && !select_means(&id, &host));
	assert_true(select_means(&host_id, &host) && !select_means(&host_id, &c));
	assert_true(select_means(&open, &c) && select_means(&open, &host));
}

/* --- the plan --- */

static const struct facts small_machine = {
        .usable = true, .slug = "test", .cache_bytes = 65536, .free_bytes = 1 << 30, .threads = 2};

static void plan_of(const char *selector, enum plan_use use, struct arena *a, struct plan *p)
{
	struct err e = ERR_NONE;
	struct selector s;
	assert_true(select_parse(selector, &s, &e));
	assert_true(plan_make(KERNEL_CPU, use, &small_machine, &s, 1, a, p, &e));
}

static void the_suite_has_an_item_per_cache_state(void **state)
{
	(void)state;
	struct arena a = {0};
	struct plan p;
	plan_of("faulty/good", PLAN_MEASURE, &a, &p);
	assert_int_equal(p.n, 2);
	assert_string_equal(p.item[0].id, "faulty/good:n=4096,op=twice,dtype=f32,cache=hot");
	assert_string_equal(p.item[1].id, "faulty/good:n=4096,op=twice,dtype=f32,cache=cold");
	assert_int_equal(p.item[0].sets, 1);
	/* a set has 32 KiB; more than twice the cache lies between two uses of it */
	assert_int_equal(p.item[1].sets, 2 * 65536 / 32768 + 1);
	plan_of("faulty/good", PLAN_CHECK, &a, &p);
	assert_int_equal(p.n, 2); /* n=5 and n=4096 */
	plan_of("faulty/replay", PLAN_CHECK, &a, &p);
	assert_int_equal(p.item[0].scratch_bytes, sizeof(struct memory));
	arena_free(&a);
}

static const char *grid_only; /* of the family of marked_plan() */

/* A plan with one marked case of one variant, for a GPU that does not exist. */
static void marked_plan(unsigned use, const char *selector, struct arena *a, struct plan *p,
                        struct err *e)
{
	struct kernel_variant *v = ARENA_NEW(a, struct kernel_variant);
	struct kernel_case *c = ARENA_NEW(a, struct kernel_case);
	struct kernel_family *f = ARENA_NEW(a, struct kernel_family);
	const struct kernel_family **list = ARENA_ARRAY(a, const struct kernel_family *, 1);
	struct selector s;
	*v = *kernel_variant_find(&faulty_family, "good");
	v->where = KERNEL_CUDA;
	*c = faulty_cases[1];
	c->use = use;
	*f = faulty_family;
	f->variants = v;
	f->cases = c;
	f->nvariants = f->ncases = 1;
	f->grid_only = grid_only;
	list[0] = f;
	if (selector)
		assert_true(select_read(selector, &s, e));
	unchecked(plan_make_of(list, 1, KERNEL_CUDA, PLAN_MEASURE, &small_machine, &s,
	                       selector != NULL, a, p, e)); /* the caller reads e */
}

#define ID(way) "faulty/good:n=4096,op=twice," way "dtype=f32,cache="

static void other_ways_are_cases_of_their_own(void **state)
{
	(void)state;
	struct arena a = {0};
	struct plan p;
	struct err e = ERR_NONE;
	const unsigned plain = KERNEL_MEASURE_CUDA | KERNEL_HOT;
	const unsigned all = plain | KERNEL_COLD | KERNEL_HOST | KERNEL_SUSTAINED | KERNEL_STEADY;
	marked_plan(all, NULL, &a, &p, &e);
	assert_int_equal(p.n, 7);
	assert_string_equal(p.item[1].id, ID("") "cold");
	assert_string_equal(p.item[3].id, ID("load=sustained,") "cold");
	assert_string_equal(p.item[5].id, ID("load=steady,") "cold");
	assert_string_equal(p.item[6].id, ID("side=host,") "hot");
	marked_plan(plain | KERNEL_STEADY, NULL, &a, &p, &e);
	assert_int_equal(p.n, 2);
	marked_plan(plain | KERNEL_STEADY, "faulty:load={sustained,steady}", &a, &p, &e);
	assert_int_equal(p.n, 2);                                /* one marked, both asked for */
	marked_plan(all, "faulty:cache=hot,n=4096", &a, &p, &e); /* open: all that is marked */
	assert_int_equal(p.n, 4);
	marked_plan(all, ID("") "hot", &a, &p, &e); /* the id of a case: that alone */
	assert_int_equal(p.n, 1);
	assert_string_equal(p.item[0].id, ID("") "hot");
	marked_plan(all, ID("side=host,") "hot", &a, &p, &e);
	assert_int_equal(p.n, 1);
	assert_true(p.item[0].way.host);
	method_choose_timer(&p.item[0], KERNEL_CUDA);
	assert_int_equal(p.item[0].timer, TIMER_HOST);
	marked_plan(plain, NULL, &a, &p, &e);
	assert_int_equal(p.n, 1);
	marked_plan(plain, "faulty:load=sustained", &a, &p, &e); /* not marked, but asked for */
	assert_int_equal(p.n, 1);
	assert_string_equal(p.item[0].id, ID("load=sustained,") "hot");
	marked_plan(plain, "faulty:input=zeros", &a, &p, &e);
	assert_string_equal(p.item[0].id, ID("input=zeros,") "hot");
	assert_int_equal(p.n, 1);
	marked_plan(plain, "faulty:input={zeros,uniform}", &a, &p, &e); /* two cases */
	assert_int_equal(p.n, 2);
	assert_int_equal(p.ncases, 2);
	assert_string_equal(p.item[0].id, ID("") "hot");
	assert_true(p.item[0].expected != p.item[1].expected);
	marked_plan(plain | KERNEL_FULL, NULL, &a, &p, &e); /* on full inputs, if none are named */
	assert_int_equal(p.n, 1);
	assert_string_equal(p.item[0].id, ID("input=full,") "hot");
	marked_plan(plain | KERNEL_FULL, "faulty", &a, &p, &e);
	assert_string_equal(p.item[0].id, ID("input=full,") "hot");
	marked_plan(plain | KERNEL_FULL, "faulty:input=uniform", &a, &p, &e);
	assert_string_equal(p.item[0].id, ID("") "hot");
	marked_plan(plain | KERNEL_FULL, ID("") "hot", &a, &p, &e); /* the id of a case says */
	assert_int_equal(p.n, 1);
	assert_string_equal(p.item[0].id, ID("") "hot");
	assert_false(e.set);
	marked_plan(plain, "faulty:input=ones", &a, &p, &e);
	assert_string_equal(e.text, "input 'ones': expected uniform, zeros, normal or full");
	arena_free(&a);
}

/* A family whose checks need the grid has no full inputs, and says why. */
static void full_inputs_need_a_tolerance_for_them(void **state)
{
	(void)state;
	struct arena a = {0};
	struct plan p;
	struct err e = ERR_NONE;
	marked_plan(KERNEL_MEASURE_CUDA | KERNEL_HOT, "faulty:input=full", &a, &p, &e);
	assert_string_equal(p.item[0].id, ID("input=full,") "hot");
	assert_null(p.item[0].unavailable);
	grid_only = "sums are compared bit for bit";
	marked_plan(KERNEL_MEASURE_CUDA | KERNEL_HOT, "faulty:input=full", &a, &p, &e);
	assert_string_equal(p.item[0].unavailable, grid_only);
	marked_plan(KERNEL_MEASURE_CUDA | KERNEL_HOT, "faulty:input=normal", &a, &p, &e);
	assert_null(p.item[0].unavailable);
	grid_only = NULL;
	assert_false(e.set);
	arena_free(&a);
}

/* What is expected of a case depends on its inputs; variants share it. */
static void one_plan_has_many_kinds_of_input(void **state)
{
	(void)state;
	struct arena a = {0};
	struct plan p;
	struct err e = ERR_NONE;
	struct selector s[2];
	assert_true(select_parse("faulty/good:cache=hot", &s[0], &e));
	assert_true(select_parse("faulty:input=zeros,cache=hot", &s[1], &e));
	assert_true(plan_make(KERNEL_CPU, PLAN_MEASURE, &small_machine, s, 2, &a, &p, &e));
	for (size_t i = 0; i < p.n; i++)
		for (size_t k = 0; k < i; k++)
			assert_int_equal(p.item[i].expected == p.item[k].expected,
			                 p.item[i].kcase == p.item[k].kcase &&
			                         p.item[i].way.input == p.item[k].way.input);
	size_t zeros = 0;
	for (size_t i = 0; i < p.n; i++)
		zeros += p.item[i].way.input == INPUT_ZEROS;
	assert_true(zeros > 1 && zeros < p.n);
	arena_free(&a);
}

static void what_does_not_fit_says_so(void **state)
{
	(void)state;
	struct arena a = {0};
	struct plan p;
	struct err e = ERR_NONE;
	struct selector s;
	struct facts tiny = small_machine;
	tiny.free_bytes = 40000;
	assert_true(select_parse("faulty/good:n=4096", &s, &e));
	assert_true(plan_make(KERNEL_CPU, PLAN_CHECK, &tiny, &s, 1, &a, &p, &e));
	assert_non_null(strstr(p.item[0].unavailable, "of memory"));
	assert_true(select_parse("faulty:n=1048576", &s, &e));
	assert_false(plan_make(KERNEL_CPU, PLAN_MEASURE, &tiny, &s, 1, &a, &p, &e));
	assert_string_equal(e.text, "selector 'faulty:n=1048576': nothing to measure on cpu; "
	                            "'runner list faulty' shows what there is, and where it "
	                            "runs");
	arena_free(&a);
}

static void order_is_a_seeded_permutation(void **state)
{
	(void)state;
	size_t a[50], b[50], c[50], seen[50] = {0};
	order_shuffle(7, 0, a, 50);
	order_shuffle(7, 0, b, 50);
	order_shuffle(7, 1, c, 50);
	assert_memory_equal(a, b, sizeof a);
	assert_memory_not_equal(a, c, sizeof a);
	for (size_t i = 0; i < 50; i++)
		seen[a[i]]++;
	for (size_t i = 0; i < 50; i++)
		assert_int_equal(seen[i], 1);
}

static void inputs_differ_between_launches_and_sets(void **state)
{
	(void)state;
	assert_int_not_equal(plan_input_seed(1, 0, 0), plan_input_seed(1, 0, 1));
	assert_int_not_equal(plan_input_seed(1, 0, 0), plan_input_seed(1, 1, 0));
	assert_int_equal(plan_input_seed(1, 3, 0), plan_input_seed(1, 3, 2));
}

static void timer_follows_the_time_of_a_call(void **state)
{
	(void)state;
	struct item it = {.sets = 7, .call_ns = 3000, .variant = &faulty_family.variants[0]};
	method_choose_timer(&it, KERNEL_CUDA);
	assert_int_equal(it.timer, TIMER_GRAPH);
	assert_int_equal(it.batch % 7, 0);
	assert_true(it.batch * it.call_ns >= 1000000);
	it.call_ns = 300000;
	method_choose_timer(&it, KERNEL_CUDA);
	assert_int_equal(it.timer, TIMER_EVENTS);
	assert_int_equal(it.batch, 4);
	it.call_ns = 5000000;
	method_choose_timer(&it, KERNEL_CUDA);
	assert_int_equal(it.timer, TIMER_EVENTS);
	assert_int_equal(it.batch, 1);
	it.call_ns = 1000;
	method_choose_timer(&it, KERNEL_CPU);
	assert_int_equal(it.timer, TIMER_CLOCK);
	assert_true(it.batch >= 100);
}

static int thirty_entries(const struct kernel_case *c)
{
	(void)c;
	return 30;
}

static void calls_that_ask_for_it_stay_in_the_stream(void **state)
{
	(void)state;
	struct kernel_variant v = faulty_family.variants[0];
	struct item it = {.sets = 1, .call_ns = 3000, .variant = &v};
	v.queued = thirty_entries;
	method_choose_timer(&it, KERNEL_CUDA);
	assert_int_equal(it.timer, TIMER_EVENTS); /* no graph, however short the call */
	assert_true(it.batch > 1);
	assert_true(it.batch * 30 <= 500); /* no more than the queue takes */
	it.way.host = true;
	method_choose_timer(&it, KERNEL_CUDA);
	assert_int_equal(it.timer, TIMER_HOST);
	assert_true(it.batch >= 1);
	assert_true(it.batch * 30 <= 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(names_must_exist),
	        cmocka_unit_test(malformed_selectors),
	        cmocka_unit_test(what_a_selector_means),
	        cmocka_unit_test(ways_are_keys),
	        cmocka_unit_test(an_id_means_one_case_of_a_record),
	        cmocka_unit_test(the_suite_has_an_item_per_cache_state),
	        cmocka_unit_test(other_ways_are_cases_of_their_own),
	        cmocka_unit_test(full_inputs_need_a_tolerance_for_them),
	        cmocka_unit_test(one_plan_has_many_kinds_of_input),
	        cmocka_unit_test(what_does_not_fit_says_so),
	        cmocka_unit_test(order_is_a_seeded_permutation),
	        cmocka_unit_test(inputs_differ_between_launches_and_sets),
	        cmocka_unit_test(timer_follows_the_time_of_a_call),
	        cmocka_unit_test(calls_that_ask_for_it_stay_in_the_stream),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
