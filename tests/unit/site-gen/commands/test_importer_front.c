#include "site-gen/commands/importer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct test {
	struct arena a;
	struct import_front f;
	struct import_report r;
};

static void read_in(struct test *t, const char *src)
{
	struct err e = ERR_NONE;
	*t = (struct test){0};
	if (!import_front_read(str_of(src), "p.md", &t->a, &t->f, &t->r, &e))
		fail_msg("%s", e.text);
}

static void end(struct test *t)
{
	sb_free(&t->r.text);
	arena_free(&t->a);
}

static void refuse(const char *src, const char *want)
{
	struct test t = {0};
	struct err e = ERR_NONE;
	assert_false(import_front_read(str_of(src), "p.md", &t.a, &t.f, &t.r, &e));
	assert_string_equal(e.text, want);
	end(&t);
}

/* The values of a key, each followed by '|'; "-" without such a key. */
static void assert_values(const struct test *t, const char *name, const char *want)
{
	struct sb got = {0};
	const struct import_field *f = NULL;
	for (size_t i = 0; i < t->f.n && !f; i++)
		f = str_is(t->f.field[i].name, name) ? &t->f.field[i] : NULL;
	sb_cstr(&got, f ? "" : "-");
	for (size_t i = 0; f && i < f->nvalues; i++)
		sb_printf(&got, STR_FMT "|", STR_ARG(f->value[i]));
	assert_string_equal(sb_view(&got).n ? got.p : "", want);
	sb_free(&got);
}

static void test_texts(void **state)
{
	struct test t;
	(void)state;
	read_in(&t, "---\ntitle: >-\n  Folded\n  text: here\nsummary: |\n  two\n  lines\n"
	            "plain: over\n  two lines\n'quoted: key': \"a \\u00e9 # b\" # comment\n"
	            "hash: C#sharp # comment\nurl: http://x.org/#y\n---\nbody\n");
	assert_values(&t, "title", "Folded text: here|");
	assert_values(&t, "summary", "two\nlines|");
	assert_values(&t, "plain", "over two lines|");
	assert_values(&t, "quoted: key", "a \u00e9 # b|");
	assert_values(&t, "hash", "C#sharp|");
	assert_values(&t, "url", "http://x.org/#y|");
	assert_int_equal(t.r.notes, 0);
	assert_int_equal(t.f.body_line, 14);
	assert_true(str_is(t.f.body, "body\n"));
	end(&t);
}

static void test_lists(void **state)
{
	struct test t;
	(void)state;
	read_in(&t, "---\ntags: [cuda, # the first\n  \"a, b\",\n  'it''s']\n"
	            "categories:\n- one # c\n-   'two'\nempty: []\nnone: ~\nnull2: null\nleft:\n"
	            "taxonomies:\n  tags: [gpu]\n---\n");
	assert_values(&t, "tags", "cuda|a, b|it's|");
	assert_values(&t, "categories", "one|two|");
	assert_values(&t, "empty", "");
	assert_values(&t, "none", "");
	assert_values(&t, "null2", "");
	assert_values(&t, "left", "");
	assert_values(&t, "taxonomies.tags", "gpu|");
	assert_values(&t, "taxonomies", "-");
	assert_int_equal(t.r.notes, 0);
	end(&t);
}

static void test_anchors(void **state)
{
	struct test t;
	(void)state;
	read_in(&t, "---\ntags: &all [a, &b b]\nkeywords: *all\ncategory: *b\nseries: *nobody\n"
	            "---\n");
	assert_values(&t, "keywords", "a|b|");
	assert_values(&t, "category", "b|");
	assert_values(&t, "series", "-");
	assert_string_equal(t.r.text.p, "p.md:5: front matter has an alias without its anchor: it "
	                                "was left out\n");
	end(&t);
}

static void test_left_out(void **state)
{
	struct test t;
	(void)state;
	read_in(&t, "---\ntitle: {en: x}\ntags:\n  - a\n  - [b]\n[c]: d\n---\n");
	assert_int_equal(t.f.n, 2);
	assert_true(t.f.field[0].map);
	assert_values(&t, "tags", "a|");
	assert_string_equal(t.r.text.p,
	                    "p.md:5: front matter 'tags' has a list in a list: it was left out\n"
	                    "p.md:6: front matter has a list as a key: it was left out\n");
	end(&t);
	struct sb many = {0};
	sb_cstr(&many, "---\ntags:\n");
	for (int i = 0; i < 33; i++)
		sb_printf(&many, "- t%d\n", i);
	sb_cstr(&many, "---\n");
	read_in(&t, sb_view(&many).p);
	assert_string_equal(t.r.text.p, "p.md:35: front matter 'tags' has more than 32 values: "
	                                "'t32' was left out\n");
	end(&t);
	sb_free(&many);
}

static void test_fences(void **state)
{
	struct test t;
	(void)state;
	read_in(&t, "---\ntitle: |\n  ---\n  x\n---\nbody");
	assert_values(&t, "title", "---\nx|");
	assert_true(str_is(t.f.body, "body"));
	end(&t);
	read_in(&t, "\xEF\xBB\xBF---\r\n# nothing\r\n---\r\nbody");
	assert_int_equal(t.f.n, 0);
	assert_true(str_is(t.f.body, "body"));
	end(&t);
	read_in(&t, "no front matter\n");
	assert_int_equal(t.f.body_line, 1);
	end(&t);
	refuse("---\ntitle: x\n", "p.md:1:1: front matter has no end, expected '---'");
	refuse("---\n- a\n---\n", "p.md:2:1: front matter is a list, expected lines 'key: value'");
	refuse("---\ntitle: a: b\n---\n",
	       "p.md:2:9: title: a value with ': ' in it needs quotes: title: \"a: b\"");
}

static void test_toml(void **state)
{
	struct test t;
	(void)state;
	read_in(&t,
	        "+++\ntitle = \"a \\\"b\\\"\" # c\n[taxonomies]\ntags = [\n  'x',\n  \"y, z\",\n]\n"
	        "odd\n+++\nbody\n");
	assert_values(&t, "title", "a \"b\"|");
	assert_values(&t, "taxonomies.tags", "x|y, z|");
	assert_string_equal(t.r.text.p, "p.md:8: front matter 'odd' is not understood\n");
	assert_int_equal(t.f.body_line, 10);
	end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_texts),   cmocka_unit_test(test_lists),
	        cmocka_unit_test(test_anchors), cmocka_unit_test(test_left_out),
	        cmocka_unit_test(test_fences),  cmocka_unit_test(test_toml),
	};
	return cmocka_run_group_tests_name("importer front", tests, NULL, NULL);
}
