/* The markup of differences: numbers, colours, changed words, functions at the head of hunks. */
#include "site-gen/kinds/diff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "site-gen/base/highlight.h"

static struct arena arena;

static char *diff(const struct diff_side *was, const struct diff_side *is)
{
	struct sb to = {0};
	struct err e = ERR_NONE;
	assert_true(diff_print(highlight_for_path("x.cu"), was, is, NULL, &arena, &to, &e));
	return sb_take(&arena, &to);
}

static char *diff_of(const char *was, const char *is)
{
	struct diff_side a = {str_of(was), NULL, str_of(was)}, b = {str_of(is), NULL, str_of(is)};
	return diff(&a, &b);
}

static void contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in %s", part, text);
}

static void words_that_differ_are_marked(void **state)
{
	(void)state;
	const char *html = diff_of("int a = x + 1; // <i>\n", "int a = y + 1; // <i>\n");
	contains(html, "data-n=\"1\">-<span class=\"t\">int</span> a = <mark>x</mark> + ");
	contains(html, "data-n=\"1\">+<span class=\"t\">int</span> a = <mark>y</mark> + ");
	contains(html, "// &lt;i&gt;</span></span>");
	/* a mark ends before an element, and white space at its edge is not marked */
	html = diff_of("long f = g(a);\n", "long f = g(a + 1);\n");
	contains(html, "a <mark>+ </mark><span class=\"n\"><mark>1</mark></span>)");
	/* a line that shares little is another line */
	html = diff_of("int count = 0;\n", "__syncthreads();\n");
	assert_null(strstr(html, "<mark>"));
}

/* A removed line is compared with the most similar of the added ones. */
static void similar_lines_are_compared(void **state)
{
	(void)state;
	const char *html =
	        diff_of("T turn[TILE][TILE];\n", "const int PAD = 4;\nT turn[TILE][TILE + PAD];\n");
	contains(html, "data-n=\"2\">+T turn[TILE][TILE <mark>+ PAD</mark>];");
	contains(html, "data-n=\"1\">+<span class=\"k\">const</span>");
}

static void comments_keep_their_colour_over_lines(void **state)
{
	(void)state;
	const char *html = diff_of("/* one\n   two */\nx;\n", "/* one\n   three */\nx;\n");
	contains(html, "+<span class=\"c\">");
	contains(html, "-<span class=\"c\">");
}

#define HEAD "void far(int x)\n{\n}\n"
#define BODY "{\n1;\n2;\n3;\n4;\n"

/* A hunk says which function it begins in, also if the name stands below its attributes. */
static void hunks_name_their_function(void **state)
{
	(void)state;
	contains(diff_of(HEAD "void near(int y)\n" BODY "a;\n}\n",
	                 HEAD "void near(int y)\n" BODY "b;\n}\n"),
	         "<span class=\"gap\">⋯ near()</span>");
	contains(diff_of(HEAD "static void __launch_bounds__(T)\n    near(int y)\n" BODY "a;\n}\n",
	                 HEAD "static void __launch_bounds__(T)\n    near(int y)\n" BODY "b;\n}\n"),
	         "<span class=\"gap\">⋯ near()</span>");
	/* at the top of a file there is nothing to say */
	assert_null(strstr(diff_of("a;\n", "b;\n"), "gap"));
}

/* A part has the numbers of its file, and finds its function there. */
static void parts_have_the_numbers_of_their_file(void **state)
{
	static const char file[] = "void f(void)\n{\n\tx;\n}\n";
	static const int own[] = {3}, other[] = {17};
	(void)state;
	const char *html = diff(&(struct diff_side){STR("y;\n"), other, STR("")},
	                        &(struct diff_side){STR("x;\n"), own, STR(file)});
	contains(html, "<span class=\"gap\">⋯ f()</span>");
	contains(html, "<span class=\"del\" data-n=\"17\">-<mark>y</mark>;");
	contains(html, "<span class=\"ins\" data-n=\"3\">+<mark>x</mark>;");
	assert_string_equal(diff_of("x;\n", "x;\n"),
	                    "<pre class=\"diff\" tabindex=\"0\"><code></code></pre>\n");
}

static int drop(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(words_that_differ_are_marked),
	        cmocka_unit_test(similar_lines_are_compared),
	        cmocka_unit_test(comments_keep_their_colour_over_lines),
	        cmocka_unit_test(hunks_name_their_function),
	        cmocka_unit_test(parts_have_the_numbers_of_their_file),
	};
	return cmocka_run_group_tests(tests, NULL, drop);
}
