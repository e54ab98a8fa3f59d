/* Index expressions: their values against C's own, their errors with a place, their closed form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "site-gen/diagram/index.h"

static struct placeholder placeholder;

/* An expression as a value of a placeholder, from column 25 on. */
static struct str text_of(const char *expr)
{
	static char text[512];
	struct err e = ERR_NONE;
	snprintf(text, sizeof text, "<<bench:diagram x expr=\"%s\">>", expr);
	assert_true(
	        placeholder_parse(str_of(text), (struct loc){"post.md", 1, 1}, &placeholder, &e));
	return placeholder_key(&placeholder, "expr");
}

static int64_t value_at(const char *expr, const char *let, struct index_at at)
{
	struct index x = {.p = &placeholder, .size = 2};
	struct err e = ERR_NONE;
	int node;
	int64_t v = -1;
	struct str s = text_of(expr);
	if (*let)
		assert_true(index_let(&x, str_of(let), &e));
	if (!index_sum(&x, s, &node, &e) || !index_value(&x, node, at, s, &v, &e))
		fail_msg("%s", e.text);
	return v;
}

static const char *error_of(const char *expr)
{
	static struct err e;
	struct index x = {.p = &placeholder, .size = 4};
	int node;
	int64_t v;
	struct str s = text_of(expr);
	e = ERR_NONE;
	if (index_access(&x, s, -1, &node, &e) &&
	    index_value(&x, node, (struct index_at){.lane = 3}, s, &v, &e))
		fail_msg("'%s' was accepted", expr);
	return e.text;
}

static void arithmetic_is_that_of_c(void **state)
{
	(void)state;
	struct index_at at = {.lane = 13, .row = 5, .col = 9, .step = 2};
	int64_t lane = 13, row = 5, col = 9, k = 7;
	/* the text as the author writes it, and as C computes it with all parentheses */
#define SAME_AS(text, expr) assert_int_equal(value_at(text, "k = 7", at), expr)
#define SAME(expr) SAME_AS(#expr, expr)
	SAME(lane * 32 + k);
	SAME((lane * 32 + k) * 4);
	SAME(lane % 8 * 4 + lane / 8);
	SAME_AS("col ^ row & 7", col ^ (row & 7));
	SAME_AS("row ^ lane >> 2 & 3", row ^ ((lane >> 2) & 3));
	SAME_AS("1 << 4 + 1", 1 << (4 + 1));
	SAME(lane - row - col);
	SAME(100 / 7 / 2 * 3 % 5);
	SAME((size_t)(row + k) * 33 + (unsigned)col);
	SAME(-k + lane * 2);
	SAME(-(k + lane) + 100);
#undef SAME
#undef SAME_AS
	assert_int_equal(value_at("16 / sizeof(T) * lane", "", at), 104);
	assert_int_equal(value_at("threadIdx.x * W", "W = 8, threadIdx.x = lane + 1", at), 112);
	assert_int_equal(value_at("B", "A = 3, B = A * A", at), 9);
	assert_int_equal(value_at("col", "col = lane", at), 13);
	assert_int_equal(value_at("thread * 100 + step", "", at), 1302);
	assert_int_equal(value_at("step", "step = 8", at), 8);
}

static void errors_have_a_place(void **state)
{
	(void)state;
	static const struct {
		const char *expr, *want;
	} wrong[] = {
	        {"lane + ", "post.md:1:25: the index expression 'lane + ' ends early, expected a "
	                    "number or a name"},
	        {"lane + x", "post.md:1:32: expected lane, thread, step, row, col"},
	        {"lane 4", "post.md:1:30: expected an operator or the end"},
	        {"(lane", "ends early, expected ')'"},
	        {"lane / (lane - 3)", "divides by zero, with lane 3"},
	        {"lane % 0", "divides by zero"},
	        {"1 << 64", "shifts"},
	        {"-lane >> 1", "shifts a negative number"},
	        {"9223372036854775807 + lane", "larger than 64 bits"},
	        {"99999999999999999999", "a number of at most 64 bits"},
	        {"in[lane", "expected ']'"},
	        {"in[0][lane][0][1]", "at most three indices"},
	        {"in[0][lane]", "has more than one index, expected pitch="},
	        {"a + b[lane]", "'[' after the name of an array"},
	        {"((((((((((((((((((((((((((lane", "fewer parentheses"},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		const char *e = error_of(wrong[i].expr);
		if (!strstr(e, wrong[i].want))
			fail_msg("'%s': %s", wrong[i].expr, e);
	}
}

static void too_long_is_an_error(void **state)
{
	(void)state;
	char expr[400] = "lane";
	for (int i = 0; i < 90; i++)
		strcat(expr, "+1");
	assert_non_null(strstr(error_of(expr), "fewer numbers, names and operators"));
}

static void an_access_counts_rows_by_pitch(void **state)
{
	(void)state;
	struct index x = {.p = &placeholder, .size = 4};
	struct err e = ERR_NONE;
	int pitch, node;
	int64_t v;
	struct sb closed = {0};
	struct str s = text_of("turn[x][i]");
	assert_true(index_let(&x, STR("TILE = 32, x = lane, i = 2"), &e));
	assert_true(index_sum(&x, STR("TILE + 1"), &pitch, &e));
	assert_true(index_access(&x, s, pitch, &node, &e));
	assert_true(index_value(&x, node, (struct index_at){.lane = 10}, s, &v, &e));
	assert_int_equal(v, 332);
	assert_true(index_closed(&x, node, "0", "0", &closed, &e));
	assert_string_equal(closed.p, "((lane*(32+1))+2)");
	s = text_of("part[7][x][i]");
	assert_true(index_access(&x, s, pitch, &node, &e));
	assert_true(index_value(&x, node, (struct index_at){.lane = 10}, s, &v, &e));
	assert_int_equal(v, 332);
	sb_free(&closed);
}

static void a_closed_form_replaces_rows_and_columns(void **state)
{
	(void)state;
	struct index x = {.p = &placeholder, .size = 4};
	struct err e = ERR_NONE;
	struct sb closed = {0};
	int node;
	assert_true(index_sum(&x, text_of("row * 32 + (col ^ row)"), &node, &e));
	assert_true(index_closed(&x, node, "lane", "0", &closed, &e));
	assert_string_equal(closed.p, "((lane*32)+(0^lane))");
	sb_free(&closed);
}

/* Names of names double the text each time: a short list would make gigabytes. */
static void a_closed_form_is_bounded(void **state)
{
	(void)state;
	struct index x = {.p = &placeholder, .size = 4};
	struct err e = ERR_NONE;
	struct sb closed = {0}, let = {0};
	int node;
	sb_cstr(&let, "a = lane + lane");
	for (char c = 'b'; c <= 'w'; c++)
		sb_printf(&let, ", %c = %c + %c", c, c - 1, c - 1);
	struct str s = text_of("w");
	assert_true(index_let(&x, sb_view(&let), &e));
	assert_true(index_sum(&x, s, &node, &e));
	assert_false(index_closed(&x, node, "0", "0", &closed, &e));
	assert_non_null(strstr(e.text, "more than 4096 characters"));
	sb_free(&closed);
	sb_free(&let);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(arithmetic_is_that_of_c),
	        cmocka_unit_test(errors_have_a_place),
	        cmocka_unit_test(too_long_is_an_error),
	        cmocka_unit_test(an_access_counts_rows_by_pitch),
	        cmocka_unit_test(a_closed_form_is_bounded),
	        cmocka_unit_test(a_closed_form_replaces_rows_and_columns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
