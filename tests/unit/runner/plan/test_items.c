/*
 * The small cases; a variant that supports none uses its smallest measured case. And the cases of a
 * sweep: measured if a selector names the knob, checked always.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "lib/array.h"
#include "runner/plan/plan.h"

#define CASE(length, for_what)                                                \
	{                                                                     \
		.param = {{"n", length, NULL}}, .nparams = 1, .use = for_what \
	}

static const struct kernel_case cases[] = {
        CASE(5, KERNEL_CHECK),
        CASE(7, KERNEL_CHECK),
        CASE(4096, KERNEL_MEASURE_CPU | KERNEL_HOT | KERNEL_COLD),
        CASE(1024, KERNEL_MEASURE_CPU | KERNEL_HOT | KERNEL_COLD),
        CASE(512, KERNEL_MEASURE_CUDA | KERNEL_HOT),
};

static size_t buffers(const struct kernel_case *c, struct kernel_buffer b[])
{
	b[0] = kernel_out("y", KERNEL_F32, (size_t)kernel_num(c, "n"));
	return 1;
}

static int launch(const struct kernel_case *c, const struct kernel_env *env, void *const *buf,
                  void *state)
{
	(void)c, (void)env, (void)buf, (void)state;
	return 0;
}

static void model(const struct kernel_case *c, struct kernel_model *m)
{
	m->bytes_written = 4 * kernel_num(c, "n");
}

static void expect(const struct kernel_case *c, uint64_t seed, const size_t *idx, size_t n,
                   double *value, double *magnitude)
{
	(void)c, (void)seed, (void)idx;
	memset(value, 0, n * sizeof *value);
	memset(magnitude, 0, n * sizeof *magnitude);
}

static size_t terms(const struct kernel_case *c)
{
	(void)c;
	return 1;
}

static double tolerance(const struct kernel_case *c, const char **why)
{
	(void)c;
	*why = "exact";
	return 0;
}

static bool large(const struct kernel_case *c)
{
	return kernel_num(c, "n") >= 100;
}

static bool odd(const struct kernel_case *c)
{
	return kernel_num(c, "n") != 5;
}

#define ROW .title = "a test", .idea = "a test", .file = "kernels/small/all.c"

static const struct kernel_variant variants[] = {
        {.id = "all", ROW, .launch = launch},
        {.id = "library", ROW, .launch = launch, .supports = large},
        {.id = "odd", ROW, .launch = launch, .supports = odd},
};

static const struct kernel_family family = {.id = "small",
                                            .title = "A test",
                                            .problem = "A test.",
                                            .metric = "bandwidth",
                                            .file = "kernels/small/family.c",
                                            .cases = cases,
                                            .ncases = ARRAY_LEN(cases),
                                            .variants = variants,
                                            .nvariants = ARRAY_LEN(variants),
                                            .buffers = buffers,
                                            .model = model,
                                            .expect = expect,
                                            .terms = terms,
                                            .tolerance = tolerance};

/* The knob `depth` of the variant `all`. A test may put other values into it. */
static int swept(const struct kernel_case *c, const struct kernel_env *env, void *const *buf,
                 void *state)
{
	(void)env, (void)buf, (void)state;
	return (int)kernel_num(c, "depth");
}

static struct kernel_knob knob;
static const struct kernel_knob depth = {.variant = "all",
                                         .name = "depth",
                                         .unit = "slots",
                                         .chosen = 4,
                                         .value = {2, 4, 8},
                                         .file = "kernels/small/all_depth.c",
                                         .launch = swept};

static const struct kernel_knob *knob_of(const struct kernel_variant *v)
{
	return knob.variant && strcmp(knob.variant, v->id) == 0 ? &knob : NULL;
}

#define TABLE_KNOB(v) knob_of(v)

static const struct kernel_family *const table_families[] = {&family};
#include "tests/unit/help/kernel_table.h"

static bool planned(const struct plan *p, const char *variant, int64_t n)
{
	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->item[i].variant->id, variant) == 0 &&
		    kernel_num(p->item[i].kcase, "n") == n)
			return true;
	return false;
}

static void every_variant_has_one(void **state)
{
	(void)state;
	static const struct facts machine = {
	        .usable = true, .slug = "test", .cache_bytes = 4096, .free_bytes = 1 << 30};
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct plan p;
	assert_true(plan_make(KERNEL_CPU, PLAN_SMALL, &machine, NULL, 0, &a, &p, &e));
	assert_int_equal(p.n, 4);
	assert_true(planned(&p, "all", 5) && planned(&p, "all", 7));
	assert_true(planned(&p, "library", 1024));
	assert_true(planned(&p, "odd", 7));
	arena_free(&a);
}

static const struct facts host = {
        .usable = true, .slug = "test", .cache_bytes = 4096, .free_bytes = 1 << 30};

/* How many items of a plan are of the sweep, and whether each calls the function of the sweep. */
static size_t count_swept(const struct plan *p)
{
	size_t n = 0;
	for (size_t i = 0; i < p->n; i++) {
		const struct item *it = &p->item[i];
		if (!it->knob) {
			assert_true(it->variant->launch == launch);
			continue;
		}
		n++;
		assert_string_equal(it->variant->id, "all");
		assert_string_equal(it->variant->file, "kernels/small/all_depth.c");
		assert_int_equal(it->variant->launch(it->kcase, NULL, NULL, NULL),
		                 kernel_num(it->kcase, "depth"));
	}
	return n;
}

static size_t swept_by(enum plan_use use, const char *selector, struct arena *a, struct plan *p)
{
	struct err e = ERR_NONE;
	struct selector s;
	if (selector && !select_parse(selector, &s, &e))
		fail_msg("%s", e.text);
	if (!plan_make(KERNEL_CPU, use, &host, &s, selector != NULL, a, p, &e))
		fail_msg("%s", e.text);
	return count_swept(p);
}

static void a_sweep_is_measured_if_the_knob_is_named(void **state)
{
	(void)state;
	struct arena a = {0};
	struct plan p;
	knob = depth;
	assert_int_equal(swept_by(PLAN_MEASURE, NULL, &a, &p), 0);
	assert_int_equal(swept_by(PLAN_MEASURE, "small/all", &a, &p), 0);
	assert_int_equal(swept_by(PLAN_MEASURE, "small/all:n=4096,cache=hot", &a, &p), 0);
	/* three values, two sizes, cold and hot; nothing else, since only they have the knob */
	assert_int_equal(swept_by(PLAN_MEASURE, "small/*:depth=*", &a, &p), 12);
	assert_int_equal(p.n, 12);
	/* the two sizes are two problems, whatever the value of the knob is */
	assert_int_equal(p.ncases, 2);
	assert_int_equal(swept_by(PLAN_MEASURE, "small/all:depth=8,n=4096,cache=hot", &a, &p), 1);
	assert_string_equal(p.item[0].id, "small/all:n=4096,depth=8,dtype=f32,cache=hot");
	assert_int_equal(swept_by(PLAN_MEASURE, p.item[0].id, &a, &p), 1);
	arena_free(&a);
}

static void a_sweep_is_checked_always(void **state)
{
	(void)state;
	struct arena a = {0};
	struct plan p;
	knob = depth;
	/* at n=5 and n=7; the small cases are for slow tools, which get two of the three values */
	assert_int_equal(swept_by(PLAN_SMALL, NULL, &a, &p), 4);
	assert_int_equal(p.n, 4 + 4);
	assert_int_equal(swept_by(PLAN_CHECK, "small/all:n=5", &a, &p), 3);
	assert_int_equal(swept_by(PLAN_CHECK, "small/all:depth=2", &a, &p), 4);
	knob = (struct kernel_knob){0};
	assert_int_equal(swept_by(PLAN_SMALL, NULL, &a, &p), 0);
	arena_free(&a);
}

static void fails_to_plan(const char *why)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct plan p;
	assert_false(plan_make(KERNEL_CPU, PLAN_SMALL, &host, NULL, 0, &a, &p, &e));
	if (!strstr(e.text, why))
		fail_msg("'%s' does not say '%s'", e.text, why);
	arena_free(&a);
}

static void a_wrong_knob_is_an_error(void **state)
{
	(void)state;
	struct selector s;
	struct err e = ERR_NONE;
	knob = depth;
	knob.chosen = 3;
	fails_to_plan("must ascend");
	knob = depth;
	knob.value[2] = 3;
	fails_to_plan("must ascend");
	knob = depth;
	knob.name = "n";
	fails_to_plan("a parameter of the family");
	knob.name = "load";
	fails_to_plan("a way of measuring");
	knob.name = "cache";
	fails_to_plan("a key of selectors");
	knob = depth;
	knob.unit = NULL;
	fails_to_plan("has no unit");
	knob = depth;
	assert_false(select_parse("small/odd:depth=2", &s, &e));
	knob = (struct kernel_knob){0};
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_variant_has_one),
	        cmocka_unit_test(a_sweep_is_measured_if_the_knob_is_named),
	        cmocka_unit_test(a_sweep_is_checked_always),
	        cmocka_unit_test(a_wrong_knob_is_an_error),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
