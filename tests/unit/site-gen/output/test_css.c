#include "site-gen/output/css.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void check(const char *css, const char *want)
{
	struct sb got = {0};
	css_bare(&got, str_of(css));
	assert_string_equal(got.p ? got.p : "", want);
	sb_free(&got);
}

static void test_comments(void **state)
{
	(void)state;
	check("", "");
	check("/* only */", "");
	check("/* first */\n\na { color: red }\n", "a { color: red }\n");
	check("a { /* b */ color: red } /* c */\nb {}", "a { color: red }\nb {}");
	check("a/* b */b {}", "a/**/b {}");
	check("a /* b */b {}", "a b {}");
	check("a/* b */ b {}", "a b {}");
	check("/*! a licence */\na {}", "/*! a licence */\na {}");
	check("a {} /* open", "a {} ");
}

static void test_space(void **state)
{
	(void)state;
	check("a {\n\tcolor: red;\n\n\n\ttop: 0;\n}\n", "a {\ncolor: red;\ntop: 0;\n}\n");
	check("a  >  b {}", "a > b {}");
}

/* What looks like a comment or a space, and is part of a value. */
static void test_values(void **state)
{
	(void)state;
	check("a { content: \"/* no */  \\\"  \" }", "a { content: \"/* no */  \\\"  \" }");
	check("a { content: '  \"  /*' }", "a { content: '  \"  /*' }");
	check("a { background: url(b/*.svg) }", "a { background: url(b/*.svg) }");
	check("a { background: url( \"b  c\" ) }", "a { background: url( \"b  c\" ) }");
	check("a\\  b {}", "a\\  b {}");
	check("a { content: \"never closed", "a { content: \"never closed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_comments),
	        cmocka_unit_test(test_space),
	        cmocka_unit_test(test_values),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
