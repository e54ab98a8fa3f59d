/* The words and the colour by which pages show a case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/array.h"
#include "site-gen/lua/words.h"
#include "site-gen/numbers/case.h"

#define NBSP_ "\xC2\xA0"

static void test_words(void **state)
{
	struct arena a = {0};
	struct run_case c = {
	        .param = {{"rows", NULL, 28672}, {"n", NULL, 1 << 28}, {"op", "copy", 0}},
	        .nparams = 3,
	        .dtype = "f32",
	        .cache = "cold"};
	(void)state;
	assert_string_equal(case_words(NULL, &c, &a), "rows" NBSP_ "=" NBSP_ "28672, n" NBSP_
	                                              "=" NBSP_ "2²⁸, copy, f32, cold cache");
	assert_string_equal(case_part(NULL, &c, "n", &a), "n" NBSP_ "=" NBSP_ "2²⁸");
	assert_string_equal(case_part(NULL, &c, "op", &a), "copy");
	assert_null(case_part(NULL, &c, "cols", &a));
	c.variant_title = "one pass";
	assert_true(str_starts(str_of(case_title(NULL, &c, &a)), "one pass, rows" NBSP_));
	struct run_case other = c;
	other.variant_title = "CUB";
	assert_string_equal(case_beside(NULL, &c, &other, &a), "CUB");
	other.dtype = "bf16";
	assert_true(str_starts(str_of(case_beside(NULL, &c, &other, &a)), "CUB, rows"));
	c.nparams = 0;
	c.cache = "hot";
	assert_string_equal(case_words(NULL, &c, &a), "f32, hot cache");
	arena_free(&a);
}

/* Only metrics that count operations need the operation's name. */
static void test_metric_words(void **state)
{
	struct arena a = {0};
	struct config_word german[] = {{"de", "rate", "Rate"}};
	struct config config = {.word = german, .nwords = 1, .language = "en"};
	const struct words words = {&config, "de"};
	struct expand_ctx ctx = {.arena = &a};
	struct run_case c = {.model.op = "update"};
	(void)state;
	assert_string_equal(case_metric_words(&ctx, &c, METRIC_RATE), "rate (update)");
	assert_string_equal(case_metric_words(&ctx, &c, METRIC_LATENCY), "latency (update)");
	assert_string_equal(case_metric_words(&ctx, &c, METRIC_BANDWIDTH), "bandwidth");
	assert_string_equal(case_metric_words(&ctx, &c, METRIC_TIME), "time");
	ctx.words = &words;
	assert_string_equal(case_metric_words(&ctx, &c, METRIC_RATE), "Rate (update)");
	c.model.op = NULL;
	assert_string_equal(case_metric_words(&ctx, &c, METRIC_RATE), "Rate");
	arena_free(&a);
}

/* A variant beyond the last colour begins again, and no rank lies outside the colours. */
static void test_colour(void **state)
{
	static const struct {
		int64_t rank;
		int is;
	} row[] = {{0, 0},
	           {CASE_COLOURS - 1, CASE_COLOURS - 1},
	           {CASE_COLOURS, 0},
	           {2 * CASE_COLOURS + 5, 5},
	           {-1, 0},
	           {INT64_MIN, 0},
	           {INT64_MAX, INT64_MAX % CASE_COLOURS}};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(row); i++)
		assert_int_equal(case_colour(&(struct run_case){.rank = row[i].rank}), row[i].is);
}

static void test_date(void **state)
{
	struct arena a = {0};
	struct run r = {.head.start = "2026-01-31T23:59:59Z"};
	(void)state;
	assert_string_equal(case_date(&r, &a), "2026-01-31");
	r.head.start = "2026-01";
	assert_string_equal(case_date(&r, &a), "2026-01");
	r.head.start = "";
	assert_string_equal(case_date(&r, &a), "");
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_words),
	        cmocka_unit_test(test_metric_words),
	        cmocka_unit_test(test_colour),
	        cmocka_unit_test(test_date),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
