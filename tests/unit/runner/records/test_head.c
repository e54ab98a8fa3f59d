/* What a case record says of the build: the flags of the compiler that compiled the file. */
#include "runner/records/head.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runner/base/stamp.h"

static const struct facts machine = {.usable = true,
                                     .slug = "test",
                                     .name = "test",
                                     .cache_bytes = 65536,
                                     .free_bytes = 1 << 30,
                                     .threads = 2};

/* The flags that a case of this file records. */
static const char *recorded(const char *file, enum kernel_where where)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct plan p;
	struct run_case c;
	if (!plan_make(KERNEL_CPU, PLAN_MEASURE, &machine, NULL, 0, &a, &p, &e))
		fail_msg("%s", e.text);
	struct item it = p.item[0];
	struct kernel_variant v = *it.variant;
	struct kernel_family f = *it.family;
	v.file = file;
	v.where = where;
	v.role = KERNEL_PEER;
	f.variants = &v;
	it.family = &f;
	it.variant = &v;
	head_case(&it, &a, &c);
	const char *flags = c.build.flags;
	arena_free(&a);
	return flags; /* the stamp's own */
}

static void flags_are_those_of_the_file(void **state)
{
	(void)state;
	assert_ptr_not_equal(stamp.flags_c, stamp.flags_cuda);
	assert_ptr_equal(recorded("kernels/reduce/cpu.c", KERNEL_CPU), stamp.flags_c);
	assert_ptr_equal(recorded("kernels/reduce/tree.cu", KERNEL_CUDA), stamp.flags_cuda);
	/* a peer that runs on the GPU and is written in C */
	assert_ptr_equal(recorded("kernels/torch.c", KERNEL_CUDA), stamp.flags_c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(flags_are_those_of_the_file)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
