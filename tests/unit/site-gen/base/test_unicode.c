/* Properties and mappings of characters, after the Unicode standard. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/array.h"
#include "site-gen/base/unicode.h"

static void decoding(void **state)
{
	size_t n;
	(void)state;
	assert_int_equal(unicode_at(STR("a"), 0, &n), 'a');
	assert_int_equal(n, 1);
	assert_int_equal(unicode_at(STR("x\xf0\x9f\x98\x80"), 1, &n), 0x1f600);
	assert_int_equal(n, 4);
	static const char *const bad[] = {"\x80",     "\xc3", "\xc3(",
	                                  "\xe4\xb8", "\xff", "\xed\xa0\x80"};
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		assert_int_equal(unicode_at(str_of(bad[i]), 0, &n), 0xfffd);
		assert_true(n >= 1 && n <= strlen(bad[i]));
	}
}

static void kinds(void **state)
{
	static const uint32_t words[] = {'a', 'Z', '7', 0xe9, 0x3c3, 0x4e2d, 0x301, 0x93f, 0x661};
	static const uint32_t signs[] = {' ', '-', '_', 0xd7, 0xf7, 0xb2, 0x2019, 0x3002, 0xff0c};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		assert_true(unicode_is_word(words[i]));
	for (size_t i = 0; i < ARRAY_LEN(signs); i++)
		assert_false(unicode_is_word(signs[i]));
	assert_true(unicode_is_cjk(0x4e2d) && unicode_is_cjk(0x3007) && unicode_is_cjk(0x304b) &&
	            unicode_is_cjk(0xff76) && unicode_is_cjk(0x2f800));
	assert_false(unicode_is_cjk('a') || unicode_is_cjk(0x3002) || unicode_is_cjk(0xac00));
	assert_true(unicode_is_wide(0x4e2d) && unicode_is_wide(0xff01) && unicode_is_wide(0x1f600));
	assert_false(unicode_is_wide('a') || unicode_is_wide('\t') || unicode_is_wide(0x2026));
	assert_true(unicode_is_ignorable(0x200b) && unicode_is_ignorable(0xfe0f));
	assert_false(unicode_is_ignorable(' '));
	assert_int_equal(unicode_digit('7'), 7);
	assert_int_equal(unicode_digit(0x666), 6);
	assert_int_equal(unicode_digit(0x1d7d9), 1);
	assert_int_equal(unicode_digit('x'), -1);
	assert_int_equal(unicode_lower(0x130), 'i');
	assert_int_equal(unicode_lower(0xdf), 0xdf);
	assert_int_equal(unicode_lower(0x42f), 0x44f);
}

static void folds(const char *text, const char *wanted)
{
	struct sb got = {0};
	unicode_fold(&got, str_of(text));
	assert_string_equal(got.p, wanted);
	sb_free(&got);
}

static void forms(void **state)
{
	char out[UNICODE_COMPATIBLE];
	(void)state;
	assert_int_equal(unicode_compatible(0x3392, out), 3);
	assert_memory_equal(out, "MHz", 3);
	assert_int_equal(unicode_compatible(0xfdfa, out), 33); /* the longest there is */
	assert_int_equal(unicode_compatible('a', out), 0);
	assert_int_equal(unicode_compatible(0xe9, out), 0);
	assert_int_equal(unicode_compatible(0x4e2d, out), 0);
	folds("", "");
	folds("GRÖSSE Größe", "grösse größe");
	folds("ＡＢＣ １２３", "abc 123");
	folds("e\u0301 É", "é é");
	folds("㎒ ﬁ ² \uf900", "mhz fi 2 豈");
	folds("ΟΔΟΣ", "οδος");
}

/* Spaces, formats, fillers and lone marks show nothing; anything else does. */
static void some_texts_show_nothing(void **state)
{
	static const char *const nothing[] = {"",
	                                      " \t\n",
	                                      "\xC2\xA0\xC2\xAD",
	                                      "\u200B\u200D\u2060",
	                                      "\u202E\u2066",
	                                      "\u3000\u2003",
	                                      "\uFEFF\uFE0F",
	                                      "\u3164\u115F\uFFA0",
	                                      "\u2800",
	                                      "\u0301\u20DD",
	                                      "\uE000\U000F0000\U0010FFFD",
	                                      "\U000E0041\U000E0020",
	                                      "\u2028",
	                                      "\uFFFC",
	                                      "\u180E\u17B4",
	                                      "\u061C\u034F"};
	static const char *const something[] = {"a", "\u200Ba", "。", "é",          "e\u0301",
	                                        "°", "—",       "中", "\U0001F600", "ſ",
	                                        "¡", "𝛼",       "~",  "\u2801"};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(nothing); i++)
		if (unicode_is_visible(str_of(nothing[i])))
			fail_msg("text %zu", i);
	for (size_t i = 0; i < ARRAY_LEN(something); i++)
		if (!unicode_is_visible(str_of(something[i])))
			fail_msg("%s", something[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(decoding),
	        cmocka_unit_test(kinds),
	        cmocka_unit_test(forms),
	        cmocka_unit_test(some_texts_show_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
