/* Mistakes in a family's table are reported before anything runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runner/plan/family.h"
#include "tests/unit/help/faulty.h"

static void expect(const struct kernel_family *f, const char *want)
{
	struct err e = ERR_NONE;
	assert_int_equal(family_check(f, &e), want == NULL);
	if (want)
		assert_string_equal(e.text, want);
}

static void what_is_missing_is_named(void **state)
{
	(void)state;
	struct kernel_family f = faulty_family;
	expect(&f, NULL);
	f.expect = NULL;
	expect(&f, "kernels/faulty/family.c: family 'faulty' has no expect(), see "
	           "kernels/kernel.h");
	f = faulty_family;
	f.metric = "bandwith";
	expect(&f, "kernels/faulty/family.c: metric 'bandwith': expected bandwidth, throughput, "
	           "rate or latency");
	f = faulty_family;
	f.nvariants = 0;
	expect(&f, "kernels/faulty/family.c: family 'faulty' has no variants, see "
	           "kernels/kernel.h");
}

static void rows_have_names_of_their_own(void **state)
{
	(void)state;
	struct kernel_variant v[2] = {faulty_variants[0], faulty_variants[1]};
	struct kernel_family f = faulty_family;
	f.variants = v;
	f.nvariants = 2;
	expect(&f, NULL);
	v[1].id = v[0].id;
	expect(&f, "kernels/faulty/family.c: two variants are called 'good'");
	v[1].id = NULL;
	expect(&f, "kernels/faulty/family.c: row 2 of the variants has no id, see "
	           "kernels/kernel.h");
}

static void a_result_of_its_own_is_prepared(void **state)
{
	(void)state;
	struct kernel_variant v = faulty_variants[0];
	struct kernel_family f = faulty_family;
	f.variants = &v;
	f.nvariants = 1;
	v.owns_result = true;
	expect(&f, "kernels/faulty/family.c: variant 'good' owns its result, but has no prepare() "
	           "that says where it is");
}

/* Two rows of the same case must be timed in different ways; otherwise one is superfluous. */
static void rows_are_cases_of_their_own(void **state)
{
	(void)state;
	struct kernel_case c[2] = {faulty_cases[0], faulty_cases[0]};
	struct kernel_family f = faulty_family;
	f.cases = c;
	f.ncases = 2;
	c[0].use = KERNEL_MEASURE_CUDA | KERNEL_HOT;
	c[1].use = KERNEL_MEASURE_CUDA | KERNEL_HOST;
	expect(&f, NULL);
	c[1].use = KERNEL_MEASURE_CUDA | KERNEL_COLD | KERNEL_HOT;
	expect(&f, "kernels/faulty/family.c: rows 1 and 2 of the cases are the same");
	c[1].dtype = c[0].dtype == KERNEL_F32 ? KERNEL_BF16 : KERNEL_F32;
	expect(&f, NULL);
}

/* If this build has compiled the family's own file, it must have compiled the rows' files, too. */
static void rows_name_files_that_were_compiled(void **state)
{
	(void)state;
	struct kernel_variant v = faulty_variants[0];
	struct kernel_family f = faulty_family;
	f.file = "kernels/stream/family.c";
	f.variants = &v;
	f.nvariants = 1;
	v.file = "kernels/stream/c_scalar.c";
	expect(&f, NULL);
	v.file = "kernels/stream/c_scala.c";
	expect(&f, "kernels/stream/family.c: variant 'good' names kernels/stream/c_scala.c, which "
	           "is no file of this build");
	v.file = "kernels/stream/c_scalar.c";
	v.launch = NULL;
	expect(&f, "kernels/stream/family.c: variant 'good': kernels/stream/c_scalar.c does not "
	           "define the function it launches");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_is_missing_is_named),
	        cmocka_unit_test(rows_have_names_of_their_own),
	        cmocka_unit_test(a_result_of_its_own_is_prepared),
	        cmocka_unit_test(rows_are_cases_of_their_own),
	        cmocka_unit_test(rows_name_files_that_were_compiled),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
