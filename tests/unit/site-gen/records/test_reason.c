/* Reasons are said in the language of the page. */
#include "site-gen/records/reason.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "site-gen/records/data.h"

static struct config_word word[] = {{"zh", "bandwidth", "带宽"},
                                    {"zh", "semicolon", "；"},
                                    {"zh", "why_few", "只有 {1} 个，至少要 {2} 个"},
                                    {"zh", "why_over_peak", "{1}是峰值（{3}）的 {2} %"},
                                    {"zh", "why_superseded", "运行 {1} 重新测量了它"}};
static const struct config config = {.language = "en", .word = word, .nwords = 5};
static const struct words zh = {&config, "zh"};

static void a_word_may_fill_a_reason(void **state)
{
	(void)state;
	struct arena a = {0};
	const struct reason r = {.word = "why_over_peak", .with = {"bandwidth", "120", "HBM3e"}};
	assert_string_equal(reason_text(NULL, &r, &a),
	                    "impossible: its bandwidth is 120 % of the theoretical peak (HBM3e)");
	assert_string_equal(reason_text(&zh, &r, &a), "带宽是峰值（HBM3e）的 120" NBSP "%");
	arena_free(&a);
}

/* A case has several reasons for a state, and several states; the worst comes first. */
static void a_case_says_all_its_reasons(void **state)
{
	(void)state;
	struct arena a = {0};
	struct data_case k = {0};
	assert_null(data_case_why_state(&zh, &k, &a));
	data_case_add(&k, DATA_SUPERSEDED,
	              (struct reason){.word = "why_superseded", .with = {"r2"}}, &a);
	data_case_add(&k, DATA_UNSTEADY, (struct reason){.word = "why_few", .with = {"5", "10"}},
	              &a);
	data_case_add(&k, DATA_UNSTEADY, (struct reason){.word = "why_few", .with = {"6", "10"}},
	              &a);
	assert_int_equal(k.state, DATA_UNSTEADY);
	assert_string_equal(k.why_state, "5 processes, at least 10 are needed; 6 processes, at "
	                                 "least 10 are needed; run r2 measured it again");
	assert_string_equal(data_case_why(&zh, &k, DATA_UNSTEADY, &a),
	                    "只有 5 个，至少要 10 个；只有 6 个，至少要 10 个");
	assert_string_equal(data_case_why_state(&zh, &k, &a),
	                    "只有 5 个，至少要 10 个；只有 6 个，至少要 10 个；"
	                    "运行 r2 重新测量了它");
	assert_null(data_case_why(&zh, &k, DATA_STALE, &a));
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_word_may_fill_a_reason),
	        cmocka_unit_test(a_case_says_all_its_reasons),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
