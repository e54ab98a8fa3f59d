/* Outlines: the blocks, headings and numbers by which a translation is held against its original.
 */
#include "site-gen/markdown/markdown.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"

static struct md_outline outline(const char *src, struct arena *a)
{
	struct md_outline o;
	struct err e = ERR_NONE;
	if (!markdown_outline(str_of(src), "x.md", 5, a, &o, &e))
		fail_msg("%s", e.text);
	return o;
}

static void test_outline_blocks(void **state)
{
	(void)state;
	struct arena a = {0};
	struct md_outline o = outline("One\n  line.[^a]\n\n"
	                              "## Head\n\n"
	                              "[^a]: Note.\n\n"
	                              "```c\nint  x;\n```\n\n"
	                              "> ### Inner\n\n"
	                              "### Last {#end}\n",
	                              &a);
	static const struct {
		const char *kind, *text, *anchor;
		int line;
	} want[] = {
	        {"paragraph", "One line.[^a]", "para-1", 5},
	        {"heading", "## Head", "head", 8},
	        {"code block", "```c\nint  x;\n```", "para-3", 12},
	        {"block quote", "> ### Inner", "para-4", 16},
	        {"heading", "### Last {#end}", "end", 18},
	        {"footnote", "[^a]: Note.", "fn-1", 10},
	};
	assert_int_equal(o.nblocks, ARRAY_LEN(want));
	for (size_t i = 0; i < o.nblocks; i++) {
		assert_string_equal(o.blocks[i].kind, want[i].kind);
		if (!str_is(o.blocks[i].text, want[i].text))
			fail_msg("block %zu is '" STR_FMT "'", i, STR_ARG(o.blocks[i].text));
		assert_string_equal(o.blocks[i].anchor, want[i].anchor);
		assert_int_equal(o.blocks[i].line, want[i].line);
	}
	assert_int_equal(o.nheadings, 3);
	assert_false(o.headings[0].given);
	assert_true(o.headings[2].given);
	arena_free(&a);
}

static void test_outline_numbers(void **state)
{
	(void)state;
	struct arena a = {0};
	struct md_outline o =
	        outline("<<bench:value a/b m=1 n=\"2\">> and `<<bench:value c>>`\n\n"
	                "| <<bench:value a/b  n=2 m=1 format=short>> |\n|---|\n"
	                "| [<<bench:spec hbm>>](/x/ \"<<bench:spec bf16>>\") |\n\n"
	                "```c title=\"at <<bench:count runs>>\"\n<<bench:value d>>\n```\n\n"
	                "<<bench:waive \"a saying\">>twice<</bench:waive>> k<<<1, 2>>>(x)\n",
	                &a);
	assert_int_equal(o.nnumbers, 5);
	assert_string_equal(o.numbers[0].same, o.numbers[1].same);
	assert_int_equal(o.numbers[1].at.line, 7);
	assert_int_equal(o.numbers[1].at.col, 3);
	for (size_t i = 2; i < 5; i++)
		assert_string_not_equal(o.numbers[i].same, o.numbers[0].same);
	struct err e = ERR_NONE;
	assert_true(markdown_outline_text(STR("Up to <<bench:value a/b n=2 m=1>>"),
	                                  (struct loc){"x.md", 2, 8}, &a, &o, &e));
	assert_int_equal(o.nnumbers, 6);
	assert_string_equal(o.numbers[5].same, o.numbers[0].same);
	assert_int_equal(o.numbers[5].at.col, 14);
	arena_free(&a);
}

/* --- rendering --- */

static const char *render(const char *src, const struct md_options *o, struct arena *a)
{
	struct expand_ctx ctx = {.base = "/b", .arena = a};
	struct md_doc doc;
	struct err e = ERR_NONE;
	if (!markdown_render_with(&ctx, str_of(src), "x.md", 1, o, &doc, &e))
		fail_msg("%s", e.text);
	return str_dup(a, doc.html);
}

static void test_blocks_are_marked(void **state)
{
	(void)state;
	struct arena a = {0};
	const char *ids[] = {"there"};
	struct md_block_mark blocks[] = {{4, NULL}, {1, NULL}, {2, "para-2"}, {9, ""}};
	struct md_options o = {.ids = ids, .blocks = blocks, .nblocks = 4, .original = "/posts/x/"};
	const char *html = render("## 标题\n\n正文。\n\n- 一\n\n> 引\n", &o, &a);
	assert_non_null(strstr(html, "<h2 id=\"there\">标题"));
	assert_non_null(strstr(html, "<p id=\"para-1\">正文。</p>"));
	assert_non_null(strstr(html, "<div class=\"older\">\n<p class=\"older-mark\">"
	                             "<a href=\"/b/posts/x/#para-2\">The original has changed "
	                             "here</a></p>\n<ul id=\"para-2\">"));
	assert_non_null(strstr(html, "<a href=\"/b/posts/x/\">"));
	assert_non_null(strstr(html, "<blockquote id=\"para-9\">"));
	arena_free(&a);
}

/* A line break between Chinese characters is no space, beside a Latin word it is. */
static void test_solid_scripts_have_no_spaces(void **state)
{
	(void)state;
	struct arena a = {0};
	assert_string_equal(render("共享\n内存，\n按 bank\n分组\nGPU\n", NULL, &a),
	                    "<p>共享内存，按 bank\n分组\nGPU</p>\n");
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_outline_blocks),
	        cmocka_unit_test(test_outline_numbers),
	        cmocka_unit_test(test_blocks_are_marked),
	        cmocka_unit_test(test_solid_scripts_have_no_spaces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
