/* The small cases; a variant that supports none uses its smallest measured case. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_variant_has_one)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
