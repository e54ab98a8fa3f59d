/* The differences between two runs of a case. All values are SYNTHETIC. */
#include "site-gen/records/what_changed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

/* Two runs of one case, alike but for what a test changes in the second. */
struct two {
	struct arena arena;
	struct run_pair tool[2][2];
	struct run_source source[2][2];
	struct run_case c[2];
	struct data_case d[2];
	struct data_run run[2];
	struct pick pick[2];
};

static int make(void **state)
{
	struct two *t = calloc(1, sizeof *t);
	for (int i = 0; i < 2; i++) {
		t->tool[i][0] = (struct run_pair){"nvcc", "13.0", 0};
		t->tool[i][1] = (struct run_pair){"cc", "gcc 12", 0};
		t->source[i][0] = (struct run_source){"a.cu", "1111"};
		t->source[i][1] = (struct run_source){"a.h", "2222"};
		t->c[i] = (struct run_case){.device = "cuda", .source = t->source[i], .nsource = 2};
		t->c[i].build.flags = "-O3";
		t->d[i].c = &t->c[i];
		t->run[i].run.head.gpu.driver = "580.1";
		t->run[i].run.head.toolchain = t->tool[i];
		t->run[i].run.head.ntoolchain = 2;
		t->pick[i] = (struct pick){&t->run[i], &t->d[i]};
	}
	*state = t;
	return 0;
}

static int drop(void **state)
{
	struct two *t = *state;
	arena_free(&t->arena);
	free(t);
	return 0;
}

static const char *changed(struct two *t)
{
	return what_changed(&t->pick[1], &t->pick[0], &t->arena);
}

static void nothing_is_nothing(void **state)
{
	assert_null(changed(*state));
}

static void each_is_named(void **state)
{
	struct two *t = *state;
	t->run[1].run.head.gpu.driver = "590.2";
	assert_string_equal(changed(t), "driver 590.2");
	t->tool[1][0].word = "13.1";
	assert_string_equal(changed(t), "driver 590.2; nvcc 13.1");
	t->c[1].build.flags = "-O2";
	assert_string_equal(changed(t), "driver 590.2; nvcc 13.1; flags");
	t->source[1][1].blob = "3333";
	assert_string_equal(changed(t), "driver 590.2; nvcc 13.1; flags; source");
}

/* What a library chose is a change only if both runs say it. */
static void a_choice_is_named(void **state)
{
	struct two *t = *state;
	struct run_pair was[] = {{"algorithm", NULL, 66}, {"stages", NULL, 4}};
	struct run_pair is[] = {{"algorithm", NULL, 66}, {"stages", NULL, 5}};
	t->c[1].build.choice = (struct run_choice){is, 2};
	assert_null(changed(t));
	t->c[0].build.choice = (struct run_choice){is, 2};
	assert_null(changed(t));
	t->c[0].build.choice.pair = was;
	assert_string_equal(changed(t), "choice algorithm 66, 5 stages");
}

/* Old records name nvcc's flags with C files, newer ones the flags that compiled them. */
static void old_flags_of_a_c_file_are_no_change(void **state)
{
	struct two *t = *state;
	for (int i = 0; i < 2; i++) {
		t->source[i][0].path = "torch.c";
		t->tool[i][1] = (struct run_pair){"flags_c", "-O3", 0};
	}
	t->c[0].build.flags = "-arch=sm_90a";
	assert_null(changed(t));
	t->tool[1][1].word = "-O2";
	assert_string_equal(changed(t), "flags");
}

/* The host's compiler matters to what runs on the host. */
static void the_host_s_compiler_is_of_the_cpu(void **state)
{
	struct two *t = *state;
	t->tool[1][1].word = "gcc 13";
	assert_null(changed(t));
	t->c[1].device = "cpu";
	assert_string_equal(changed(t), "cc gcc 13");
}

static void what_is_gone_is_none(void **state)
{
	struct two *t = *state;
	t->run[1].run.head.gpu.driver = NULL;
	t->run[1].run.head.ntoolchain = 0;
	t->c[1].build.flags = NULL;
	assert_string_equal(changed(t), "driver none; nvcc none; flags");
	t->run[0].run.head.gpu.driver = NULL;
	t->run[0].run.head.ntoolchain = 0;
	t->c[0].build.flags = "";
	assert_null(changed(t));
}

static void one_source_more_is_another_source(void **state)
{
	struct two *t = *state;
	t->c[1].nsource = 1;
	assert_string_equal(changed(t), "source");
	t->c[0].nsource = 0;
	assert_string_equal(changed(t), "source");
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, make, drop)
	const struct CMUnitTest tests[] = {
	        TEST(nothing_is_nothing),
	        TEST(each_is_named),
	        TEST(a_choice_is_named),
	        TEST(old_flags_of_a_c_file_are_no_change),
	        TEST(the_host_s_compiler_is_of_the_cpu),
	        TEST(what_is_gone_is_none),
	        TEST(one_source_more_is_another_source),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
