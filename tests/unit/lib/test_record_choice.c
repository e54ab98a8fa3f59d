/* What a library chose by trying: in a line, in words, compared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/record.h"

static struct run_choice parsed(const char *text, struct arena *a)
{
	struct run_choice c;
	if (!record_choice_parse(str_of(text), a, &c))
		fail_msg("%s", text);
	return c;
}

static void a_line_comes_back(void **state)
{
	(void)state;
	static const char *const lines[] = {
	        "", "stages=4", "call=cuBLASLt algorithm=66 tile=128x256x64 shift=-1 data=1f.0.3"};
	struct arena a = {0};
	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		struct run_choice c = parsed(lines[i], &a);
		assert_string_equal(record_choice_text(&c, &a), lines[i]);
	}
	struct run_choice c = parsed(lines[2], &a);
	assert_int_equal(c.n, 5);
	assert_true(c.pair[1].num == 66 && !c.pair[1].word && c.pair[3].num == -1);
	assert_string_equal(c.pair[2].word, "128x256x64");
	arena_free(&a);
}

static void what_is_no_choice_is_refused(void **state)
{
	(void)state;
	static const char *const lines[] = {"stages",    "=4",       "stages=",     "stages=4 ",
	                                    " stages=4", "a=1  b=2", "a=1 b=2 a=1", "a=\xff"};
	struct arena a = {0};
	struct run_choice c;
	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		assert_false(record_choice_parse(str_of(lines[i]), &a, &c));
	arena_free(&a);
}

static void a_choice_in_words(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
	        {"call=cuBLASLt version=13.1.0 algorithm=66 tile=128x256 stages=4 split_k=1 "
	         "data=1f",
	         "cuBLASLt algorithm 66, tile 128x256, 4 stages, no split-K"},
	        {"call=cuBLASLt version=13.1.0 algorithm=21 tile_id=700 stages=1 split_k=8 "
	         "cluster=2x1 swizzle=1 custom=3",
	         "cuBLASLt algorithm 21, tile_id 700, 1 stage, split-K in 8, cluster 2x1, "
	         "swizzled, option 3"},
	        {"call=cublasGemmEx version=13.1.0", "cublasGemmEx"},
	        {"warps=1 RESIDENT=0", "1 warp, RESIDENT 0"},
	        {"warps=8 RESIDENT=4 STAGES=2", "8 warps, RESIDENT 4, STAGES 2"},
	        {"", ""},
	};
	struct arena a = {0};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct run_choice c = parsed(cases[i][0], &a);
		assert_string_equal(record_choice_words(&c, &a), cases[i][1]);
	}
	arena_free(&a);
}

static void choices_are_compared_pair_by_pair(void **state)
{
	(void)state;
	static const char *const others[] = {"algorithm=67 tile=8x8",  "algorithm=66 tile=8x16",
	                                     "algorithm=66",           "tile=8x8 algorithm=66",
	                                     "algorithm=x66 tile=8x8", "algo=66 tile=8x8"};
	struct arena a = {0};
	struct run_choice c = parsed("algorithm=66 tile=8x8", &a), none = {0};
	struct run_choice same = parsed("algorithm=66 tile=8x8", &a);
	assert_true(record_choice_same(&c, &same) && record_choice_agrees(&c, &same));
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		struct run_choice other = parsed(others[i], &a);
		assert_false(record_choice_same(&c, &other) || record_choice_agrees(&c, &other));
	}
	assert_false(record_choice_same(&c, &none));
	assert_true(record_choice_agrees(&c, &none) && record_choice_agrees(&none, &c));
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_line_comes_back),
	        cmocka_unit_test(what_is_no_choice_is_refused),
	        cmocka_unit_test(a_choice_in_words),
	        cmocka_unit_test(choices_are_compared_pair_by_pair),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
