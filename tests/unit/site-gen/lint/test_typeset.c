/* An author's words: powers are powers, and no line ends between a number and its unit. */
#include "site-gen/lint/typeset.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "lib/array.h"

#define NB NBSP

static void sets(const char *text, const char *want)
{
	struct sb to = {0};
	typeset(&to, str_of(text));
	assert_string_equal(to.p ? to.p : "", want);
	sb_free(&to);
}

static void a_unit_stays_with_its_number(void **state)
{
	(void)state;
	sets("at 5 % of it", "at 5" NB "% of it");
	sets("3 TB/s.", "3" NB "TB/s.");
	sets("0.45 µs, 12 ms and 1 s", "0.45" NB "µs, 12" NB "ms and 1" NB "s");
	sets("5–10 % of 700 W", "5–10" NB "% of 700" NB "W");
	sets("占 5 %，共 64 KiB", "占 5" NB "%，共 64" NB "KiB");
	sets("200 FLOP/B", "200" NB "FLOP/B");
	sets("2^28 B in 2^30 s", "2²⁸" NB "B in 2³⁰" NB "s");
}

static void other_words_may_begin_a_line(void **state)
{
	static const char *const unchanged[] = {
	        "",
	        "5 stages",
	        "two % signs",
	        "the 4 SMs have 12 MSB",
	        "5  %",
	        "5" NB "%",
	        "on an H100 W is",
	        "e4m3 s",
	        "sm_90 B",
	        "3 GPUs",
	        "1 second",
	        "8 ms2",
	        "% 5 of 6 ",
	        "a 100 Hzz",
	        "12 ",
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(unchanged); i++)
		sets(unchanged[i], unchanged[i]);
}

static void a_line_end_knows_both_sides(void **state)
{
	(void)state;
	assert_true(typeset_is_amount(STR("about 5.5")));
	assert_false(typeset_is_amount(STR("about five")));
	assert_false(typeset_is_amount(STR("the H200")));
	assert_false(typeset_is_amount(STR("")));
	assert_true(typeset_is_unit(STR("%")));
	assert_true(typeset_is_unit(STR("GB/s of")));
	assert_false(typeset_is_unit(STR("GBs")));
	assert_false(typeset_is_unit(STR("")));
}

static void names_have_powers_as_axes_have(void **state)
{
	static const struct {
		const char *text, *want;
	} names[] = {
	        {"1024", "2¹⁰"},
	        {"16384 rows, 131072 columns", "2¹⁴ rows, 2¹⁷ columns"},
	        {"512 of 1023, 1025 and 100000", "512 of 1023, 1025 and 100000"},
	        {"x1024, 1024x, 2.1024, 1024.5, 2^1024", "x1024, 1024x, 2.1024, 1024.5, 2^1024"},
	        {"32768\u00d732768", "2¹⁵\u00d72¹⁵"},
	        {"99999999999999999999", "99999999999999999999"},
	        {"2²⁸", "2²⁸"},
	        {"", ""},
	};
	struct arena a = {0};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		assert_string_equal(typeset_sizes(names[i].text, &a), names[i].want);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_unit_stays_with_its_number),
	        cmocka_unit_test(other_words_may_begin_a_line),
	        cmocka_unit_test(a_line_end_knows_both_sides),
	        cmocka_unit_test(names_have_powers_as_axes_have),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
