#include "site-gen/base/yaml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const struct yaml *must(const char *text, struct arena *a)
{
	const struct yaml *root = NULL;
	struct err e = ERR_NONE;
	if (!yaml_read(str_of(text), "p.md", 2, "front matter", a, &root, &e))
		fail_msg("%s", e.text);
	return root;
}

static void refuse(const char *text, const char *want)
{
	struct arena a = {0};
	const struct yaml *root = NULL;
	struct err e = ERR_NONE;
	if (yaml_read(str_of(text), "p.md", 2, "front matter", &a, &root, &e))
		fail_msg("accepted: %s", text);
	assert_string_equal(e.text, want);
	arena_free(&a);
}

static const struct yaml *value_of(const struct yaml *map, const char *key)
{
	for (const struct yaml *y = map->first; y; y = y->next->next)
		if (str_is(y->s, key))
			return y->next;
	fail_msg("no key '%s'", key);
	return NULL;
}

static void assert_place(const struct yaml *y, int line, int col, const char *source)
{
	assert_string_equal(y->at.path, "p.md");
	assert_int_equal(y->at.line, line);
	assert_int_equal(y->at.col, col);
	assert_true(strncmp(y->source, source, strlen(source)) == 0);
}

static void test_places(void **state)
{
	struct arena a = {0};
	(void)state;
	const struct yaml *root = must("# first\ntitle: 'ä: b' # c\n"
	                               "\"ü x\": [é, {k: v}]\n",
	                               &a);
	assert_int_equal(root->kind, YAML_MAP);
	assert_place(root->first, 3, 1, "title");
	assert_place(value_of(root, "title"), 3, 8, "'ä");
	assert_int_equal(value_of(root, "title")->style, YAML_QUOTED);
	const struct yaml *list = value_of(root, "ü x");
	assert_int_equal(list->kind, YAML_LIST);
	assert_place(list, 4, 8, "[é");
	assert_place(list->first, 4, 9, "é");
	assert_int_equal(list->first->style, YAML_PLAIN);
	assert_place(list->first->next, 4, 12, "{k");
	assert_place(value_of(list->first->next, "k"), 4, 16, "v");
	assert_null(list->first->next->next);
	arena_free(&a);
}

static void test_texts(void **state)
{
	struct arena a = {0};
	(void)state;
	const struct yaml *root = must("a: |\n  one\n  two\nb: >-\n  one\n  two\nc: one\n  two\n"
	                               "d: \"x\\ty\"\ne:\n",
	                               &a);
	assert_string_equal(value_of(root, "a")->s.p, "one\ntwo\n");
	assert_int_equal(value_of(root, "a")->style, YAML_BLOCK);
	assert_string_equal(value_of(root, "b")->s.p, "one two");
	assert_string_equal(value_of(root, "c")->s.p, "one two");
	assert_string_equal(value_of(root, "d")->s.p, "x\ty");
	assert_int_equal(value_of(root, "e")->kind, YAML_TEXT);
	assert_int_equal(value_of(root, "e")->s.n, 0);
	arena_free(&a);
}

static void test_nothing(void **state)
{
	struct arena a = {0};
	(void)state;
	assert_int_equal(must("", &a)->kind, YAML_NOTHING);
	assert_int_equal(must("# only a comment\n", &a)->kind, YAML_NOTHING);
	assert_int_equal(must("word\n", &a)->kind, YAML_TEXT);
	assert_null(must("{}\n", &a)->first);
	assert_null(must("[]\n", &a)->first);
	arena_free(&a);
}

static void test_anchors(void **state)
{
	struct arena a = {0};
	(void)state;
	const struct yaml *root = must("a: &x [1, 2]\nb: *x\nc: *nobody\nd: !!str 3\n"
	                               "e: &x new\nf: *x\ng: &self [*self]\n",
	                               &a);
	assert_true(value_of(root, "a")->marked);
	assert_true(value_of(root, "d")->marked);
	assert_int_equal(value_of(root, "b")->kind, YAML_ALIAS);
	assert_ptr_equal(value_of(root, "b")->same, value_of(root, "a"));
	assert_null(value_of(root, "c")->same);
	assert_ptr_equal(value_of(root, "f")->same, value_of(root, "e"));
	assert_ptr_equal(value_of(root, "g")->first->same, value_of(root, "g"));
	assert_string_equal(yaml_kind_name(value_of(root, "b")), "an alias");
	arena_free(&a);
}

static void test_errors(void **state)
{
	(void)state;
	refuse("a: b: c\n", "p.md:2:5: a: a value with ': ' in it needs quotes: a: \"b: c\"");
	refuse("x: 1\na: [b\n", "p.md:4:1: front matter: did not find expected ',' or ']' while "
	                        "parsing a flow sequence");
	refuse("a: b\n--- x\n", "p.md:3:1: front matter goes on, expected one mapping only");
	refuse("a: \x01\n", "p.md:2:4: front matter: control characters are not allowed");
	refuse("\n\na: \x80\n", "p.md:4:4: front matter: invalid leading UTF-8 octet");
}

static void test_limits(void **state)
{
	struct arena a = {0};
	struct sb s = {0};
	(void)state;
	for (int i = 0; i < YAML_MAX_DEPTH; i++)
		sb_cstr(&s, "[");
	for (int i = 0; i < YAML_MAX_DEPTH; i++)
		sb_cstr(&s, "]");
	must(sb_view(&s).p, &a);
	sb_clear(&s);
	for (int i = 0; i <= YAML_MAX_DEPTH; i++)
		sb_cstr(&s, "[");
	refuse(sb_view(&s).p, "p.md:2:17: front matter nests deeper than 16 levels");
	sb_clear(&s);
	for (int i = 0; i <= 64; i++)
		sb_printf(&s, "- &a%d x\n", i);
	refuse(sb_view(&s).p, "p.md:66:3: front matter has more than 64 anchors");
	sb_clear(&s);
	while (s.n <= YAML_MAX_BYTES)
		sb_cstr(&s, "a line of words\n");
	refuse(sb_view(&s).p, "p.md:2:1: front matter is larger than 64 KiB");
	sb_free(&s);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_places),  cmocka_unit_test(test_texts),
	        cmocka_unit_test(test_nothing), cmocka_unit_test(test_anchors),
	        cmocka_unit_test(test_errors),  cmocka_unit_test(test_limits),
	};
	return cmocka_run_group_tests_name("yaml", tests, NULL, NULL);
}
