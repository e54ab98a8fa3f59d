#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "lib/arena.h"
#include "lib/array.h"
#include "lib/str.h"

static void views_compare_and_cut(void **state)
{
	(void)state;
	struct str head, tail;
	assert_true(str_cut(STR("a=b=c"), '=', &head, &tail));
	assert_true(str_is(head, "a") && str_is(tail, "b=c"));
	assert_false(str_cut(STR("abc"), '=', &head, &tail));
	assert_true(str_is(head, "abc") && tail.n == 0);
	assert_true(str_starts(STR("kernels/x"), "kernels/") && !str_starts(STR("k"), "kernels"));
	assert_true(str_ends(STR("x.cu"), ".cu") && !str_ends(STR("u"), ".cu"));
	assert_true(str_cmp(STR("a"), STR("ab")) < 0 && str_cmp(STR("b"), STR("ab")) > 0);
	assert_true(str_is(str_trim(STR(" \t x y\n")), "x y"));
	assert_int_equal(str_sub(STR("abc"), 2, 99).n, 1);
	assert_int_equal(str_sub(STR("abc"), 5, 1).n, 0);
}

static void numbers_are_whole_views(void **state)
{
	(void)state;
	int64_t v;
	double d;
	assert_true(str_i64(STR("-42"), &v) && v == -42);
	assert_true(str_i64(STR("9223372036854775807"), &v) && v == INT64_MAX);
	assert_false(str_i64(STR("9223372036854775808"), &v));
	assert_false(str_i64(STR("4 "), &v) || str_i64(STR(""), &v) || str_i64(STR("-"), &v));
	assert_true(str_f64(STR("1.5e3"), &d) && d == 1500);
	assert_false(str_f64(STR("nan"), &d) || str_f64(STR("0x10"), &d) ||
	             str_f64(STR("1e999"), &d));
}

static void globs(void **state)
{
	(void)state;
	assert_true(str_glob(STR("*"), STR("naive")));
	assert_true(str_glob(STR("v*c?"), STR("vec4c8")));
	assert_true(str_glob(STR("{naive,bulk}"), STR("bulk")));
	assert_true(str_glob(STR("c_{scalar,simd}*"), STR("c_simd2")));
	assert_true(str_glob(STR("{t*,cub}_x"), STR("tile_x")));
	assert_false(str_glob(STR("{t*,cub}_x"), STR("tile_y")));
	assert_false(str_glob(STR("{naive,bulk}"), STR("bul")));
	assert_false(str_glob(STR("naive"), STR("naive2")));
}

/* The cost of a pattern does not grow with the number of ways in which it could match. */
static void globs_cost_their_length(void **state)
{
	(void)state;
	enum { STARS = 60, NAME = 2000 };
	struct sb stars = {0}, braces = {0}, name = {0};
	for (int i = 0; i < STARS; i++) {
		sb_cstr(&stars, "*a");
		sb_cstr(&braces, "{*a,a*,?}");
	}
	for (int i = 0; i < NAME; i++)
		sb_char(&name, 'a');
	assert_true(str_glob(sb_view(&stars), sb_view(&name)));
	assert_true(str_glob(sb_view(&braces), sb_view(&name)));
	sb_char(&stars, 'z');
	sb_char(&braces, 'z');
	clock_t start = clock();
	assert_false(str_glob(sb_view(&stars), sb_view(&name)));
	assert_false(str_glob(sb_view(&braces), sb_view(&name)));
	assert_true(clock() - start < 2 * CLOCKS_PER_SEC); /* a thousandth of that */
	assert_false(str_glob(STR("******************************zz/x"),
	                      STR("stream/copy rows=16384 dtype=f32")));
	sb_free(&stars);
	sb_free(&braces);
	sb_free(&name);
}

/* str_glob() straight from its definition, regardless of cost. */
static bool plain_glob(struct str g, struct str s)
{
	if (g.n == 0)
		return s.n == 0;
	struct str rest = str_sub(g, 1, g.n), body, one;
	size_t close = g.p[0] == '{' ? str_find(g, '}', 1) : g.n;
	if (close == g.n && g.p[0] != '*')
		return s.n > 0 && (g.p[0] == '?' || g.p[0] == s.p[0]) &&
		       plain_glob(rest, str_sub(s, 1, s.n));
	body = close < g.n ? str_sub(g, 1, close) : STR("");
	for (bool more = true; more;) {
		more = str_cut(body, ',', &one, &body);
		for (size_t i = 0; i <= s.n; i++)
			if ((close == g.n || plain_glob(one, str_sub(s, 0, i))) &&
			    plain_glob(close < g.n ? str_sub(g, close + 1, g.n) : rest,
			               str_sub(s, i, s.n)))
				return true;
	}
	return false;
}

static void globs_are_what_they_are_defined_as(void **state)
{
	(void)state;
	uint64_t r = 1;
	for (int i = 0; i < 200000; i++) {
		char g[10], s[6];
		size_t ng = 1 + (size_t)(i % 10), ns = (size_t)(i % 6);
		for (size_t k = 0; k < ng; k++, r = r * 6364136223846793005 + 1442695040888963407)
			g[k] = "aab*?{,}"[r >> 61];
		for (size_t k = 0; k < ns; k++, r = r * 6364136223846793005 + 1442695040888963407)
			s[k] = "aab,"[r >> 62];
		struct str glob = {g, ng}, name = {s, ns};
		if (str_glob(glob, name) != plain_glob(glob, name))
			fail_msg("'" STR_FMT "' and '" STR_FMT "'", STR_ARG(glob), STR_ARG(name));
	}
}

static void distance_finds_the_nearest(void **state)
{
	(void)state;
	assert_int_equal(str_distance(STR("tilte"), STR("title"), 9), 2);
	assert_int_equal(str_distance(STR(""), STR("abc"), 9), 3);
	assert_int_equal(str_distance(STR("abc"), STR("xyzabc"), 2), 2);
}

static void utf8(void **state)
{
	(void)state;
	assert_true(str_utf8(STR("µs 测量 😀")));
	assert_false(str_utf8(STR("\xc0\xaf")) || str_utf8(STR("\xed\xa0\x80")));
	assert_false(str_utf8(STR("\xf4\x90\x80\x80")) || str_utf8(STR("\xe2\x82")));
	assert_false(str_utf8((struct str){"a\0b", 3}));
	/* one wrong byte, or one right pair, at each place of a text that is read by eights */
	for (size_t i = 0; i + 1 < 40; i++) {
		char text[] = "0123456789\x7f\x01"
		              "abcdefghijklmnopqrstuvwxyzABCD";
		const char *const wrong[] = {"", "\x80", "\xff", "\xc3"};
		for (size_t k = 0; k < ARRAY_LEN(wrong); k++) {
			char was = text[i];
			text[i] = *wrong[k];
			assert_false(str_utf8((struct str){text, 40}));
			text[i] = was;
		}
		memcpy(text + i, "é", 2);
		assert_true(str_utf8((struct str){text, 40}));
	}
	struct sb b = {0};
	sb_utf8(&b, 0x20);
	sb_utf8(&b, 0xb5);
	sb_utf8(&b, 0x6d4b);
	sb_utf8(&b, 0x1f600);
	assert_string_equal(b.p, " µ测😀");
	sb_free(&b);
}

static void places_count_characters(void **state)
{
	(void)state;
	struct str src = STR("one\nµs here\n");
	struct loc at = str_loc(src, "f", src.p + 4 + 4);
	assert_int_equal(at.line, 2);
	assert_int_equal(at.col, 4);
}

static void builders_grow(void **state)
{
	(void)state;
	struct sb b = {0};
	for (int i = 0; i < 1000; i++)
		sb_printf(&b, "%03d,", i);
	assert_int_equal(b.n, 4000);
	assert_memory_equal(b.p + 3996, "999,", 5);
	sb_clear(&b);
	assert_int_equal(sb_view(&b).n, 0);
	sb_free(&b);
	assert_string_equal(sb_view(&b).p, "");
}

static void arenas_keep_and_reset(void **state)
{
	(void)state;
	struct arena a = {0};
	char *big = arena_alloc(&a, 1 << 20);
	char *s = arena_printf(&a, "%s-%d", "x", 7);
	memset(big, 1, 1 << 20);
	assert_string_equal(s, "x-7");
	int64_t *v = ARENA_ARRAY(&a, int64_t, 100);
	assert_int_equal((uintptr_t)v % 16, 0);
	for (int i = 0; i < 100; i++)
		assert_int_equal(v[i], 0);
	arena_reset(&a);
	assert_string_equal(arena_strdup(&a, "again"), "again");
	arena_free(&a);
	char mem[256];
	struct arena fixed = arena_over(mem, sizeof mem);
	assert_ptr_equal(arena_alloc(&fixed, 100), mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(views_compare_and_cut),
	        cmocka_unit_test(numbers_are_whole_views),
	        cmocka_unit_test(globs),
	        cmocka_unit_test(globs_cost_their_length),
	        cmocka_unit_test(globs_are_what_they_are_defined_as),
	        cmocka_unit_test(distance_finds_the_nearest),
	        cmocka_unit_test(utf8),
	        cmocka_unit_test(places_count_characters),
	        cmocka_unit_test(builders_grow),
	        cmocka_unit_test(arenas_keep_and_reset),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
