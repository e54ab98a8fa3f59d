/* The words and the colour by which pages show a case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/lua/script.h"
#include "site-gen/lua/words.h"
#include "site-gen/numbers/case.h"

#define NBSP_ "\xC2\xA0"

static struct run_case case_of(const char *family)
{
	return (struct run_case){.family = (char *)family, .dtype = "f32", .cache = "cold"};
}

static void add(struct run_case *c, const char *name, const char *word, int64_t num)
{
	c->param[c->nparams++] = (struct run_pair){(char *)name, (char *)word, num};
}

static void test_words(void **state)
{
	struct arena a = {0};
	struct run_case c = case_of("transpose");
	(void)state;
	add(&c, "rows", NULL, 28672);
	add(&c, "n", NULL, 1 << 28);
	add(&c, "cols", NULL, 1 << 17);
	add(&c, "op", "scan", 0);
	assert_string_equal(case_words(NULL, &c, &a),
	                    "28672 × 2¹⁷, 2²⁸ elements, scan, f32, cold cache");
	assert_string_equal(case_part(NULL, &c, "n", &a), "2²⁸ elements");
	assert_string_equal(case_part(NULL, &c, "rows", &a), "28672 rows");
	assert_string_equal(case_part(NULL, &c, "cols", &a), "2¹⁷ columns");
	assert_null(case_part(NULL, &c, "bins", &a));
	c.variant_title = "one pass";
	assert_true(str_starts(str_of(case_title(NULL, &c, &a)), "one pass, 28672"));
	struct run_case other = c;
	other.variant_title = "CUB";
	assert_string_equal(case_beside(NULL, &c, &other, &a), "CUB");
	other.dtype = "bf16";
	assert_true(str_starts(str_of(case_beside(NULL, &c, &other, &a)), "CUB, 28672"));
	c.nparams = 0;
	c.cache = "hot";
	assert_string_equal(case_words(NULL, &c, &a), "f32, hot cache");
	arena_free(&a);
}

/* A key is said as its family says it, alone or with its pair, in one and in many. */
static void test_parts(void **state)
{
	static const struct {
		const char *family, *keys[3], *says;
	} row[] = {
	        {"gemv", {"m"}, "1 token"},
	        {"atomics", {"m"}, "1 address"},
	        {"atomics", {"gap"}, "8 words apart"},
	        {"mix",
	         {"reads", "writes", "share"},
	         "3 arrays read, 1 array written, 25" NBSP "% of the bytes written"},
	        {"sectors", {"step"}, "step 8"},
	        {"ceiling-fma", {"k"}, "2¹⁷ steps for each element"},
	        {"launch", {"m"}, "m" NBSP_ "=" NBSP_ "1"},
	        {"gemv", {"n", "m", "k"}, "4096 × 2¹⁷ weights, 1 token"},
	        {"gemv", {"k", "m"}, "k" NBSP_ "=" NBSP_ "2¹⁷, 1 token"},
	        {"scan", {"n", "k"}, "4096 elements, k" NBSP_ "=" NBSP_ "2¹⁷"},
	        {"gemv", {"layer"}, "gate/up projection"},
	        {"softmax", {"layer"}, "gate_up"},
	        {"scan", {"load"}, "sustained load"},
	        {"gemv", {"bins"}, ""},
	};
	struct arena a = {0};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(row); i++) {
		struct run_case c = case_of(row[i].family);
		size_t n = 0;
		add(&c, "n", NULL, 4096);
		add(&c, "k", NULL, 1 << 17);
		add(&c, "m", NULL, 1);
		add(&c, "gap", NULL, 8);
		add(&c, "reads", NULL, 3);
		add(&c, "writes", NULL, 1);
		add(&c, "share", NULL, 25);
		add(&c, "step", NULL, 8);
		add(&c, "layer", "gate_up", 0);
		add(&c, "load", "sustained", 0);
		while (n < ARRAY_LEN(row[i].keys) && row[i].keys[n])
			n++;
		assert_string_equal(case_parts(NULL, &c, row[i].keys, n, &a), row[i].says);
	}
	arena_free(&a);
}

static void test_axes(void **state)
{
	struct run_case c = case_of("sectors"), other = case_of("gemv");
	(void)state;
	add(&c, "pattern", "stride", 0);
	assert_string_equal(case_axis(NULL, &c, "step"), "Stride, elements");
	assert_string_equal(case_axis(NULL, &c, "n"), "Elements");
	assert_string_equal(case_axis(NULL, &other, "n"), "Outputs");
	assert_string_equal(case_axis(NULL, &other, "step"), "step");
}

static bool has_word(const struct script_value *lang, const char *text)
{
	for (size_t i = 0; i < lang->n; i++)
		if (strcmp(lang->member[i].key, text) == 0)
			return true;
	return false;
}

/* Every text of the table is in every other language of templates/words.lua. */
static void test_languages(void **state)
{
	struct arena a = {0};
	struct script_value all;
	struct err e = ERR_NONE;
	struct str src;
	(void)state;
	assert_true(file_read("templates/words.lua", 1 << 20, &a, &src, &e) &&
	            script_data(src, "templates/words.lua", &a, &all, &e));
	for (size_t l = 0; l < all.n; l++)
		for (size_t i = 0; strcmp(all.member[l].key, "en") != 0 && case_saying(i); i++)
			if (!has_word(all.member[l].value, case_saying(i)))
				fail_msg("'%s' is not in '%s'", case_saying(i), all.member[l].key);
	struct config_word chinese[] = {{"zh", "1 token", "1 个 token"}};
	struct config config = {.word = chinese, .nwords = 1, .language = "en"};
	const struct words words = {&config, "zh"};
	struct run_case c = case_of("gemv");
	add(&c, "m", NULL, 1);
	assert_string_equal(case_part(&words, &c, "m", &a), "1 个 token");
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
	        cmocka_unit_test(test_words),        cmocka_unit_test(test_parts),
	        cmocka_unit_test(test_axes),         cmocka_unit_test(test_languages),
	        cmocka_unit_test(test_metric_words), cmocka_unit_test(test_colour),
	        cmocka_unit_test(test_date),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
